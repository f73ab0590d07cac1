/**
 * MCP clients: typed calls, and handlers for the questions of servers.
 *
 * <p>{@link dev.fairlead.client.McpClient#connect(dev.fairlead.protocol.Remote)} opens a
 * connection; {@link dev.fairlead.client.McpClient#named} begins one with handlers and settings.
 * The client has every request of the protocol, typed and raw ({@link
 * dev.fairlead.client.ClientRequests}); its {@code with} methods give copies with other time limits
 * or a progress listener. {@link dev.fairlead.client.RemoteTool} is one tool bound to types.
 */
@NullMarked
package dev.fairlead.client;

import org.jspecify.annotations.NullMarked;
