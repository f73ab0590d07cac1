package dev.fairlead.gateway;

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
import java.util.function.UnaryOperator;

/** Finds out whether the server that a request is for asks by requests of its own. */
final class Asked {
    private Asked() {}

    /**
     * Returns whether a server that may answer the request is of a revision with a handshake, or of
     * one that is not known at the moment.
     */
    static boolean by(McpClients servers, RequestParams request) {
        Optional<String> known =
                switch (request) {
                    case CallToolRequest tool -> known(servers::serverOfTool, tool.name());
                    case GetPromptRequest prompt -> known(servers::serverOfPrompt, prompt.name());
                    case ReadResourceRequest resource -> servers.serverOfResource(resource.uri());
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

    private static Optional<String> known(UnaryOperator<String> server, String name) {
        try {
            return Optional.of(server.apply(name));
        } catch (JsonRpcException e) { // no server has it
            return Optional.empty();
        }
    }

    private static boolean hasHandshake(McpClients servers, String server) {
        try {
            return servers.server(server).revision().era() == Era.HANDSHAKE;
        } catch (ServerUnavailableException e) {
            return true; // the request may connect to it, and a held call is asked by both eras
        }
    }
}
