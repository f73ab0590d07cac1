package dev.fairlead.cli.dev;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.group.Naming;
import dev.fairlead.console.spi.ConsoleTarget.Restart;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.base.Implementation;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A proxy in front of a server, which it starts again after each change of its files. Connections
 * of clients stay; they are notified of lists that changed. Close it when done.
 */
public final class DevProxy implements AutoCloseable {
    private static final String NAME = "fairlead-dev";

    private static final Pattern NAMES = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final Remote program;
    private final RestartableServer server;
    private final ChangeSource changes;
    private final Consumer<String> log;
    private final String name;
    private final List<Consumer<Restart>> followers = new CopyOnWriteArrayList<>();
    private final Gateway gateway;
    private final Thread watching;

    private DevProxy(
            Remote program,
            ChangeSource changes,
            Consumer<String> log,
            Implementation info,
            String instructions) {
        this.program = program;
        this.server = new RestartableServer(program);
        this.changes = changes;
        this.log = log;
        this.name = info.displayName();
        Gateway.Builder front =
                Gateway.named(info.name(), info.version())
                        .naming(Naming.DEFAULT)
                        .server(upstreamName(info), server)
                        .front(options -> options.intercept(server));
        this.gateway = (instructions.isEmpty() ? front : front.instructions(instructions)).build();
        this.watching = Thread.ofVirtual().name("fairlead-dev").unstarted(this::watch);
    }

    /** The name of the server in errors and the log. */
    private static String upstreamName(Implementation info) {
        return NAMES.matcher(info.name()).matches() ? info.name() : "server";
    }

    /**
     * Starts the server once, to learn its name, and then watches its files.
     *
     * @param program starts a process for each connection
     * @param log receives a line for each change
     * @throws CallException if the server does not start
     */
    public static DevProxy start(Remote program, ChangeSource changes, Consumer<String> log)
            throws InterruptedException {
        try (McpClient client = McpClient.named(NAME, "1").connect(program)) {
            DevProxy proxy =
                    new DevProxy(
                            program,
                            changes,
                            log,
                            client.serverInfo(),
                            client.instructions().orElse(""));
            proxy.watching.start();
            return proxy;
        }
    }

    /** Serves clients in a place. */
    public <S extends Serving> S serve(Endpoint<S> endpoint) {
        return gateway.serve(endpoint);
    }

    /** The proxy for a client in the same process. */
    Remote inProcess() {
        return gateway.inProcess();
    }

    /** Returns the name of the server for people. */
    String name() {
        return name;
    }

    /**
     * Returns another way to the server, whose connections end when it is started again.
     *
     * @param way starts a process of the same program for each connection
     */
    Remote through(Remote way) {
        return server.through(way);
    }

    /** Has a listener called after each change, until the returned task is run. */
    Runnable onRestart(Consumer<Restart> follower) {
        followers.add(follower);
        return () -> followers.remove(follower);
    }

    private void report(String line, boolean isRestarted) {
        log.accept(line);
        followers.forEach(follower -> follower.accept(new Restart(line, isRestarted)));
    }

    private void watch() {
        try {
            while (true) {
                changed(changes.await());
            }
        } catch (InterruptedException e) {
            // closed
        } catch (RuntimeException e) {
            report("changes are no longer watched: " + e.getMessage(), false);
        }
    }

    private void changed(String file) throws InterruptedException {
        try {
            McpClient.named(NAME, "1").connect(program).close();
        } catch (CallException e) {
            report(
                    file
                            + " changed, but the server does not start: "
                            + Printable.excerpt(e.getMessage())
                            + "; the one from before the change keeps running",
                    false);
            return;
        }
        server.restart("The server was restarted since " + file + " changed; call again");
        report(file + " changed; the server was restarted", true);
    }

    @Override
    public void close() {
        watching.interrupt();
        gateway.close();
        server.restart("fairlead dev was stopped"); // ends the connections beside the gateway
    }
}
