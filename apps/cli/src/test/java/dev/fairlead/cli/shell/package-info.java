/** Tests of the parts of the shell; the whole of it is tested at a pseudo-terminal. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.cli.shell;
