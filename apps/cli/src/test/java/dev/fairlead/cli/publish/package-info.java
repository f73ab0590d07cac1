/** Tests of the documents and files for hosts and the registry. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.cli.publish;
