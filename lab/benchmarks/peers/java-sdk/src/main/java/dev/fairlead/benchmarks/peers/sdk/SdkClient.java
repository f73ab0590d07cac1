package dev.fairlead.benchmarks.peers.sdk;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;

import reactor.core.publisher.Mono;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Connects a client of the official Java SDK, with a stream of messages that the server sends by
 * itself. The arguments are the URL of a server or the command line of one.
 */
public final class SdkClient implements Function<List<String>, UnaryOperator<String>> {
    @Override
    public UnaryOperator<String> apply(List<String> server) {
        Logger.getLogger("").setLevel(Level.SEVERE);
        McpAsyncClient client =
                McpClient.async(transport(server))
                        .toolsChangeConsumer(tools -> Mono.empty())
                        .build();
        client.initialize().block();
        client.listTools().block();
        return server.size() > 1
                ? text -> text(sent(client, text))
                : text -> text(client.callTool(request(text)).toFuture());
    }

    private static McpClientTransport transport(List<String> server) {
        if (server.size() > 1) {
            ServerParameters parameters =
                    ServerParameters.builder(server.getFirst())
                            .args(server.subList(1, server.size()))
                            .build();
            return new StdioClientTransport(parameters, McpJsonDefaults.getMapper());
        }
        URI uri = URI.create(server.getFirst());
        return HttpClientStreamableHttpTransport.builder(uri.resolve("/").toString())
                .endpoint(uri.getPath())
                .openConnectionOnStartup(true)
                .build();
    }

    /** Sends a call. The transport over stdio fails where two threads send at once. */
    private static CompletableFuture<CallToolResult> sent(McpAsyncClient client, String text) {
        synchronized (client) {
            return client.callTool(request(text)).toFuture();
        }
    }

    private static CallToolRequest request(String text) {
        return new CallToolRequest("echo", Map.of("text", text));
    }

    private static String text(CompletableFuture<CallToolResult> result) {
        return ((TextContent) result.join().content().getFirst()).text();
    }
}
