package dev.fairlead.docs;

// @start region="program"
import static dev.fairlead.protocol.tools.TaskSupport.OPTIONAL;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.jdbc.JdbcChanges;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.RequestState;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A server for many clients, which reads its settings from the environment. */
public final class Weather {
    record City(String name) {}

    public static void main(String[] args) {
        Map<String, String> environment = System.getenv();
        Optional<Database> store = store(environment);
        McpServer server = server(environment, store);
        server.serve(http(environment, store, 3000));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server, store)));
    }

    static void close(McpServer server, Optional<Database> store) {
        server.close(); // drains
        store.ifPresent(Database::close); // so that other nodes take over at once
    }

    static Optional<Database> store(Map<String, String> environment) {
        String password = environment.getOrDefault("PGPASSWORD", "");
        return Optional.ofNullable(environment.get("STORE"))
                .map(url -> Database.postgres(url, password, DatabaseOptions.DEFAULT));
    }

    static McpServer server(Map<String, String> environment, Optional<Database> store) {
        McpServer.Builder weather =
                McpServer.named("weather", "1.0.0")
                        .tool("forecast", "Forecasts the weather", City.class, String.class)
                        .task(OPTIONAL)
                        .handle((city, call) -> "Sunny in " + city.name());
        String keys = environment.get("STATE_KEYS");
        if (keys != null) weather.requestState(RequestState.keys(Path.of(keys)));
        store.ifPresent(shared -> weather.tasks(JdbcTasks.on(shared)));
        store.ifPresent(shared -> weather.changes(JdbcChanges.on(shared)));
        return weather.build();
    }

    static HttpListener http(Map<String, String> environment, Optional<Database> store, int port) {
        HttpListener http =
                Http.port(port)
                        .host("0.0.0.0")
                        .allowHosts(environment.getOrDefault("PUBLIC_HOST", "localhost"))
                        .trustProxies(
                                environment.getOrDefault("TRUSTED_PROXIES", "127.0.0.1").split(","))
                        .health("/health")
                        .shutdownGrace(Duration.ofSeconds(20));
        return store.map(shared -> http.eventStore(JdbcEvents.on(shared))).orElse(http);
    }
}
// @end
