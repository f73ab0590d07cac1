/** {@code tools/list} and {@code tools/call}: tools, their outputs, and their runs as tasks. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.server.tools;
