package dev.fairlead.server.handler;

import dev.fairlead.protocol.content.ToolUseContent;
import dev.fairlead.protocol.tools.CallToolResult;

/**
 * Runs the tools that a model asks for while it is sampled.
 *
 * @param <E> the exception that it may throw
 */
@FunctionalInterface
public interface SampledTools<E extends Exception> {
    /** Runs one use of a tool. */
    CallToolResult run(ToolUseContent use) throws E, InterruptedException;
}
