/**
 * MCP servers: tools, resources, prompts, completion, logging and sessions.
 *
 * <p>{@link dev.fairlead.server.McpServer#named} begins a server, {@link
 * dev.fairlead.server.Features} has the methods that declare its features, each with a {@link
 * dev.fairlead.server.handler.Handler} as its body. A handler gets its arguments as a record and a
 * {@link dev.fairlead.server.handler.Call}, by which it reports progress and asks the client.
 */
@NullMarked
package dev.fairlead.server;

import org.jspecify.annotations.NullMarked;
