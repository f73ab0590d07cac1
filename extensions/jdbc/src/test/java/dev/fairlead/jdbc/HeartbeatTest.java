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
        reports(new SQLException("first"));
    }

    @Test
    void aBeatSettlesTheOtherNodesWhenOneThrowsAnythingElse() {
        reports(new IllegalStateException("first"));
    }

    private void reports(Exception first) {
        Database database = closedLater(Database.sqlite(folder.resolve("nodes.db")));
        SQLException second = new SQLException("second");
        RuntimeException third = new IllegalArgumentException("third");
        List<Heartbeat.Member> members =
                List.of(node(database, first), node(database, second), node(database, third));

        assertThatThrownBy(() -> Heartbeat.settle(members))
                .isSameAs(first)
                .hasSuppressedException(second)
                .hasSuppressedException(third);
    }

    /** Adds a node whose work fails. */
    private Heartbeat.Member node(Database database, Exception failure) {
        EventAccess access = new EventAccess(database.engine(), "nodes");
        Membership membership =
                new Membership(access, new NodeTable(access), failure.getMessage(), () -> {});
        Heartbeat.Recovery recovery =
                notifications -> {
                    if (failure instanceof SQLException sql) {
                        throw sql;
                    }
                    throw (RuntimeException) failure;
                };
        return closedLater(database.heartbeat().add(membership, recovery));
    }
}
