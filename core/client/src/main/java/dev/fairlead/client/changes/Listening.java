package dev.fairlead.client.changes;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.subscriptions.SubscriptionsListenRequest;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.time.WaitDeadline;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The one stream on which a server sends the changes that this client wants: opened when something
 * is wanted; opened again when something else is, and the old one then closed; and opened again
 * after a loss, with growing waits. One thread decides while there is anything to decide. The lock
 * guards the fields and is never held while anything is sent.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *     Subscriptions
 */
public final class Listening implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Listening.class.getName());

    /** How long the server may take to acknowledge a stream. */
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(30);

    private static final NotificationFilter NOTHING = new NotificationFilter();
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** A stream lasts for as long as the server lets it. */
    private static final Duration NO_END = Duration.ofDays(3_650);

    /** The changes that only come on such a stream. */
    private static final Set<String> CHANGES =
            Set.of(
                    Notifications.TOOL_LIST_CHANGED.name(),
                    Notifications.PROMPT_LIST_CHANGED.name(),
                    Notifications.RESOURCE_LIST_CHANGED.name(),
                    Notifications.RESOURCE_UPDATED.name(),
                    Notifications.TASK.name());

    private final Connection connection;
    private final Object peer;
    private final PerRequestFace face;
    private final Function<Boolean, JsonObject> meta;
    private final Supplier<NotificationFilter> wanted;
    private final Consumer<NotificationFilter> afterLoss;
    private final BiConsumer<NotificationFilter, NotificationFilter> afterGrant;
    private boolean again; // used by the thread only
    private int unexpected; // failures; used by the thread only
    private final Timers timers;
    private final Map<RequestId, Stream> streams = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    // guarded by lock
    private boolean running;
    private boolean closed;
    private long version; // of what is wanted
    private long settled = -1; // the version that was acknowledged or refused last
    private @Nullable NotificationFilter granted;
    private @Nullable CallException refusal;

    /**
     * @param peer the server, see {@link LimitedLog}
     * @param meta what each request says of this client, by whether it is about tasks
     * @param wanted the changes that are wanted now, as far as the server offers them
     * @param afterLoss makes good what may have been missed between two streams; returns at once
     * @param afterGrant receives what a stream grants, and what the one before did; returns at once
     * @param again whether this client was connected before, so that changes were missed since
     */
    public Listening(
            Connection connection,
            Object peer,
            PerRequestFace face,
            Function<Boolean, JsonObject> meta,
            Supplier<NotificationFilter> wanted,
            Consumer<NotificationFilter> afterLoss,
            BiConsumer<NotificationFilter, NotificationFilter> afterGrant,
            boolean again,
            Timers timers) {
        this.connection = connection;
        this.peer = peer;
        this.face = face;
        this.meta = meta;
        this.wanted = wanted;
        this.afterLoss = afterLoss;
        this.afterGrant = afterGrant;
        this.again = again;
        this.timers = timers;
    }

    /** Something else may be wanted now. Returns at once, with a mark for {@link #await}. */
    public long changed() {
        lock.lock();
        try {
            version++;
            moved.signalAll();
            if (!running && !closed) {
                Thread.ofVirtual().name("mcp-client-listen").start(this::run);
                running = true; // not where there is no thread: the next change tries again
            }
            return version;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the server has answered what was wanted.
     *
     * @param mark of {@link #changed}
     * @return what the server grants
     * @throws CallException if it refuses
     * @throws RequestTimeoutException if it does not answer in time
     */
    public NotificationFilter await(long mark, Duration limit) throws InterruptedException {
        WaitDeadline deadline = new WaitDeadline(timers, limit, lock, moved);
        lock.lock();
        try {
            while (settled < mark && !closed && !deadline.hasPassed()) {
                moved.await();
            }
            if (closed) {
                throw connection.closedException();
            }
            if (settled < mark) {
                throw new RequestTimeoutException(
                        Methods.LISTEN + ": no answer within " + Durations.text(limit));
            }
            if (refusal != null) {
                throw refusal.withCallerStack();
            }
            return granted == null ? NOTHING : granted;
        } finally {
            lock.unlock();
            deadline.close();
        }
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes the acknowledgement of a stream before any later message, since the end of the stream
     * may follow at once. Returns at once.
     */
    public void received(JsonRpcNotification notification) {
        Stream stream = isAcknowledgement(notification) ? stream(notification) : null;
        if (stream != null) {
            granted(notification).ifPresent(stream::announced);
        }
    }

    /**
     * Takes what belongs to a stream, in the order in which it came: a stream that takes the place
     * of another one ends that only after all of its changes have been handled.
     *
     * @return whether the notification is to be handled: it is a change that came on a stream of
     *     this client, or belongs to no stream
     */
    public boolean takes(JsonRpcNotification notification) {
        boolean acknowledges = isAcknowledgement(notification);
        if (!acknowledges && !CHANGES.contains(notification.method())) {
            return true;
        }
        Stream stream = stream(notification);
        if (stream == null) {
            LOGGER.log(
                    Level.DEBUG,
                    "{0} is dropped: it names no subscription of this client",
                    notification.method());
            return false;
        }
        if (acknowledges) {
            granted(notification).ifPresent(stream::acknowledged);
        }
        return !acknowledges;
    }

    private static boolean isAcknowledgement(JsonRpcNotification notification) {
        return notification.method().equals(Notifications.SUBSCRIPTIONS_ACKNOWLEDGED.name());
    }

    private Optional<NotificationFilter> granted(JsonRpcNotification acknowledgement) {
        return face.readNotification(
                        Notifications.SUBSCRIPTIONS_ACKNOWLEDGED, acknowledgement.params())
                .map(params -> params.notifications());
    }

    private @Nullable Stream stream(JsonRpcNotification notification) {
        RawJson params = notification.params();
        try {
            RawJson attached = params == null ? null : params.member("_meta");
            RawJson id = attached == null ? null : attached.member(MetaKey.SUBSCRIPTION_ID);
            return id == null ? null : streams.get(new RequestId(id.value()));
        } catch (RuntimeException e) { // malformed
            return null;
        }
    }

    // ---- the thread that decides

    private void run() {
        LastingLoop.run(LOGGER, peer, "The stream of changes failed", this::listenOnce);
    }

    /** Keeps streams open, and waits after an unexpected failure. Returns false at the end. */
    private boolean listenOnce() throws InterruptedException {
        if (listen(again)) {
            return false;
        }
        again = true;
        return pause(mark(), ++unexpected);
    }

    /**
     * Keeps a stream open.
     *
     * @param missed whether changes were missed before
     * @return true if there is nothing more to do; false after an unexpected failure
     */
    private boolean listen(boolean missed) throws InterruptedException {
        Stream current = null;
        NotificationFilter before = NOTHING; // what the current stream grants
        boolean lost = missed;
        boolean withTasks = true; // until the server refuses them for good
        long refused = -1; // the version whose tasks it refuses for now
        int failures = 0;
        int losses = 0; // of streams in a row that did not last
        String reported = ""; // what the server did not grant
        try {
            while (true) {
                long mark = mark();
                NotificationFilter filter = wanted.get();
                if (!withTasks || mark == refused) {
                    filter = filter.withTaskIds(null);
                }
                if (isEmpty(filter)) {
                    stop(current);
                    current = null;
                    before = NOTHING;
                    lost = false;
                    settle(mark, filter, null);
                    if (!awaitChange(mark, null)) {
                        return true;
                    }
                    continue;
                }
                Stream stream = new Stream(filter);
                NotificationFilter given = stream.awaitAcknowledgement();
                if (given == null) {
                    CallException why = stream.failure();
                    if (why instanceof JsonRpcException error && !filter.tasks().isEmpty()) {
                        LOGGER.log(
                                Level.DEBUG,
                                "The server refuses a stream with tasks, which are polled: {0}",
                                Printable.excerpt(why.getMessage()));
                        refused = mark;
                        withTasks = RetryableError.isRetryable(error.error());
                        continue;
                    }
                    settle(mark, null, why);
                    if (failures == 0 && !isForGood(why)) {
                        report(why);
                    }
                    failures++;
                    lost = true;
                    if (isForGood(why) ? !awaitChange(mark, null) : !pause(mark, failures)) {
                        return true;
                    }
                    continue;
                }
                settle(mark, given, null);
                lost |= current != null && !current.stoodUntilStopped();
                current = stream;
                long since = timers.nanoTime();
                String missing = missing(filter, given, lost);
                if (!missing.isEmpty() && !missing.equals(reported)) {
                    LimitedLog.log(
                            LOGGER,
                            Level.WARNING,
                            peer,
                            "The server does not send all changes that are wanted; missing: {0}",
                            missing);
                }
                reported = missing;
                if (lost) {
                    afterLoss.accept(given);
                    lost = false;
                } else {
                    afterGrant.accept(given, before);
                }
                before = given;
                failures = 0;
                if (!awaitChange(mark, stream)) {
                    return true;
                }
                if (stream.hasEnded()) {
                    lost = true;
                    current = null;
                    boolean lasted = timers.nanoTime() - since >= LONGEST_WAIT.toNanos();
                    losses = lasted ? 1 : losses + 1;
                    if (!pause(mark, losses)) {
                        return true;
                    }
                }
            }
        } catch (RuntimeException | Error e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.ERROR,
                    peer,
                    e,
                    "The stream of changes failed; it is opened again");
            return false;
        } finally {
            stop(current);
        }
    }

    private static boolean isEmpty(NotificationFilter filter) {
        return !filter.tools()
                && !filter.prompts()
                && !filter.resources()
                && filter.uris().isEmpty()
                && filter.tasks().isEmpty();
    }

    /**
     * Returns which changes are wanted and not granted; of tasks, which are polled then, none.
     *
     * @param again whether there was a stream before: no call of {@code watch} reports then which
     *     resources are missing
     */
    private static String missing(
            NotificationFilter filter, NotificationFilter given, boolean again) {
        List<String> missing = new ArrayList<>();
        if (filter.tools() && !given.tools()) {
            missing.add("the list of tools");
        }
        if (filter.prompts() && !given.prompts()) {
            missing.add("the list of prompts");
        }
        if (filter.resources() && !given.resources()) {
            missing.add("the list of resources");
        }
        if (again) {
            Set<String> uris = new HashSet<>(filter.uris());
            given.uris().forEach(uris::remove);
            if (!uris.isEmpty()) {
                missing.add(uris.size() == 1 ? "1 resource" : uris.size() + " resources");
            }
        }
        return String.join(", ", missing);
    }

    private void report(CallException why) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
        } finally {
            lock.unlock();
        }
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                peer,
                "The server sends no changes at the moment; trying again: {0}",
                Printable.excerpt(why.getMessage()));
    }

    private static boolean isForGood(CallException why) {
        return why instanceof JsonRpcException error && error.code() == ErrorCode.METHOD_NOT_FOUND;
    }

    private static void stop(@Nullable Stream stream) {
        if (stream != null) {
            stream.stop();
        }
    }

    private long mark() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    private void settle(
            long mark, @Nullable NotificationFilter given, @Nullable CallException why) {
        locked(
                () -> {
                    settled = mark;
                    granted = given;
                    refusal = why;
                    moved.signalAll();
                });
    }

    /**
     * Waits until something else is wanted or the stream has ended.
     *
     * @return false if there is nothing more to do
     */
    private boolean awaitChange(long mark, @Nullable Stream stream) throws InterruptedException {
        lock.lock();
        try {
            while (!closed && version == mark && (stream == null || !stream.ended)) {
                moved.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits the longer the more attempts have failed, but not once something else is wanted. */
    private boolean pause(long mark, int failures) throws InterruptedException {
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 1, 10));
        Duration bounded = wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
        WaitDeadline deadline = new WaitDeadline(timers, bounded, lock, moved);
        lock.lock();
        try {
            while (!closed && version == mark && !deadline.hasPassed()) {
                moved.await();
            }
            return !closed;
        } finally {
            lock.unlock();
            deadline.close();
        }
    }

    @Override
    public void close() {
        locked(
                () -> {
                    closed = true;
                    moved.signalAll();
                });
    }

    /** One stream, from its request to its end. */
    private final class Stream {
        private final NotificationFilter filter;
        private final WaitDeadline deadline =
                new WaitDeadline(timers, ACKNOWLEDGEMENT, lock, moved);
        private final Thread thread;
        private volatile @Nullable RequestId id;

        // guarded by lock
        private @Nullable NotificationFilter announced; // but not acknowledged in its turn yet
        private @Nullable NotificationFilter acknowledged;
        private @Nullable CallException failure;
        private boolean ended;
        private boolean stopped; // by this side, and not ended before

        Stream(NotificationFilter filter) {
            this.filter = filter;
            this.thread = Thread.ofVirtual().name("mcp-client-stream").start(this::open);
        }

        private void open() {
            JsonObject about = meta.apply(!filter.tasks().isEmpty());
            CallException why = new ConnectionException("the server has ended the subscription");
            try {
                connection.request(
                        new OutgoingRequest(
                                Methods.LISTEN.name(),
                                token ->
                                        face.writeParams(
                                                Methods.LISTEN,
                                                new SubscriptionsListenRequest(
                                                        filter, about, JsonObject.EMPTY),
                                                token),
                                NO_END,
                                NO_END,
                                null,
                                null),
                        begun -> {
                            id = begun;
                            streams.put(begun, this);
                        });
            } catch (CallException e) {
                why = e;
                LOGGER.log(
                        Level.DEBUG,
                        "A stream of changes ended: {0}",
                        Printable.excerpt(e.getMessage()));
            } catch (InterruptedException e) { // of stop()
                locked(() -> stopped = true);
            } finally {
                RequestId known = id;
                if (known != null) {
                    streams.remove(known);
                }
                ended(why);
            }
        }

        private void ended(CallException why) {
            locked(
                    () -> {
                        acknowledged = acknowledged == null ? announced : acknowledged;
                        ended = true;
                        failure = why;
                        moved.signalAll();
                    });
        }

        void announced(NotificationFilter given) {
            locked(() -> announced = given);
        }

        void acknowledged(NotificationFilter given) {
            locked(
                    () -> {
                        acknowledged = given;
                        moved.signalAll();
                    });
        }

        /** Returns what the server grants; null if it does not. */
        @Nullable NotificationFilter awaitAcknowledgement() throws InterruptedException {
            NotificationFilter given;
            lock.lock();
            try {
                while (acknowledged == null && !ended && !closed && !deadline.hasPassed()) {
                    moved.await();
                }
                given = acknowledged;
            } finally {
                lock.unlock();
                deadline.close();
            }
            if (given == null) {
                stop();
            }
            return given;
        }

        CallException failure() {
            lock.lock();
            try {
                return failure == null
                        ? new RequestTimeoutException(
                                Methods.LISTEN
                                        + ": no acknowledgement within "
                                        + Durations.text(ACKNOWLEDGEMENT))
                        : failure;
            } finally {
                lock.unlock();
            }
        }

        boolean hasEnded() {
            lock.lock();
            try {
                return ended;
            } finally {
                lock.unlock();
            }
        }

        /**
         * Closes the stream, in whose place another one is. Returns false if it had ended before,
         * so that changes may have been missed until the other one was there.
         */
        boolean stoodUntilStopped() throws InterruptedException {
            stop();
            lock.lock();
            try {
                while (!ended && !closed) {
                    moved.await();
                }
                return stopped;
            } finally {
                lock.unlock();
            }
        }

        /** Closes the stream: over HTTP by its connection, elsewhere by a cancellation. */
        void stop() {
            thread.interrupt();
        }
    }
}
