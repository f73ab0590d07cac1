package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Events while a call runs: log messages, progress, cancellation. */
final class CallScenes {
    private CallScenes() {}

    static void log(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen();
        // @start region="log-server"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("measure", "Reads the instruments", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    call.log(LoggingLevel.DEBUG, "Opening the station");
                                    call.log(LoggingLevel.WARNING, "The hygrometer is slow");
                                    return "21 degrees";
                                })
                        .build();
        // @end
        // @start region="log-client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onLog(entry -> screen.show(entry.level() + ": " + entry.text()));
        // @end
        try (McpClient client = recorder.connect(server, settings)) {
            recorder.restart();
            // @start region="level"
            client.setLoggingLevel(LoggingLevel.WARNING);
            // @end
            client.callTool("measure", JsonObject.EMPTY);
            screen.expect("WARNING: The hygrometer is slow");
        }
    }

    static void progress(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen();
        // @start region="progress-server"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("index", "Reads all stations", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    for (int station = 1; station <= 2; station++) {
                                        call.progress(station, 2, "station " + station);
                                    }
                                    return "2 stations";
                                })
                        .build();
        // @end
        try (McpClient client = recorder.connect(server, McpClient.named("desk", "1.4.0"))) {
            recorder.restart();
            // @start region="progress-client"
            CallToolResult result =
                    client.withProgress(
                                    report ->
                                            screen.show(
                                                    report.progress() + " of " + report.total()))
                            .callTool("index", JsonObject.EMPTY);
            // @end
            assertThat(result.text()).isEqualTo("2 stations");
            screen.expect("1.0 of 2.0");
        }
    }

    static void cancellation(Recorder recorder) throws InterruptedException {
        Station station = new Station();
        // @start region="cancel-server"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("wait", "Waits for rain", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    try {
                                        return station.awaitRain();
                                    } catch (InterruptedException e) { // the answer is not wanted
                                        station.release();
                                        throw e;
                                    }
                                })
                        .build();
        // @end
        try (McpClient client = recorder.connect(server, McpClient.named("desk", "1.4.0"));
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            recorder.restart();
            // @start region="cancel-client"
            Future<CallToolResult> pending =
                    executor.submit(() -> client.callTool("wait", JsonObject.EMPTY));
            // @end
            station.expectWaiting();
            // @start region="cancel"
            pending.cancel(true);
            // @end
            station.expectReleased();
        }
    }
}
