package dev.fairlead.server.subscriptions;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.subscriptions.SubscriptionsListenRequest;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.SubscriptionStream;
import dev.fairlead.server.notifications.OutgoingNotifications;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All streams of changes of a server. Thread-safe. */
public final class Subscriptions {
    /** The extension whose tasks can be watched. */
    private static final String TASKS = "io.modelcontextprotocol/tasks";

    /** A token that is valid for longer does not end its stream. */
    private static final Duration LONGEST = Duration.ofDays(3_650);

    /** How long {@link #close} waits for streams that are just being acknowledged. */
    private static final Duration LAST_RESULTS = Duration.ofSeconds(1);

    /**
     * How often streams that have begun meanwhile are looked for, so that no client holds it up.
     */
    private static final int MAX_PASSES = 3;

    private static final String CLOSING = "the server is closing";

    private final Timers timers;
    private final Supplier<ServerCapabilities> able;
    private final Visibility visibility;
    private final SubscriptionPlaces places;
    private final Set<ListenStream> open = ConcurrentHashMap.newKeySet();
    private final Map<String, Set<ListenStream>> byUri = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Decides which resources a caller may know of. */
    @FunctionalInterface
    public interface Visibility {
        /** Returns whether there is such a resource for the caller at the moment. */
        boolean isVisible(String uri, Caller caller);
    }

    /** Is asked before a stream is acknowledged. */
    @FunctionalInterface
    public interface Admission {
        /**
         * Prepares the announcements on a stream; a stream for which it throws does not begin.
         *
         * @return the filter to acknowledge
         */
        NotificationFilter begin(NotificationFilter filter, SubscriptionStream stream)
                throws Exception;
    }

    /**
     * @param able the capabilities of the server at the moment
     */
    public Subscriptions(
            SubscriptionLimits limits,
            Timers timers,
            Supplier<ServerCapabilities> able,
            Visibility visibility) {
        this.places = new SubscriptionPlaces(limits);
        this.timers = timers;
        this.able = able;
        this.visibility = visibility;
    }

    /**
     * Begins a stream: it is acknowledged first, and stays open after the call.
     *
     * @throws RequestRefusedException if there are too many, or too many URIs, or the transport can
     *     carry no stream
     */
    public EmptyResult listen(
            SubscriptionsListenRequest params, ServerCall call, Admission admission)
            throws Exception {
        NotificationFilter wanted = params.notifications();
        IncomingRequest request = call.request();
        requireAllowed(wanted, call);
        Object key = call.callerKey();
        Quota.Share place = places.take(wanted, key, call.owner());
        ListenStream wished;
        try {
            wished = subscription(wanted, call, key, place);
        } catch (RuntimeException | Error e) { // the store of tasks may fail
            place.release();
            throw e;
        }
        ListenStream subscription = begin(wished, admission);
        request.stayOpen(() -> end(subscription), () -> subscription.finish(CLOSING));
        add(subscription); // first: a change after the acknowledgement must be sent
        takeUnsent(subscription);
        endWithToken(subscription); // an end that is due meanwhile waits for the acknowledgement
        subscription.acknowledge(call.face());
        subscription.queue().open();
        if (closed) { // since the check above
            subscription.finish(CLOSING);
        }
        if (!request.isOpen()) { // it was cancelled meanwhile
            remove(subscription);
        }
        return EmptyResult.EMPTY;
    }

    /** Refuses a stream that this server or this connection cannot have now. */
    private void requireAllowed(NotificationFilter wanted, ServerCall call) {
        if (wanted.taskIds() != null && !call.capabilities().hasExtension(TASKS)) {
            throw new CapabilityException(
                    "extensions." + TASKS, "taskIds needs the extension " + TASKS);
        }
        if (!call.request().exchange().isStreaming()) {
            throw new RequestRefusedException(
                    RequestRefusedException.Kind.INVALID,
                    new JsonRpcError(
                            ErrorCode.INVALID_REQUEST,
                            "subscriptions/listen is answered by a stream, which this connection"
                                    + " cannot carry"));
        }
        if (closed) {
            throw RequestRefusedException.closing();
        }
    }

    private ListenStream begin(ListenStream wished, Admission admission) throws Exception {
        ListenStream begun = null;
        try {
            begun = wished.withFilter(admission.begin(wished.filter(), wished));
            return begun;
        } finally {
            if (begun == null) {
                end(wished);
            }
        }
    }

    /** Ends a stream when the token of its caller is no longer valid. */
    private void endWithToken(ListenStream subscription) {
        subscription.caller().validUntil().ifPresent(end -> endAt(subscription, end));
    }

    private void endAt(ListenStream subscription, Instant end) {
        Duration left = Duration.between(timers.clock().instant(), end);
        if (!left.isPositive()) {
            expire(subscription);
            return;
        }
        if (left.compareTo(LONGEST) > 0) {
            return;
        }
        Timers.Timer timer = timers.schedule(left, () -> expire(subscription));
        subscription.expiry().set(timer);
        if (!subscription.request().isOpen()) { // it ended meanwhile
            timer.cancel();
        }
    }

