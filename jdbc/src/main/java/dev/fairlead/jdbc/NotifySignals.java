package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.OwnSession;
import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.jdbc.engine.Session;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.tasks.TaskSignals;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Signals among the nodes of a PostgreSQL by {@code LISTEN} and {@code NOTIFY}; within the process
 * they are told at once. One thread sends, as many as have gathered in one statement and after the
 * changes are committed: a {@code NOTIFY} inside their transactions would let them commit one by
 * one only. Another thread listens; whenever it begins to, anything may have changed before.
 */
final class NotifySignals implements TaskSignals {
    private static final Logger LOG = System.getLogger(NotifySignals.class.getName());

    private static final String CHANNEL = "mcp_task";
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** After this time without a notification the connection is checked. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Tells the own signals, which need not come back. */
    private final String self = UUID.randomUUID().toString();

    private final Duration silence;
    private final OwnSession listening;
    private final OwnSession sending;
    private final NotifyQueue queue = new NotifyQueue(self);
    private final AtomicBoolean opened = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Listener listener;
    private volatile List<Thread> threads = List.of();

    NotifySignals(PostgresEngine engine) {
        this(engine, SILENCE, ANSWER);
    }

    NotifySignals(PostgresEngine engine, Duration silence, Duration answer) {
        this.silence = silence;
        this.listening = new OwnSession(() -> engine.connect(answer));
        this.sending = new OwnSession(() -> unsynced(engine.connect(answer)));
    }

    /** What is told is on the disk already; the telling itself need not wait for it. */
    private static Session unsynced(Session session) throws SQLException {
        session.execute("set synchronous_commit = off");
        return session;
    }

    @Override
    public void open(Listener hearing) {
        if (!opened.compareAndSet(false, true)) {
            throw new IllegalStateException("the signals were opened before");
        }
        listener = hearing;
        threads =
                List.of(
                        start("fairlead-tasks-listen", () -> listen(hearing)),
                        start("fairlead-tasks-notify", this::send));
    }

    private static Thread start(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }

    @Override
    public void changed(TaskId id) {
        Listener hearing = listener;
        if (hearing != null) {
            SharedSignals.notifyChanged(hearing, id);
            queue.add(id);
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    // ---- the thread that listens

    private void listen(Listener hearing) {
        boolean failing = false;
        while (isOpen()) {
            try {
                listening.get().execute("listen " + CHANNEL);
                failing = false;
                SharedSignals.notifyAnyChanged(hearing); // what was sent until now was not heard
                receive(hearing);
            } catch (Throwable e) { // whatever it is, a deaf node must come back
                listening.drop();
                failed("Signals of tasks cannot be heard", e, failing);
                failing = true;
            }
        }
        listening.drop();
    }

    private void receive(Listener hearing) throws SQLException {
        long heard = System.nanoTime();
        while (isOpen()) {
            List<String> payloads = listening.get().notifications(WAIT);
            for (String payload : payloads) {
                queue.deliver(payload, hearing);
            }
            if (!payloads.isEmpty()) {
                heard = System.nanoTime();
            } else if (System.nanoTime() - heard > silence.toNanos()) {
                listening.get().first("select 1 as there", row -> true);
                heard = System.nanoTime();
            }
        }
    }

    // ---- the thread that sends

    private void send() {
        boolean lost = false;
        while (isOpen()) {
            List<String> payloads = queue.take(WAIT);
            try {
                for (String payload : lost ? List.of(queue.any()) : payloads) {
                    sending.get()
                            .first("select pg_notify(?, ?) as sent", row -> true, CHANNEL, payload);
                }
                lost = false;
            } catch (Throwable e) { // whatever it is, the others are told later that they missed it
                sending.drop();
                failed("Signals of tasks cannot be sent", e, lost);
                lost = true;
            }
        }
        if (!lost) {
            wakeListening();
        }
        sending.drop();
    }

    /** The listening thread wakes up when a notification arrives. */
    private void wakeListening() {
        try {
            sending.get().first("select pg_notify(?, ?) as sent", row -> true, CHANNEL, self);
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "The end takes as long as a look at the signals", e);
        }
    }

    /** Waits a while; says so where this is not the same outage. */
    private void failed(String what, Throwable e, boolean known) {
        if (!isOpen()) {
            return;
        }
        LOG.log(
                known ? Level.DEBUG : Level.WARNING,
                what + "; changes are seen later until they can",
                e);
        try {
            closed.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // nobody has these threads to interrupt them
        }
    }

    @Override
    public void close() {
        listener = null;
        closed.countDown();
        queue.wake();
        threads.forEach(thread -> Uninterruptibly.await(thread::join));
    }
}
