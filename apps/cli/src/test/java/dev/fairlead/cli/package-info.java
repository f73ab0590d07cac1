/** Tests of the command line, most of them with real servers as child processes. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.cli;
