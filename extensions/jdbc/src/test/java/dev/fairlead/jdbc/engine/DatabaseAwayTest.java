package dev.fairlead.jdbc.engine;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Operations that wait for a database that cannot be reached: an attempt to connect takes seconds,
 * so there must not be one for each operation.
 */
@Timeout(300)
class DatabaseAwayTest {
    private final OperationQueue queue = new OperationQueue(100);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger attempts = new AtomicInteger();
    private final CountDownLatch attempted = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    @AfterEach
    void end() {
        over.countDown();
        queue.close();
        callers.close();
    }

    private SqlSession away() throws SQLException {
        attempts.incrementAndGet();
        attempted.countDown();
        try {
            over.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw new SQLException("away");
    }

    private Thread writer() {
        ThreadSession session = new ThreadSession(() -> queue.open(this::away));
        return Thread.ofPlatform().daemon().start(new PostgresWriter(queue, session));
    }

    /** Adds operations, of which each has a caller that waits. */
    private List<Future<String>> add(int count) {
        int before = queue.size();
        List<Future<String>> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            added.add(callers.submit(this::call));
        }
        await().until(() -> queue.size() == before + count);
        return added;
    }

    private String call() {
        try {
            return queue.call(new Operation<>(session -> "done", true));
        } catch (SQLException e) {
            return e.getMessage();
        }
    }

    private static void assertAway(List<Future<String>> operations) {
        assertThat(operations)
                .allSatisfy(call -> assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo("away"));
    }

    @Test
    void aGroupFailsWithOneAttempt() {
        List<Future<String>> group = add(3);
        writer();
        over.countDown();

        assertAway(group);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void aGroupWhoseConnectionBrokeFailsWithOneAttempt() {
        List<Future<String>> group = add(3);
        ThreadSession session =
                new ThreadSession(
                        () -> attempts.get() == 0 ? brokenWhileInUse() : queue.open(this::away));
        Thread.ofPlatform().daemon().start(new PostgresWriter(queue, session));
        over.countDown();

        assertAway(group);
        assertThat(attempts).hasValue(2);
    }

    private SqlSession brokenWhileInUse() {
        attempts.incrementAndGet();
        return OwnSessionTest.broken();
    }

    @Test
    void whatWaitedDuringTheWholeAttemptFailsWithIt() {
        List<Future<String>> waiting = add(PostgresWriter.GROUP + 3);
        writer();
        over.countDown();

        assertAway(waiting);
        assertThat(attempts).hasValue(1);
    }

    @Test
    void whatCameDuringTheAttemptGetsAnotherOne() throws Exception {
        add(1);
        writer();
        attempted.await();
        List<Future<String>> later = add(2);
        over.countDown();

        assertAway(later);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void theEndWaitsForOneAttempt() throws Exception {
        List<Future<String>> first = add(1);
        Thread writer = writer();
        attempted.await();
        List<Future<String>> later = add(PostgresWriter.GROUP + 3);
        queue.close();
        over.countDown();

        assertAway(first);
        assertAway(later);
        assertThat(writer.join(Duration.ofSeconds(60))).isTrue();
        assertThat(attempts).hasValue(1);
    }
}
