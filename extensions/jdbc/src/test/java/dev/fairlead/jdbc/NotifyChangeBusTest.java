package dev.fairlead.jdbc;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.testing.ChangeBusContract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

@Tag("proof")
class NotifyChangeBusTest extends ChangeBusContract {
    private static final Change PROMPTS = new Change.OfList(ListKind.PROMPTS);

    private final List<Database> nodes = new ArrayList<>();
    private String url;

    @Override
    protected ChangeBus newBus() throws SQLException {
        url = TestPostgres.database();
        return furtherNode();
    }

    @Override
    protected ChangeBus furtherNode() {
        return JdbcChanges.on(node());
    }

    private Database node() {
        Database node = TestPostgres.open(url);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        nodes.forEach(Database::close);
    }

    /** A listener that keeps the changes it receives. */
    static final class Log implements ChangeListener {
        final Queue<Change> changes = new ConcurrentLinkedQueue<>();
        final AtomicInteger missed = new AtomicInteger();

        @Override
        public void changed(Change change) {
            changes.add(change);
        }

        @Override
        public void changesMissed() {
            missed.incrementAndGet();
        }
    }

    @Test
    void spacesAreApart() {
        Log own = new Log();
        Log other = new Log();
        ChangeBus bus = JdbcChanges.on(node(), "shop");
        try (var one = bus.listen(own);
                var two = JdbcChanges.on(node(), "shop.2").listen(other)) {
            await().until(() -> other.missed.get() > 0); // it listens
            Change last = new Change.OfResource("docs://last");
            bus.publish(PROMPTS);
            try (var three = JdbcChanges.on(node(), "shop").listen(own)) {
                bus.publish(last);
                await().until(() -> own.changes.contains(last));
            }
            assertThat(other.changes).isEmpty();
        }
    }

    @Test
    void aNodeWhoseConnectionWasLostLearnsThatItMissedChanges() throws SQLException {
        Log near = new Log();
        Log far = new Log();
        ChangeBus bus = JdbcChanges.on(node());
        try (var one = bus.listen(near);
                var two = JdbcChanges.on(node()).listen(far)) {
            await().until(() -> far.missed.get() > 0);
            far.missed.set(0);

            TestPostgres.dropConnections(url);

            await().until(() -> far.missed.get() > 0);
            await().until(
                            () -> {
                                bus.publish(PROMPTS);
                                return far.changes.contains(PROMPTS);
                            });
        }
    }

    @Test
    void whatIsPublishedJustBeforeTheEndReachesOtherNodes() {
        Log far = new Log();
        List<Change> published = resources(200, "");
        try (var two = JdbcChanges.on(node()).listen(far)) {
            await().until(() -> far.missed.get() > 0);
            ChangeBus bus = JdbcChanges.on(node());
            try (var one = bus.listen(new Log())) {
                published.forEach(bus::publish);
            }
            await().until(() -> far.changes.containsAll(published));
        }
    }

    /** A character of these URIs has three bytes. */
    @Test
    void longUrisInAnyScriptAreNotReplacedByAnyChange() {
        Log far = new Log();
        List<Change> published = resources(200, "\u8336".repeat(800));
        ChangeBus bus = JdbcChanges.on(node());
        try (var one = bus.listen(new Log());
                var two = JdbcChanges.on(node()).listen(far)) {
            await().until(() -> far.missed.get() > 0);
            far.missed.set(0);
            published.forEach(bus::publish);
            await().until(() -> far.changes.containsAll(published) || far.missed.get() > 0);
            assertThat(far.missed.get()).isZero();
        }
    }

    private static List<Change> resources(int count, String rest) {
        return IntStream.range(0, count)
                .<Change>mapToObj(i -> new Change.OfResource("docs://" + i + "/" + rest))
                .toList();
    }
}
