package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.EventStore.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The sweeps of events on a database that several servers share. The stores are not called for it.
 */
@Tag("proof")
class EventSweepsTest {
    private static final EventLimits SHORT =
            new EventLimits(1_000, 1 << 20, 1 << 20, Duration.ofMillis(1));

    private static final EventLimits LONG =
            new EventLimits(1_000, 1 << 20, 1 << 20, Duration.ofHours(1));

    private static final String SCHEDULED =
            "select count(*) from mcp_scheduled where task_name like 'sweep-events:%'";

    private static final AtomicInteger SESSIONS = new AtomicInteger();

    private static EventId append(EventStore store) {
        return append(store, "s");
    }

    private static EventId append(EventStore store, String session) {
        return store.append(new Stream(session, "g1", List.of()), new byte[1]);
    }

    private static void awaitSweep(EventStore store) {
        EventId id = append(store, "s" + SESSIONS.incrementAndGet()); // each has its owner
        EventId before = new EventId(id.session(), id.stream(), id.number() - 1);
        await().until(() -> store.after(before, 1).isEmpty());
    }

    @Test
    void anotherServerSweepsOnceTheFirstIsClosed() {
        String url = TestPostgres.database();
        try (Database second = TestPostgres.open(url)) {
            try (Database first = TestPostgres.open(url)) {
                EventStore store = JdbcEvents.on(first, SHORT);
                assertThat(store.sweepsByItself()).isTrue();
                awaitSweep(store);
                EventStore other = JdbcEvents.on(second, SHORT);
                awaitSweep(other);
                assertThat(TestPostgres.number(url, SCHEDULED)).isOne();
            }
            awaitSweep(JdbcEvents.on(second, SHORT));
            try (Database third = TestPostgres.open(url)) {
                EventStore store = JdbcEvents.on(third, SHORT);
                second.close();
                awaitSweep(store);
            }
            assertThat(TestPostgres.number(url, SCHEDULED)).isOne();
        }
    }

    @Test
    void whereLimitsDifferTheLowerOnesHold() {
        try (Database database = TestPostgres.open(TestPostgres.database())) {
            EventStore store = JdbcEvents.on(database, LONG);
            JdbcEvents.on(database, SHORT);
            JdbcEvents.on(database, LONG);

            awaitSweep(store);
        }
    }

    @Test
    void eachSpaceIsSwept() {
        String url = TestPostgres.database();
        try (Database database = TestPostgres.open(url)) {
            EventStore one = JdbcEvents.on(database, "one", SHORT);
            EventStore other = JdbcEvents.on(database, "other", SHORT);
            awaitSweep(one);
            one.forget("s");
            awaitSweep(other);
            assertThat(TestPostgres.number(url, SCHEDULED)).isEqualTo(2);
        }
    }
}
