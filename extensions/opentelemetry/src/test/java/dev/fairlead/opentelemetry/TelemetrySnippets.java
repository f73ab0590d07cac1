package dev.fairlead.opentelemetry;

import dev.fairlead.client.McpClient;
import dev.fairlead.server.McpServer;

import io.opentelemetry.api.OpenTelemetry;

/** Code of the page on telemetry. */
final class TelemetrySnippets {
    private TelemetrySnippets() {}

    static McpServer.Builder server(OpenTelemetry openTelemetry) {
        // @start region="server"
        McpServer.Builder server =
                McpServer.named("reports", "2.0.0").intercept(McpTelemetry.of(openTelemetry));
        // @end
        return server;
    }

    static void quick(OpenTelemetry openTelemetry, McpServer server) {
        // @start region="quick"
        McpTelemetry telemetry = McpTelemetry.of(openTelemetry);
        telemetry.observeQuickFeatures("reports", server::quickFeatures);
        telemetry.observeReplacedReaders(); // once in a process
        // @end
    }

    static McpClient.Builder client(OpenTelemetry openTelemetry) {
        // @start region="client"
        McpTelemetry telemetry = McpTelemetry.of(openTelemetry);
        McpClient.Builder client =
                McpClient.named("desk", "1.4.0")
                        .intercept(telemetry) // requests of the client
                        .interceptInbound(telemetry); // requests of the server
        // @end
        return client;
    }
}
