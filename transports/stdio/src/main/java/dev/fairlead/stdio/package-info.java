/**
 * The newline-framed transport over standard streams, and the launcher of child processes.
 *
 * <p>{@code server.serve(Stdio.streams())} serves the process that started this one; {@code
 * McpClient.connect(Stdio.command("npx", "…"))} starts a server and connects to it.
 */
@NullMarked
package dev.fairlead.stdio;

import org.jspecify.annotations.NullMarked;
