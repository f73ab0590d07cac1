/** Tests of how the server is found that a user means. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.cli.servers;
