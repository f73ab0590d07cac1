package dev.fairlead.docs;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The code of the page on clients. */
final class ClientSnippets {
    private static final Logger LOGGER = System.getLogger("desk");

    private ClientSnippets() {}

    static List<Remote> remotes(McpServer server) {
        // @start region="remotes"
        Remote child = Stdio.command("npx", "-y", "@modelcontextprotocol/server-everything");
        Remote http = Http.to("https://weather.example/mcp");
        Remote here = server.inProcess();
        // @end
        return List.of(child, http, here);
    }

    static String connect(Remote remote) throws InterruptedException {
        // @start region="connect"
        try (McpClient client = McpClient.connect(remote)) {
            return client.callTool("today", JsonObject.EMPTY).text();
        }
        // @end
    }

    static McpClient configured(Remote remote) throws InterruptedException {
        // @start region="configured"
        McpClient client =
                McpClient.named("desk", "1.4.0")
                        .title("The desk")
                        .requestTimeout(Duration.ofSeconds(10))
                        .onLog(entry -> LOGGER.log(Level.INFO, entry.text()))
                        .connect(remote);
        // @end
        return client;
    }

    static McpClient eras(Remote remote) throws InterruptedException {
        // @start region="eras"
        McpClient client =
                McpClient.named("desk", "1.4.0")
                        .revisions(Revision.V2025_06_18, Revision.V2026_07_28)
                        .acceptTasks()
                        .connect(remote);
        // @end
        return client;
    }

    static String firstRound(McpClient client, CallToolRequest request)
            throws InterruptedException {
        // @start region="firstRound"
        switch (client.firstRound(request)) {
            case Outcome.Complete<CallToolResult> done -> {
                return done.result().text();
            }
            case Outcome.InputRequired<CallToolResult> needed -> {
                // shown to the person, kept, and answered in another request of the browser
                return JsonCodec.of(InputRequiredResult.class).write(needed.input()).toJson();
            }
            case Outcome.TaskCreated<CallToolResult> never -> throw new AssertionError(never);
        }
        // @end
    }

    static Outcome<CallToolResult> nextRound(McpClient client, CallToolRequest request, String kept)
            throws InterruptedException {
        // @start region="nextRound"
        InputRequiredResult input =
                JsonCodec.of(InputRequiredResult.class).read(JsonValue.parse(kept));
        JsonObject yes = JsonObject.of("action", "accept", "content", JsonObject.of("sure", true));
        Outcome<CallToolResult> outcome =
                client.nextRound(request, Map.of("confirm", yes), input.requestState());
        // @end
        return outcome;
    }

    static String limits(McpClient client) throws InterruptedException {
        // @start region="limits"
        ClientRequests patient =
                client.withTimeout(Duration.ofSeconds(30), Duration.ofMinutes(5))
                        .withProgress(report -> LOGGER.log(Level.INFO, report));
        String text = patient.callTool("today", JsonObject.EMPTY).text();
        // @end
        return text;
    }

    static String headers(McpClient client, String token) throws InterruptedException {
        // @start region="headers"
        ClientRequests ann =
                client.withHeaders(Map.of("Authorization", "Bearer " + token, "X-Tenant", "acme"));
        String text = ann.callTool("today", JsonObject.EMPTY).text();
        // @end
        return text;
    }

    static String tasks(McpClient client) throws InterruptedException {
        // @start region="tasks"
        RemoteTool<JsonObject, String> report =
                client.tool("report", JsonObject.class, String.class);
        TaskHandle<String> started =
                report.start(JsonObject.of("year", 2025))
                        .onStatus(task -> LOGGER.log(Level.INFO, task.statusMessage()));
        started.id().ifPresent(id -> keep(id.value())); // such as in a file
        String text = started.await(Duration.ofHours(1));
        // @end
        return text;
    }

    private static void keep(String id) {
        LOGGER.log(Level.INFO, "task " + id);
    }

    static String found(McpClient client, String kept) throws InterruptedException {
        // @start region="found"
        TaskHandle<String> found = client.task(new TaskId(kept), String.class);
        String text = found.await(Duration.ofHours(1));
        // @end
        return text;
    }

    static List<String> generic(McpClient client) throws InterruptedException {
        // @start region="generic"
        RemoteTool<JsonObject, List<String>> cities =
                client.tool("cities", JsonObject.class, new TypeRef<List<String>>() {});
        List<String> all = cities.call(JsonObject.EMPTY);
        // @end
        return all;
    }

    static long own(McpClient client) throws InterruptedException {
        // @start region="own"
        JsonObject answer =
                client.request("com.example/reindex", JsonObject.of("folder", "/notes"));
        client.notify("com.example/opened", JsonObject.of("file", "/notes/today.md"));
        // @end
        return answer.integer("files");
    }

    static McpClient.Builder intercepted() {
        // @start region="intercept"
        Interceptor trace =
                (method, next) -> {
                    LOGGER.log(Level.DEBUG, "→ {0}", method.name());
                    return next.proceed(method);
                };
        McpClient.Builder settings = McpClient.named("desk", "1.4.0").intercept(trace);
        // @end
        return settings;
    }

    static Remote child(Path log) {
        // @start region="child"
        Remote server =
                Stdio.command("java", "-jar", "weather.jar")
                        .environment("WEATHER_KEY", "…")
                        .directory(Path.of("/srv/weather"))
                        .stderrTo(log);
        // @end
        return server;
    }

    static Remote http(Map<String, String> token) {
        // @start region="http"
        Remote server =
                Http.to("https://weather.example/mcp")
                        .header("X-Tenant", "north")
                        .headers(() -> Map.of("Authorization", "Bearer " + token.get("current")))
                        .connectTimeout(Duration.ofSeconds(5))
                        .reconnect(3, Duration.ofMillis(500), Duration.ofSeconds(5));
        // @end
        return server;
    }
}
