package dev.fairlead.showcase;

import dev.fairlead.test.support.ChildProcess;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes of {@code fairlead serve} that share a PostgreSQL, and forward to each other. */
final class Nodes implements AutoCloseable {
    private final EmbeddedPostgres postgres =
            EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start();
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
        nodes.add(
                Program.start(
                        "--fixtures",
                        "--http",
                        "127.0.0.1:0",
                        "--peers",
                        "127.0.0.1:0",
                        "--store",
                        postgres.getJdbcUrl("postgres", "postgres")));
    }

    ChildProcess get(int node) {
        return nodes.get(node);
    }

    String url(int node) {
        return get(node).url();
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
        postgres.close();
    }
}
