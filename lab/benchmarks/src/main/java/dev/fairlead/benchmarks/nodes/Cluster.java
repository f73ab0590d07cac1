package dev.fairlead.benchmarks.nodes;

import dev.fairlead.benchmarks.Child;
import dev.fairlead.testing.RoundRobin;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Nodes in processes of their own with one PostgreSQL, behind a load balancer. */
final class Cluster implements AutoCloseable {
    private final EmbeddedPostgres postgres =
            EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start();
    private final List<Child> nodes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final boolean forwards;
    private final LongConsumer ran;
    private final RoundRobin balancer;

    /**
     * @param forwards whether the nodes forward to each other
     * @param ran takes the number of each call that a handler has run
     */
    Cluster(int count, boolean forwards, LongConsumer ran) throws IOException {
        this.forwards = forwards;
        this.ran = ran;
        for (int i = 0; i < count; i++) {
            nodes.add(launch(0));
            ports.add(await(i));
        }
        balancer = new RoundRobin(ports());
    }

    private Child launch(int port) throws IOException {
        return Child.start(
                NodeServer.class,
                postgres.getJdbcUrl("postgres", "postgres"),
                "" + port,
                "" + forwards);
    }

    private int await(int node) throws IOException {
        Child started = nodes.get(node);
        int port = Integer.parseInt(started.expect("port"));
        Thread.ofPlatform().daemon().name("nodes-ran").start(() -> listen(started));
        return port;
    }

    private void listen(Child node) {
        try {
            while (true) {
                ran.accept(Long.parseLong(node.expect("ran")));
            }
        } catch (IOException e) {
            // the node has ended
        }
    }

    int[] ports() {
        return ports.stream().mapToInt(Integer::intValue).toArray();
    }

    int port(int node) {
        return ports.get(node);
    }

    int size() {
        return nodes.size();
    }

    RoundRobin balancer() {
        return balancer;
    }

    Child node(int node) {
        return nodes.get(node);
    }

    /** Sends a signal to a node, such as {@code STOP}. */
    void signal(int node, String name) throws IOException, InterruptedException {
        String pid = Long.toString(nodes.get(node).jvm().process());
        new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    }

    /** Waits for the end of a node, and starts it again at its port. */
    void restart(int node) throws IOException, InterruptedException {
        nodes.get(node).awaitEnd();
        nodes.set(node, launch(ports.get(node)));
        await(node);
    }

    /** Breaks all connections to the database. */
    void cutDatabase() throws SQLException {
        query(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where pid <>"
                        + " pg_backend_pid() and backend_type = 'client backend'");
    }

    /** Runs a query that has one number as its result. */
    long query(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        balancer.close();
        for (Child node : nodes) {
            node.close();
        }
        postgres.close();
    }
}
