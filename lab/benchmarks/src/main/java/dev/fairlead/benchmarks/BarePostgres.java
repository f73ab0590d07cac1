package dev.fairlead.benchmarks;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** The statements on PostgreSQL, on as many connections as a store has. */
final class BarePostgres implements Lifecycle {
    private static final int CONNECTIONS = DatabaseOptions.DEFAULT.connections();

    private final BlockingQueue<BareStatements> idle = new ArrayBlockingQueue<>(CONNECTIONS, true);

    BarePostgres(String url) throws SQLException {
        Database.open(url).close(); // makes the tables
        long node;
        try (Connection connection = DriverManager.getConnection(url)) {
            node = BareStatements.join(connection);
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            idle.add(
                    new BareStatements(DriverManager.getConnection(url), StoreKind.POSTGRES, node));
        }
    }

    /** A piece of work on a connection. */
    @FunctionalInterface
    private interface Statement {
        void run(BareStatements statements) throws SQLException;
    }

    @Override
    public void once(int caller) throws InterruptedException, SQLException {
        String id = BareStatements.newId();
        String owner = "local|caller" + caller;
        run(statements -> statements.create(id, owner));
        run(statements -> statements.end(id, owner));
        run(statements -> statements.read(id, owner));
    }

    private void run(Statement statement) throws InterruptedException, SQLException {
        BareStatements statements = idle.take();
        try {
            statement.run(statements);
        } finally {
            idle.add(statements);
        }
    }

    @Override
    public long commits() {
        return 0; // the server counts what it syncs
    }

    @Override
    public void close() throws SQLException {
        for (BareStatements statements : idle) {
            statements.close();
        }
    }
}
