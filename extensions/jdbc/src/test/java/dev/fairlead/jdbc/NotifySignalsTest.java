package dev.fairlead.jdbc;

import dev.fairlead.tasks.TaskSignals;
import dev.fairlead.testing.ClusteredTaskSignalsContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

@Tag("proof")
class NotifySignalsTest extends ClusteredTaskSignalsContract {
    private final List<Database> nodes = new ArrayList<>();
    private String url;

    @Override
    protected TaskSignals newSignals() throws SQLException {
        url = TestPostgres.database();
        return furtherNode();
    }

    @Override
    protected TaskSignals furtherNode() {
        Database node = TestPostgres.open(url);
        nodes.add(node);
        return JdbcTasks.on(node).parts().signals();
    }

    @AfterEach
    void close() {
        nodes.forEach(Database::close);
    }
}
