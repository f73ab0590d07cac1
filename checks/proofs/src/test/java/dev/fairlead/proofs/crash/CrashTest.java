package dev.fairlead.proofs.crash;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Scale;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Servers that are killed at random moments while many tasks are under way: every task that was
 * acknowledged ends exactly once, answers and recorded values survive, and each effect took place
 * once.
 */
@Tag("proof")
@Timeout(value = 40, unit = TimeUnit.MINUTES)
final class CrashTest {
    private static final int TASKS = Scale.of(150, 2_000);
    private static final int ROUNDS = Scale.of(2, 10);

    /** The longest pause between two steps of a task, in milliseconds. */
    private static final int PAUSE = Scale.of(3_000, 15_000);

    /** A node that is only slow is not to count as dead. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    @TempDir Path folder;

    private Effects effects() throws Exception {
        return new Effects(Files.createDirectories(folder.resolve("effects")));
    }

    @Test
    @Requirement("TASK-107")
    void tasksOnSqliteSurviveTheirProcess() throws Exception {
        Random random = new Random(Scale.seed("crashes on SQLite"));
        String store = "file:" + folder.resolve("tasks.db");
        try (Node node = Node.start(store, effects().folder());
                Crowd crowd = new Crowd(0, List.of(node.uri()), random, PAUSE)) {
            crash(List.of(node), crowd, random);
        }
    }

    @Test
    @Requirement("TASK-107")
    void tasksOnPostgresqlSurviveTheirProcess() throws Exception {
        Random random = new Random(Scale.seed("crashes on PostgreSQL"));
        try (EmbeddedPostgres postgres = postgres();
                Node one = Node.start(url(postgres), effects().folder());
                Node other = Node.start(url(postgres), effects().folder());
                Crowd crowd = new Crowd(0, List.of(one.uri(), other.uri()), random, PAUSE)) {
            crash(List.of(one, other), crowd, random);
        }
    }

    private void crash(List<Node> nodes, Crowd crowd, Random random) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            crowd.fill(TASKS);
            TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE)); // a random moment
            System.out.println("killed with " + crowd.open() + " tasks under way");
            nodes.get(random.nextInt(nodes.size())).killAndRestart();
        }
        crowd.finish();
        int interrupted = crowd.check(effects());
        System.out.println(
                crowd.acknowledged() + " tasks, " + interrupted + " interrupted and not run again");
        assertThat(interrupted).isPositive();
    }

    @Test
    void aFrozenNodeThatWakesOverwritesNothing() throws Exception {
        Random random = new Random(Scale.seed("a frozen node"));
        try (EmbeddedPostgres postgres = postgres();
                Node frozen = Node.start(url(postgres), effects().folder(), LEASE);
                Node awake = Node.start(url(postgres), effects().folder(), LEASE);
                Crowd starting = new Crowd(0, List.of(frozen.uri()), random, PAUSE);
                Crowd watching = new Crowd(1_000_000, List.of(awake.uri()), random, PAUSE)) {
            watching.fill(TASKS / 2);
            starting.fill(TASKS / 2);
            frozen.signal("STOP");
            await("the other takes over").until(() -> isTakenOver(postgres));
            frozen.signal("CONT");
            starting.finish();
            watching.finish();
            assertThat(starting.check(effects())).as("interrupted").isPositive();
            assertThat(watching.check(effects())).as("interrupted").isZero();
        }
    }

    /** Whether a node counts as dead and holds nothing any more. */
    static boolean isTakenOver(EmbeddedPostgres postgres) {
        String held =
                "select 1 from mcp_task t where t.node = n.id"
                        + " and t.state in ('WORKING', 'INPUT_REQUIRED')";
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet dead =
                        statement.executeQuery(
                                "select 1 from mcp_node n where died is not null and not exists ("
                                        + held
                                        + ")")) {
            return dead.next();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    static EmbeddedPostgres postgres() throws Exception {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .setServerConfig("fsync", "on")
                .start();
    }

    static String url(EmbeddedPostgres postgres) {
        return postgres.getJdbcUrl("postgres", "postgres");
    }
}
