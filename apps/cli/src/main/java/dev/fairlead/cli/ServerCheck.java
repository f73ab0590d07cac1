package dev.fairlead.cli;

import dev.fairlead.cli.servers.ServerEntry;
import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.base.Implementation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Connects to the servers of a file and reports their answers. Each is described by an object with
 * {@code name}, {@code transport} and {@code target}, and either {@code serverInfo} and {@code
 * protocolVersion}, or {@code error}; by {@code name} and {@code disabled} where the file disables
 * it, so that nothing is started.
 */
final class ServerCheck {
    private static final int AT_ONCE = 8;
    private static final JsonCodec<Implementation> INFO = JsonCodec.of(Implementation.class);

    private final ServersFile servers;
    private final Duration timeout;
    private final UnaryOperator<Target> trusting;
    private final Consumer<McpClient.Builder> options;

    /**
     * @param trusting gives a server the trust that the user has
     * @param options for the clients that connect
     */
    ServerCheck(
            ServersFile servers,
            Duration timeout,
            UnaryOperator<Target> trusting,
            Consumer<McpClient.Builder> options) {
        this.servers = servers;
        this.timeout = timeout;
        this.trusting = trusting;
        this.options = options;
    }

    /** Describes a server by its definition in the file; by an error where that is invalid. */
    static JsonObject described(ServersFile servers, String name) {
        JsonObject named = JsonObject.of("name", name);
        if (servers.isDisabled(name)) {
            return named.with("disabled", true);
        }
        try {
            ServerEntry entry = servers.entry(name);
            return named.with("transport", entry.transport().toString())
                    .with("target", entry.summary());
        } catch (TargetException e) {
            return named.with("error", e.getMessage());
        }
    }

    /** All servers in the order of the file, several at once. */
    List<JsonObject> all() throws InterruptedException {
        try (ExecutorService executor =
                Executors.newFixedThreadPool(
                        AT_ONCE, Thread.ofVirtual().name("fairlead-check-", 0).factory())) {
            List<Callable<JsonObject>> checks = new ArrayList<>();
            for (String name : servers.names()) {
                checks.add(() -> checked(name));
            }
            List<JsonObject> checked = new ArrayList<>();
            for (Future<JsonObject> check : executor.invokeAll(checks)) {
                checked.add(check.get());
            }
            return checked;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a check failed unexpectedly", e.getCause());
        }
    }

    private JsonObject checked(String name) throws InterruptedException {
        JsonObject described = described(servers, name);
        if (described.has("error") || described.has("disabled")) {
            return described;
        }
        try {
            return met(described, trusting.apply(servers.entry(name).target()));
        } catch (CallException | TargetException e) {
            return described.with("error", e.getMessage());
        }
    }

    private JsonObject met(JsonObject described, Target target) throws InterruptedException {
        McpClient.Builder client =
                McpClient.named(Clients.NAME, Clients.VERSION)
                        .requestTimeout(timeout)
                        .probeTimeout(Clients.probeTimeout(timeout));
        options.accept(client);
        try (McpClient server = client.connect(remote(target))) {
            return described
                    .with("serverInfo", INFO.toValue(server.serverInfo()))
                    .with("protocolVersion", server.revision().toString());
        }
    }

    /** Drops the standard error of programs, which would only appear between the lines. */
    private static Remote remote(Target target) {
        return switch (target) {
            case Target.Endpoint endpoint -> endpoint.remote();
            case Target.Program program -> program.remote().inOwnSession().onStderr(line -> {});
        };
    }
}