    private void expire(ListenStream subscription) {
        Thread.ofVirtual()
                .name("mcp-listen-end")
                .start(() -> subscription.finish("the token of the caller has expired"));
    }

    private ListenStream subscription(
            NotificationFilter wanted, ServerCall call, Object key, Quota.Share place) {
        IncomingRequest request = call.request();
        OutgoingNotifications queue = new OutgoingNotifications(request.exchange()::send);
        WatchedTasks tasks =
                WatchedTasks.begin(wanted.taskIds(), call, ListenStream.meta(request), queue);
        try {
            List<String> ids = tasks == null ? List.of() : tasks.ids();
            NotificationFilter filter = accepted(wanted, ids, call);
            return new ListenStream(
                    request,
                    call.caller(),
                    key,
                    place,
                    visibility,
                    filter,
                    queue,
                    tasks,
                    new AtomicReference<>(),
                    new CloseActions(),
                    new CountDownLatch(1));
        } catch (RuntimeException | Error e) { // a predicate of the application may fail
            if (tasks != null) {
                tasks.close();
            }
            throw e;
        }
    }

    /** The wanted changes that the server can announce and the caller may see. */
    private NotificationFilter accepted(
            NotificationFilter wanted, List<String> tasks, ServerCall call) {
        ServerCapabilities now = able.get();
        List<String> uris =
                wanted.resourceSubscriptions() == null || !now.resourcesSubscribe()
                        ? null
                        : wanted.uris().stream()
                                .distinct()
                                .filter(uri -> visibility.isVisible(uri, call.caller()))
                                .toList();
        return new NotificationFilter(
                wanted.tools() && now.toolsListChanged() ? true : null,
                wanted.prompts() && now.promptsListChanged() ? true : null,
                wanted.resources() && now.resourcesListChanged() ? true : null,
                uris,
                wanted.taskIds() == null ? null : tasks,
                JsonObject.EMPTY);
    }

    private void add(ListenStream subscription) {
        open.add(subscription);
        for (String uri : subscription.filter().uris()) {
            byUri.computeIfAbsent(uri, watched -> ConcurrentHashMap.newKeySet()).add(subscription);
        }
    }

    private void takeUnsent(ListenStream subscription) {
        for (ListenStream other : open) {
            if (other != subscription && other.key().equals(subscription.key())) {
                subscription.takeUnsent(other);
            }
        }
    }

    private void end(ListenStream subscription) {
        subscription.close();
        remove(subscription);
        subscription.place().release();
        subscription.closeActions().run();
        if (subscription.request().cancellation().isPresent()) { // no result follows
            subscription.ended().countDown();
        }
    }

    private void remove(ListenStream subscription) {
        open.remove(subscription);
        for (String uri : subscription.filter().uris()) {
            byUri.computeIfPresent(
                    uri,
                    (watched, by) -> {
                        by.remove(subscription);
                        return by.isEmpty() ? null : by;
                    });
        }
    }

    // ---- changes

    /** Announces that a list has changed. Returns at once. */
    public void listChanged(ListKind kind) {
        announce(open, subscription -> subscription.listChanged(kind));
    }

    /**
     * Announces a changed resource on the streams that watch it and whose callers may still see it.
     */
    public void resourceUpdated(String uri) {
        announce(
                byUri.getOrDefault(uri, Set.of()),
                subscription -> subscription.resourceUpdated(uri));
    }

    /**
     * Announces a change on each of the streams, also on those that begin meanwhile: they may take
     * the place of one that has ended before it was its turn.
     */
    private static void announce(Set<ListenStream> streams, Consumer<ListenStream> change) {
        Set<ListenStream> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean more = true;
        for (int pass = 0; more && pass < MAX_PASSES; pass++) {
            more = false;
            for (ListenStream stream : streams) {
                if (reached.add(stream)) {
                    more = true;
                    change.accept(stream);
                }
            }
        }
    }

    /** Announces every resource that a stream watches as updated. */
    public void allUpdated() {
        byUri.keySet().forEach(this::resourceUpdated);
    }

    // ---- the end

    /**
     * Ends all streams with their result, and those that begin from now on. Waits for at most a
     * second for streams that are just being acknowledged, so that their results are sent before
     * the caller closes the connections.
     */
    public void close() {
        closed = true;
        List<ListenStream> ending = List.copyOf(open);
        ending.forEach(subscription -> subscription.finish(CLOSING));
        List<CountDownLatch> late =
                ending.stream()
                        .map(ListenStream::ended)
                        .filter(ended -> ended.getCount() > 0)
                        .toList();
        if (!late.isEmpty()) {
            awaitAll(late);
        }
    }

    private void awaitAll(List<CountDownLatch> late) {
        Timers.Timer timer =
                timers.schedule(LAST_RESULTS, () -> late.forEach(CountDownLatch::countDown));
        try {
            for (CountDownLatch ended : late) {
                ended.await();
            }
        } catch (InterruptedException e) { // nothing more is waited for
            Thread.currentThread().interrupt();
        } finally {
            timer.cancel();
        }
    }
}
