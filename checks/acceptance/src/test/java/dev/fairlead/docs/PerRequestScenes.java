package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The frames of revision 2026-07-28, which has no sessions. */
final class PerRequestScenes {
    private PerRequestScenes() {}

    static void discover(Recorder recorder) throws InterruptedException {
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .instructions("Ask for one city at a time.")
                        .tool("today", "The weather of today", City.class, String.class)
                        .handle((city, call) -> "Sunny in " + city.name())
                        .build();
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .onElicitForm(form -> Answer.decline());
        recorder.connectAsSet(server, settings).close();
    }

    record City(String name) {}

    private static McpClient connect(Recorder recorder, McpServer server)
            throws InterruptedException {
        return recorder.connectPerRequest(server, McpClient.named("desk", "1.4.0"));
    }

    static void log(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen();
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
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onLog(entry -> screen.show(entry.level() + ": " + entry.data()));
        try (McpClient client = recorder.connectPerRequest(server, settings)) {
            client.setLoggingLevel(LoggingLevel.WARNING);
            client.callTool("measure", JsonObject.EMPTY);
            screen.expect("WARNING: \"The hygrometer is slow\"");
        }
    }

    static void progress(Recorder recorder) throws InterruptedException {
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
        try (McpClient client = connect(recorder, server)) {
            client.withProgress(report -> {}).callTool("index", JsonObject.EMPTY);
        }
    }

    static void cancellation(Recorder recorder) throws InterruptedException {
        Station station = new Station();
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("wait", "Waits for rain", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    try {
                                        return station.awaitRain();
                                    } catch (InterruptedException e) {
                                        station.release();
                                        throw e;
                                    }
                                })
                        .build();
        try (McpClient client = connect(recorder, server);
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> pending = executor.submit(() -> client.callTool("wait", JsonObject.EMPTY));
            station.expectWaiting();
            pending.cancel(true);
            station.expectReleased();
        }
    }

    static void listen(Recorder recorder) throws InterruptedException {
        McpServer server = ResourceScenes.server();
        Recorder.Script client = recorder.script(server);
        client.request(
                "subscriptions/listen",
                params(
                        "\"notifications\": {\"resourcesListChanged\": true,"
                                + " \"resourceSubscriptions\": [\"city://Oslo/now\"]}"));
        recorder.awaitFrames(2);
        server.resourceUpdated("city://Oslo/now");
        recorder.awaitFrames(3);
        client.send(
                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\","
                        + " \"params\": {\"requestId\": 1}}");
        recorder.awaitFrames(4);
    }

    static void unsupported(Recorder recorder) throws InterruptedException {
        Recorder.Script client = recorder.script(McpServer.named("weather", "1.0.0").build());
        client.request("server/discover", params("").replace("2026-07-28", "2027-01-01"));
        recorder.awaitFrames(2);
    }

    static void missingCapability(Recorder recorder) throws InterruptedException {
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("poem", "A poem on the weather", NoInput.class, String.class)
                        .handle((none, call) -> call.sample("Four lines on rain", 100).text())
                        .build();
        Recorder.Script client = recorder.script(server);
        client.request("tools/call", params("\"name\": \"poem\""));
        recorder.awaitFrames(2);
    }

    private static String params(String members) {
        return """
        {%s "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {}}}\
        """
                .formatted(members.isEmpty() ? "" : members + ",");
    }

    static void http(Recorder recorder) throws InterruptedException, IOException {
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("index", "Reads all stations", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    call.progress(1, 1);
                                    return "1 station";
                                })
                        .build();
        try (server;
                RecordingProxy proxy =
                        RecordingProxy.to(
                                server.serve(Http.port(0).streamAfter(Duration.ofHours(1))).uri(),
                                recorder);
                McpClient client =
                        McpClient.named("desk", "1.4.0")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .connect(Http.to(proxy.uri()))) {
            recorder.forget();
            assertThat(client.withProgress(report -> {}).callTool("index", JsonObject.EMPTY).text())
                    .isEqualTo("1 station");
        }
    }
}
