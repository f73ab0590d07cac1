package dev.fairlead.proofs.nodes;

import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.DatabaseProxy;
import dev.fairlead.test.support.FreePort;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes of {@code fairlead serve} that share a PostgreSQL, each over a connection of its own
 * that can break, and forward to each other.
 */
final class Nodes implements AutoCloseable {
    private final EmbeddedPostgres postgres =
            EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start();
    private final List<DatabaseProxy> databases = new ArrayList<>();
    private final List<ChildProcess> nodes = new ArrayList<>();

    private Nodes() throws IOException {}

    /** Starts so many nodes. */
    static Nodes start(int count) throws IOException {
        Nodes started = new Nodes();
        for (int i = 0; i < count; i++) {
            started.add();
        }
        return started;
    }

    /** Starts another node. */
    void add() throws IOException {
        databases.add(new DatabaseProxy(postgres.getPort()));
        nodes.add(launch(nodes.size(), FreePort.find())); // where it may start again
    }

    private ChildProcess launch(int node, int port) throws IOException {
        String store = postgres.getJdbcUrl("postgres", "postgres");
        return Program.start(
                "--fixtures",
                "--http",
                "127.0.0.1:" + port,
                "--peers",
                "127.0.0.1:0",
                "--store",
                databases.get(node).through(store));
    }

    /** Starts a node again that has ended, at its port; waits until it listens. */
    void restart(int node) throws Exception {
        int port = URI.create(url(node)).getPort();
        nodes.get(node).close();
        nodes.set(node, launch(node, port));
        url(node);
    }

    /** Starts the nodes again that have ended. */
    void restartEnded() throws Exception {
        for (int i = 0; i < nodes.size(); i++) {
            if (!ProcessHandle.of(nodes.get(i).pid()).filter(ProcessHandle::isAlive).isPresent()) {
                restart(i);
            }
        }
    }

    ChildProcess get(int node) {
        return nodes.get(node);
    }

    String url(int node) {
        return get(node).url();
    }

    /** Returns the connections of a node to the database. */
    DatabaseProxy database(int node) {
        return databases.get(node);
    }

    int size() {
        return nodes.size();
    }

    /** Returns the ports of all nodes; waits until they listen. */
    int[] ports() {
        return nodes.stream().mapToInt(node -> URI.create(node.url()).getPort()).toArray();
    }

    @Override
    public void close() throws Exception {
        for (ChildProcess node : nodes) {
            node.close();
        }
        for (DatabaseProxy database : databases) {
            database.close();
        }
        postgres.close();
    }
}
