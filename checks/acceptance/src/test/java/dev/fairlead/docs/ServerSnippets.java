package dev.fairlead.docs;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Header;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.SourcePage;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The code of the page on servers. */
final class ServerSnippets {
    // @start region="own-records"
    record Reindex(String folder) {}

    record Reindexed(int files) {}

    record Opened(String file) {}

    // @end

    // @start region="header-record"
    record Sql(
            @Header("Region") @Doc("Where the database is") String region,
            @Doc("What to run") String query) {}

    // @end

    static final Map<String, LongAdder> METRICS = new ConcurrentHashMap<>();

    private ServerSnippets() {}

    static void places() {
        McpServer server = McpServer.named("weather", "1.0.0").build();
        // @start region="places"
        HttpServing serving = server.serve(Http.port(0)); // 0 takes a free port
        System.out.println("listening on " + serving.uri());
        // @end
        // @start region="close"
        server.close();
        // @end
    }

    static McpServer intercepted() {
        // @start region="intercept"
        Interceptor timing =
                (method, next) -> {
                    long start = System.nanoTime();
                    try {
                        return next.proceed(method);
                    } finally {
                        METRICS.computeIfAbsent(method.name(), name -> new LongAdder())
                                .add(System.nanoTime() - start);
                    }
                };
        McpServer.Builder server = McpServer.named("weather", "1.0.0").intercept(timing);
        // @end
        return server.features(ServerSnippets::forecasts).build();
    }

    // @start region="module"
    static void forecasts(Features<?> features) {
        features.tool("today", "The weather of today", NoInput.class, String.class)
                .handle((none, call) -> "Sunny")
                .tool("tomorrow", "The weather of tomorrow", NoInput.class, String.class)
                .handle((none, call) -> "Sunny again");
    }

    // @end

    static McpServer.Builder modules() {
        // @start region="use-module"
        McpServer.Builder server =
                McpServer.named("weather", "1.0.0").features(ServerSnippets::forecasts);
        // @end
        return server;
    }

    static McpServer hidden() {
        // @start region="hidden"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("purge", "Deletes old reports", NoInput.class, String.class)
                        .destructive()
                        .requireScopes("reports:purge")
                        .visibleTo(caller -> !caller.isAnonymous())
                        .handle((none, call) -> "Deleted for " + call.caller().subject())
                        .build();
        // @end
        return server;
    }

    static McpServer cache() {
        // @start region="cache"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .cacheLists(Duration.ofMinutes(5))
                        .resource("docs://guide", "guide", String.class)
                        .cacheFor(Duration.ofHours(1))
                        .cachePublic()
                        .handle((request, call) -> "# How to read a forecast")
                        .build();
        // @end
        return server;
    }

    static McpServer headers() {
        // @start region="headers"
        McpServer server =
                McpServer.named("databases", "1.0.0")
                        .tool("run", "Runs SQL", Sql.class, String.class)
                        .handle((sql, call) -> "Ran in " + sql.region())
                        .build();
        // @end
        return server;
    }

    static McpServer own() {
        // @start region="own"
        McpServer server =
                McpServer.named("notes", "1.0.0")
                        .method("com.example/reindex", Reindex.class, Reindexed.class)
                        .handle((reindex, call) -> new Reindexed(index(reindex.folder())))
                        .notification("com.example/opened", Opened.class)
                        .handle((opened, caller) -> index(opened.file()))
                        .build();
        // @end
        return server;
    }

    private static int index(String path) {
        return path.length();
    }

    static McpServer raw() {
        // @start region="raw"
        Tool definition =
                Tool.builder(
                                "add",
                                "Adds two numbers",
                                JsonSchema.parse(
                                        """
                                        {"type": "object", "required": ["a", "b"], "properties":
                                          {"a": {"type": "integer"}, "b": {"type": "integer"}}}
                                        """))
                        .build();
        McpServer server =
                McpServer.named("calculator", "1.0.0")
                        .tool(definition)
                        .handle(
                                (request, call) -> {
                                    JsonObject sum = request.arguments();
                                    return CallToolResult.text(
                                            "" + (sum.integer("a") + sum.integer("b")));
                                })
                        .build();
        // @end
        return server;
    }

    static McpServer source(Map<String, String> queries) {
        // @start region="source"
        McpServer server =
                McpServer.named("queries", "1.0.0")
                        .toolSource("query.")
                        .list((cursor, call) -> SourcePage.last(tools(queries)))
                        .handle(
                                (request, call) -> {
                                    String name = request.name().substring("query.".length());
                                    return queries.containsKey(name)
                                            ? CallToolResult.text(queries.get(name))
                                            : CallToolResult.failure("There is no query " + name);
                                })
                        .build();
        // @end
        return server;
    }

    private static List<Tool> tools(Map<String, String> queries) {
        return queries.keySet().stream()
                .sorted()
                .map(
                        name ->
                                Tool.builder(
                                                "query." + name,
                                                "Runs " + name,
                                                JsonSchema.of(NoInput.class))
                                        .build())
                .toList();
    }
}
