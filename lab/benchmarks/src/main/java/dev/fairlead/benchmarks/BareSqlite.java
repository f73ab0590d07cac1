package dev.fairlead.benchmarks;

import dev.fairlead.jdbc.Database;

import org.sqlite.SQLiteConfig;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The statements on SQLite: one thread writes in groups, three read, as in a store. */
final class BareSqlite implements Lifecycle {
    private static final int GROUP = 256;
    private static final int READERS = 3;

    private final String url;
    private final BlockingQueue<Job> writes = new LinkedBlockingQueue<>();
    private final BlockingQueue<Job> reads = new LinkedBlockingQueue<>();
    private final AtomicLong commits = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();

    /** A piece of work on a connection. */
    @FunctionalInterface
    private interface Work {
        void run(BareStatements statements) throws SQLException;
    }

    private record Job(Work work, CompletableFuture<Void> done) {}

    BareSqlite(String store) throws SQLException {
        Database.open(store).close(); // makes the tables
        url = "jdbc:sqlite:" + store.substring("file:".length());
        Connection connection = connect();
        long node = BareStatements.join(connection);
        BareStatements writing = new BareStatements(connection, StoreKind.SQLITE, node);
        start("bare-writer", () -> write(writing));
        for (int i = 0; i < READERS; i++) {
            BareStatements reading = new BareStatements(connect(), StoreKind.SQLITE, node);
            start("bare-reader-" + i, () -> read(reading));
        }
    }

    private Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(10_000);
        config.enforceForeignKeys(true);
        return config.createConnection(url);
    }

    /** What a thread does until it is interrupted, which it never is within a driver. */
    @FunctionalInterface
    private interface Loop {
        void run() throws InterruptedException, SQLException;
    }

    private void start(String name, Loop loop) {
        threads.add(
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .start(
                                () -> {
                                    try {
                                        loop.run();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt(); // closed
                                    } catch (SQLException e) {
                                        throw new IllegalStateException(name + " failed", e);
                                    }
                                }));
    }

    private void write(BareStatements statements) throws InterruptedException, SQLException {
        try (statements;
                Statement control = statements.connection().createStatement()) {
            while (true) {
                List<Job> group = new ArrayList<>();
                group.add(writes.take());
                writes.drainTo(group, GROUP - 1);
                control.execute("begin immediate");
                for (Job job : group) {
                    job.work().run(statements);
                }
                control.execute("commit");
                commits.incrementAndGet();
                group.forEach(job -> job.done().complete(null));
            }
        }
    }

    private void read(BareStatements statements) throws InterruptedException, SQLException {
        try (statements) {
            while (true) {
                Job job = reads.take();
                job.work().run(statements);
                job.done().complete(null);
            }
        }
    }

    @Override
    public void once(int caller) {
        String id = BareStatements.newId();
        String owner = "local|caller" + caller;
        call(writes, statements -> statements.create(id, owner));
        call(writes, statements -> statements.end(id, owner));
        call(reads, statements -> statements.read(id, owner));
    }

    private static void call(BlockingQueue<Job> queue, Work work) {
        Job job = new Job(work, new CompletableFuture<>());
        queue.add(job);
        job.done().join();
    }

    @Override
    public long commits() {
        return commits.get();
    }

    @Override
    public void close() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }
}
