package dev.fairlead.gateway;

import dev.fairlead.client.group.GroupItem;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.ServerState;
import dev.fairlead.client.group.ServerStatus;
import dev.fairlead.client.group.ServerUnavailableException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.prompts.GetPromptRequest;
import dev.fairlead.protocol.resources.ReadResourceRequest;
import dev.fairlead.protocol.tools.CallToolRequest;

import java.util.Optional;

/** Finds out whether the server that a request is for asks by requests of its own. */
final class Asked {
    private Asked() {}

    /** Returns whether a server that may answer the request is of a revision with a handshake. */
    static boolean by(McpClients servers, RequestParams request) {
        Optional<String> known =
                switch (request) {
                    case CallToolRequest tool -> ofTool(servers, tool.name());
                    case GetPromptRequest prompt ->
                            servers.prompts().stream()
                                    .filter(item -> item.definition().name().equals(prompt.name()))
                                    .map(GroupItem::server)
                                    .findFirst();
                    case ReadResourceRequest resource ->
                            servers.resources().stream()
                                    .filter(item -> item.name().equals(resource.uri()))
                                    .map(GroupItem::server)
                                    .findFirst();
                    default -> Optional.empty();
                };
        return known.map(server -> hasHandshake(servers, server))
                .orElseGet(
                        () ->
                                servers.servers().stream()
                                        .filter(server -> server.state() == ServerState.CONNECTED)
                                        .map(ServerStatus::server)
                                        .anyMatch(server -> hasHandshake(servers, server)));
    }

    private static Optional<String> ofTool(McpClients servers, String tool) {
        try {
            return Optional.of(servers.serverOfTool(tool));
        } catch (JsonRpcException e) { // no server has it
            return Optional.empty();
        }
    }

    private static boolean hasHandshake(McpClients servers, String server) {
        try {
            return servers.server(server).revision().era() == Era.HANDSHAKE;
        } catch (ServerUnavailableException e) {
            return false; // the request fails in any case
        }
    }
}
