package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.tasks.TaskState;
import dev.fairlead.tasks.TaskStore;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

@Tag("proof")
class PostgresSweepsTest {
    private static final String DUE =
            "select cast(extract(epoch from execution_time) * 1000 as bigint) from mcp_scheduled";

    private static final String DEAD =
            "insert into mcp_scheduled(task_name, task_instance, execution_time, picked, picked_by,"
                    + " last_heartbeat, version) select name, 'dead', now(), true, 'gone',"
                    + " now() - interval '1 day', 1 from (values ('sweep-a'), ('sweep-b'))"
                    + " names(name)";

    private static final String STILL_DEAD =
            "select count(*) from mcp_scheduled where picked_by = 'gone'";

    private static final String RECURRING =
            "select count(*) from mcp_scheduled where task_instance = 'recurring'";

    /** A node whose own clock is wrong would put off the sweeps of all. */
    @Test
    void theNextSweepIsDueByTheTimeThatAllNodesShare() throws Exception {
        String url = TestPostgres.database();
        Instant shared = Instant.now().plus(Duration.ofHours(1));
        CountDownLatch swept = new CountDownLatch(1);
        try (Database database = TestPostgres.open(url)) {
            Sweeps sweeps =
                    new Sweeps(
                            database.engine().sweeping(),
                            "tasks",
                            Sweeps.INTERVAL,
                            () -> shared,
                            swept::countDown);
            try (sweeps) {
                sweeps.started();
                assertThat(swept.await(60, TimeUnit.SECONDS)).isTrue();
                await().until(() -> TestPostgres.number(url, DUE) > shared.toEpochMilli());
            }
            assertThat(Instant.ofEpochMilli(TestPostgres.number(url, DUE)))
                    .isCloseTo(shared.plus(Sweeps.INTERVAL), within(1, ChronoUnit.SECONDS));
        }
    }

    @Test
    void ofTwoServersOneSweepsAtATime() throws Exception {
        String url = TestPostgres.database();
        Turns turns = new Turns();
        AtomicInteger looks = new AtomicInteger();
        AtomicInteger otherLooks = new AtomicInteger();
        try (Database one = TestPostgres.open(url);
                Database other = TestPostgres.open(url);
                Sweeps first = sweeps(one, looks, () -> turns.sweep(otherLooks));
                Sweeps second = sweeps(other, otherLooks, () -> turns.sweep(looks))) {
            first.started();
            second.started();
            try {
                await().until(() -> turns.swept.get() >= 3);
            } finally {
                turns.enough = true;
            }
        }
        assertThat(turns.most).hasValue(1);
    }

    private static Sweeps sweeps(Database database, AtomicInteger looks, Runnable sweep) {
        DatabaseClock clock = new DatabaseClock(database.engine());
        return new Sweeps(
                database.engine().sweeping(),
                "tasks",
                Sweeps.INTERVAL,
                () -> {
                    looks.incrementAndGet();
                    return clock.now();
                },
                sweep);
    }

    /** Counts how many sweep at once. */
    private static final class Turns {
        final AtomicInteger swept = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        volatile boolean enough;
        private final AtomicInteger sweeping = new AtomicInteger();

        /** Lasts until the other server, which needs a time for that, has looked a few times. */
        void sweep(AtomicInteger others) {
            most.accumulateAndGet(sweeping.incrementAndGet(), Math::max);
            int before = others.get();
            await().until(() -> enough || others.get() >= before + 3);
            sweeping.decrementAndGet();
            swept.incrementAndGet();
        }
    }

    /**
     * The schedulers share a table, and one takes the sweeps of another for those of old releases.
     */
    @Test
    void sweepsOfOtherSpacesAreNeverRemoved() throws Exception {
        String url = TestPostgres.database();
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        Supplier<Instant> clock = () -> Instant.now().plus(ahead.get());
        AtomicInteger swept = new AtomicInteger();
        AtomicInteger otherSwept = new AtomicInteger();
        try (Database database = TestPostgres.open(url);
                Sweeps one = sweeps(database, "a", clock, swept);
                Sweeps other = sweeps(database, "b", clock, otherSwept)) {
            one.started();
            other.started();
            await().until(() -> swept.get() >= 3 && otherSwept.get() >= 3);
            ahead.set(Duration.ofDays(100));
            execute(url, DEAD);
            await().until(() -> TestPostgres.number(url, STILL_DEAD) == 0); // both looked around

            assertThat(TestPostgres.number(url, RECURRING)).isEqualTo(2);
        }
    }

    private static Sweeps sweeps(
            Database database, String space, Supplier<Instant> clock, AtomicInteger swept) {
        return new Sweeps(
                database.engine().sweeping(),
                space,
                Sweeps.INTERVAL,
                clock,
                swept::incrementAndGet);
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void theTimeThatNodesShareIsThatOfTheDatabase() throws Exception {
        try (Database database = TestPostgres.open(TestPostgres.database())) {
            StoreAccess access = new StoreAccess(database.engine(), "tasks");
            Instant later = Instant.now().plus(Duration.ofHours(1));

            access.databaseTimeIs(later.toEpochMilli());

            assertThat(access.databaseTime())
                    .isBetween(later.minusMillis(1), later.plusSeconds(60));
        }
    }

    @Test
    void aStepDuringWhichTheClockWentBackEndsNothing() throws Exception {
        try (Database database = TestPostgres.open(TestPostgres.database());
                TaskStore store = JdbcTasks.on(database).parts().store()) {
            store.open(new TestNode("node"), Clock.systemUTC());
            TaskId id = store.create(NodeProcess.task("young", true), 1).id();
            Clock tomorrow = Clock.offset(Clock.systemUTC(), Duration.ofDays(1));
            StoreAccess access = new StoreAccess(database.engine(), "tasks");
            ExpiryTable expiry = new ExpiryTable(access);

            access.useClock(new Corrected(tomorrow, Clock.systemUTC()));
            assertThat(expiry.end(10)).isEmpty();
            assertThat(store.find(NodeProcess.OWNER, id).orElseThrow().state())
                    .isEqualTo(TaskState.WORKING);

            access.useClock(tomorrow);
            assertThat(expiry.end(10))
                    .extracting(ended -> ended.orElseThrow().id())
                    .containsExactly(id);
        }
    }

    /** A clock that is set back after it was read once. */
    private static final class Corrected extends Clock {
        private final Iterator<Clock> next;
        private final Clock last;

        Corrected(Clock first, Clock last) {
            this.next = List.of(first).iterator();
            this.last = last;
        }

        @Override
        public Instant instant() {
            return (next.hasNext() ? next.next() : last).instant();
        }

        @Override
        public ZoneId getZone() {
            return last.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("nobody asks for it");
        }
    }
}
