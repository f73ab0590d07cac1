package dev.fairlead.jdbc;

import dev.fairlead.jdbc.engine.PostgresEngine;
import dev.fairlead.jdbc.engine.SqlSession;
import dev.fairlead.jdbc.engine.ThreadSession;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Uninterruptibly;

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
 * Carries texts that name changes between the nodes on a PostgreSQL, by {@code LISTEN} and {@code
 * NOTIFY}; the receiver of this node gets them at once. One thread sends, as many as have gathered
 * in one statement and after the changes are committed: a {@code NOTIFY} inside their transactions
 * would let them commit one by one only. Another thread listens; whenever it begins to, anything
 * may have changed before.
 */
final class NotifyChannel implements AutoCloseable {
    private static final Logger LOG = System.getLogger(NotifyChannel.class.getName());

    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** The time without a notification after which the connection is checked. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Marks the texts of this node, which need not come back. */
    private final String self = UUID.randomUUID().toString();

    private final String name;
    private final String subject;
    private final Duration silence;
    private final ThreadSession listening;
    private final ThreadSession sending;
    private final NotifyQueue queue = new NotifyQueue(self);
    private final AtomicBoolean opened = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Receiver receiver;
    private boolean receivingFails; // thread that listens
    private boolean lost; // thread that sends: something was not sent
    private volatile List<Thread> threads = List.of();

    /** Receives the texts of all nodes. Must throw nothing. */
    interface Receiver {
        void changed(String text);

        /** Texts may have been missed. */
        void anyChanged();
    }

    /**
     * @param name of the channel: a plain identifier of SQL
     * @param subject the subject of the texts, for logs and thread names, such as {@code tasks}
     */
    NotifyChannel(PostgresEngine engine, String name, String subject) {
        this(engine, name, subject, SILENCE, ANSWER);
    }

    NotifyChannel(
            PostgresEngine engine, String name, String subject, Duration silence, Duration answer) {
        this.name = name;
        this.subject = subject;
        this.silence = silence;
        this.listening = new ThreadSession(() -> engine.connect(answer));
        this.sending = new ThreadSession(() -> unsynced(engine.connect(answer)));
    }

    /** Notifications store nothing, so they need not wait for the disk. */
    private static SqlSession unsynced(SqlSession session) throws SQLException {
        session.execute("set synchronous_commit = off");
        return session;
    }

    /** Begins. To be called once. */
    void open(Receiver to) {
        if (!opened.compareAndSet(false, true)) {
            throw new IllegalStateException("the signals were opened before");
        }
        receiver = to;
        threads =
                List.of(
                        start("fairlead-" + subject + "-listen", () -> listen(to)),
                        start("fairlead-" + subject + "-notify", this::send));
    }

    private static Thread start(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }

    /** Sends a text to all nodes; does nothing before {@link #open} and after {@link #close}. */
    void changed(String text) {
        Receiver to = receiver;
        if (to != null) {
            to.changed(text);
            queue.add(text);
        }
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    // ---- the thread that listens

    private void listen(Receiver to) {
        String failure = "Notifications of other nodes about " + subject + " cannot be received";
        LastingLoop.run(LOG, "", failure, () -> isOpen() && listenOnce(to, failure));
        listening.drop();
    }

    /** Receives until the connection fails or this channel is closed. */
    private boolean listenOnce(Receiver to, String failure) {
        try {
            listening.get().execute("listen " + name);
            receivingFails = false;
            to.anyChanged(); // texts sent until now were not received
            receive(to);
        } catch (Throwable e) { // after any failure the node must connect again
            boolean known = receivingFails;
            receivingFails = true;
            listening.drop();
            failed(failure, e, known);
        }
        return true;
    }

    private void receive(Receiver to) throws SQLException {
        long received = System.nanoTime();
        while (isOpen()) {
            List<String> payloads = listening.get().notifications(WAIT);
            for (String payload : payloads) {
                queue.deliver(payload, to);
            }
            if (!payloads.isEmpty()) {
                received = System.nanoTime();
            } else if (System.nanoTime() - received > silence.toNanos()) {
                listening.get().first("select 1 as there", row -> true);
                received = System.nanoTime();
            }
        }
    }

    // ---- the thread that sends

    private void send() {
        String failure = "Notifications about " + subject + " cannot be sent to other nodes";
        LastingLoop.run(LOG, "", failure, () -> sendOnce(failure));
        if (!lost) {
            wakeListening();
        }
        sending.drop();
    }

    /** Sends the gathered texts. Returns false after the last time. */
    private boolean sendOnce(String failure) {
        boolean last = !isOpen(); // before the queue: texts that were added until the end are sent
        boolean known = lost;
        try {
            List<String> payloads = queue.take(last ? Duration.ZERO : WAIT);
            if (last && lost) {
                return false; // the end must not wait for a database that is away
            }
            for (String payload : lost ? List.of(queue.any()) : payloads) {
                sending.get().first("select pg_notify(?, ?) as sent", row -> true, name, payload);
            }
            lost = false;
        } catch (Throwable e) { // after any failure, the others are notified later
            lost = true;
            sending.drop();
            failed(failure, e, known);
        }
        return !last;
    }

    /** The listening thread wakes up when a notification arrives. */
    private void wakeListening() {
        try {
            sending.get().first("select pg_notify(?, ?) as sent", row -> true, name, self);
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.DEBUG, "The listening thread ends with its next wait", e);
        }
    }

    /** Logs an outage once, and waits before the next attempt. */
    private void failed(String what, Throwable e, boolean known) {
        if (!isOpen()) {
            return;
        }
        LimitedLog.failed(
                LOG,
                known ? Level.DEBUG : Level.WARNING,
                "",
                e,
                "{0}; trying again every {1} s",
                what,
                RETRY.toSeconds());
        try {
            closed.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt(); // no code has these threads to interrupt them
        }
    }

    @Override
    public void close() {
        receiver = null;
        closed.countDown();
        queue.wake();
        threads.forEach(thread -> Uninterruptibly.await(thread::join));
    }
}
