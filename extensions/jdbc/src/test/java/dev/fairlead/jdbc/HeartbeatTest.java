package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

@Timeout(60)
class HeartbeatTest extends ClosingTest {
    @TempDir private Path folder;

    @Test
    void aBeatReportsTheFailuresOfAllNodes() {
        Database database = closedLater(Database.sqlite(folder.resolve("nodes.db")));
        SQLException second = new SQLException("second");
        SQLException third = new SQLException("third");
        List<Heartbeat.Member> members =
                List.of(
                        node(database, new SQLException("first")),
                        node(database, second),
                        node(database, third));

        assertThatThrownBy(() -> Heartbeat.settle(members))
                .hasMessage("first")
                .hasSuppressedException(second)
                .hasSuppressedException(third);
    }

    /** Adds a node whose work fails. */
    private Heartbeat.Member node(Database database, SQLException failure) {
        EventAccess access = new EventAccess(database.engine(), "nodes");
        Membership membership =
                new Membership(access, new NodeTable(access), failure.getMessage(), () -> {});
        Heartbeat.Recovery recovery =
                notifications -> {
                    throw failure;
                };
        return closedLater(database.heartbeat().add(membership, recovery));
    }
}
