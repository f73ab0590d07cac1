package dev.fairlead.client;

import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;

/**
 * How the result of a task becomes a value of one type.
 *
 * @param <O> the type
 */
@FunctionalInterface
interface TaskOutput<O> {
    /**
     * Reads the value.
     *
     * @throws ToolFailedException if the tool failed
     * @throws dev.fairlead.protocol.InvalidResultException if there is none of that type
     */
    O read(CallToolResult result);
}
