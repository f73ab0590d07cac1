package dev.fairlead.client.changes;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The one stream on which a server sends the changes that this client wants. One thread decides
 * while there is anything to decide; its state moves as in this table. Waits end early once
 * something else is wanted.
 *
 * <table>
 * <caption>Next states</caption>
 * <tr><th>State<th>Event<th>Next
 * <tr><td>Deciding<td>nothing is wanted<td>Idle; the stream is closed
 * <tr><td>Deciding<td>something is wanted<td>Opening; the stream before it stays open
 * <tr><td>Idle<td>something else is wanted<td>Deciding
 * <tr><td>Opening<td>the server acknowledges the stream<td>Open; the stream before it is closed
 * <tr><td>Opening<td>the server refuses the tasks in it<td>Deciding, without tasks
 * <tr><td>Opening<td>the server has no streams ({@code -32601})<td>Refused
 * <tr><td>Opening<td>another refusal, an end, or no answer in 30 s<td>Waiting
 * <tr><td>Open<td>something else is wanted<td>Deciding
 * <tr><td>Open<td>the stream ends<td>Waiting
 * <tr><td>Waiting<td>the wait is over<td>Deciding
 * <tr><td>Refused<td>something else is wanted<td>Deciding
 * <tr><td>any<td>an unexpected failure<td>Waiting; the stream is closed
 * <tr><td>any<td>{@link #close}<td>Closed; the stream is closed
 * </table>
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 *     Subscriptions
 */
public final class Listening implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Listening.class.getName());

    private static final NotificationFilter NOTHING = new NotificationFilter();

    /** How long a list waits to be read until its changes are announced. */
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(1);

    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private final Connection connection;
    private final Object peer;
    private final Function<Boolean, JsonObject> meta;
    private final Supplier<NotificationFilter> wanted;
    private final Consumer<NotificationFilter> afterLoss;
    private final BiConsumer<NotificationFilter, NotificationFilter> afterGrant;
    private final Timers timers;
    private final WantedVersions versions;
    private final ChangeStream.Shared shared;

    /** Whether a list was read before the first stream was there. */
    private volatile boolean late;

    // used by the thread only
    private State state = new State.Deciding();
    private @Nullable ChangeStream current; // the stream that was acknowledged last
    private NotificationFilter granting = NOTHING; // the changes that it grants
    private boolean lost; // changes may have been missed since the last stream
    private boolean withTasks = true; // until the server refuses them for good
    private long withoutTasks = -1; // the version whose tasks it refuses for now
    private int failures; // to open a stream, in a row
    private int losses; // of streams in a row that did not last
    private int unexpected; // failures of this side
    private String reported = ""; // the changes that the server did not grant

    /**
     * @param peer the server, see {@link LimitedLog}
     * @param meta the metadata of this client in each request, by whether it is about tasks
     * @param wanted the changes that are wanted now, as far as the server offers them
     * @param afterLoss compensates changes missed between two streams; returns at once
     * @param afterGrant receives the changes that a stream grants, and those of the one before;
     *     returns at once
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
        this.meta = meta;
        this.wanted = wanted;
        this.afterLoss = afterLoss;
        this.afterGrant = afterGrant;
        this.lost = again;
        this.timers = timers;
        this.versions = new WantedVersions(timers);
        this.shared = new ChangeStream.Shared(connection, face, new OpenStreams(face), versions);
    }

    /** Something else may be wanted now. Returns at once, with a mark for {@link #await}. */
    public long changed() {
        return versions.next(() -> Thread.ofVirtual().name("mcp-client-listen").start(this::run));
    }

    /**
     * Waits until the server has answered the request for changes.
     *
     * @param mark of {@link #changed}
     * @return the changes that the server grants
     * @throws CallException if it refuses
     * @throws RequestTimeoutException if it does not answer in time
     */
    public NotificationFilter await(long mark, Duration limit) throws InterruptedException {
        return versions.await(mark, limit, connection);
    }

    /**
     * Waits until the server has answered the first request for changes, so that no change is
     * missed of a list that is read now. If the server takes longer than a second, what was missed
     * is announced once the stream is there.
     */
    public void awaitFirst() throws InterruptedException {
        if (!late && !versions.awaitFirst(FIRST_ANSWER)) {
            late = true;
        }
    }

    /**
     * Notes the acknowledgement of a stream before any later message, since the end of the stream
     * may follow at once. Returns at once.
     */
    public void received(JsonRpcNotification notification) {
        shared.streams().received(notification);
    }

    /**
     * Returns whether a notification is to be handled: it is a change that came on a stream of this
     * client, or belongs to no stream.
     */
    public boolean takes(JsonRpcNotification notification) {
        return shared.streams().takes(notification);
    }

    // ---- the thread that decides

    /** A state of the thread; each but the last two has the version of the wanted changes then. */
    private sealed interface State {
        /** Reads the wanted changes. */
        record Deciding() implements State {}

        /** Nothing is wanted. */
        record Idle(long mark) implements State {}

        /** A stream was asked for; the one before it stays open until it is acknowledged. */
        record Opening(long mark, NotificationFilter filter, ChangeStream stream)
                implements State {}

        /** A stream brings the wanted changes. */
        record Open(long mark, ChangeStream stream, long since) implements State {}

        /** There is no stream for now; the more attempts have failed, the longer. */
        record Waiting(long mark, int attempts) implements State {}

        /** The server has no streams. */
        record Refused(long mark) implements State {}

        /** Nothing is to be done any more. */
        record Closed() implements State {}
    }

    private void run() {
        try {
            LastingLoop.run(LOGGER, peer, "The stream of changes failed", this::step);
        } finally {
            stop();
        }
    }

    /** Goes to the next state. Returns false at the end. */
    private boolean step() throws InterruptedException {
        try {
            state = next();
        } catch (RuntimeException | Error e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.ERROR,
                    peer,
                    e,
                    "The stream of changes failed; it is opened again");
            stop();
            lost = true;
            withTasks = true;
            failures = 0;
            losses = 0;
            state = new State.Waiting(versions.mark(), ++unexpected);
        }
        return !(state instanceof State.Closed);
    }

    private State next() throws InterruptedException {
        return switch (state) {
            case State.Deciding deciding -> decided();
            case State.Idle idle -> decidingIf(versions.awaitChange(idle.mark(), null));
            case State.Opening opening -> answered(opening);
            case State.Open open -> changedOrEnded(open);
            case State.Waiting waiting ->
                    decidingIf(versions.pause(waiting.mark(), waitAfter(waiting.attempts())));
            case State.Refused refused -> decidingIf(versions.awaitChange(refused.mark(), null));
            case State.Closed over -> over;
        };
    }

    private static State decidingIf(boolean isOpen) {
        return isOpen ? new State.Deciding() : new State.Closed();
    }

    /** Returns a wait that is the longer, the more attempts have failed. */
    private static Duration waitAfter(int failures) {
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(failures - 1, 10));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    private State decided() {
        long mark = versions.mark();
        NotificationFilter filter = wanted.get();
        if (!withTasks || mark == withoutTasks) {
            filter = filter.withTaskIds(null);
        }
        if (filter.equals(NOTHING)) {
            stop();
            lost = false;
            versions.settle(mark, filter, null);
            return new State.Idle(mark);
        }
        JsonObject about = meta.apply(!filter.tasks().isEmpty());
        return new State.Opening(mark, filter, new ChangeStream(shared, filter, about));
    }

    private State answered(State.Opening opening) throws InterruptedException {
        NotificationFilter given = opening.stream().awaitAcknowledgement();
        return given == null ? refused(opening) : acknowledged(opening, given);
    }

    private State refused(State.Opening opening) {
        long mark = opening.mark();
        CallException why = opening.stream().failure();
        if (why instanceof JsonRpcException error && !opening.filter().tasks().isEmpty()) {
            LOGGER.log(
                    Level.DEBUG,
                    "The server refuses a stream with tasks, which are polled: {0}",
                    Printable.excerpt(why.getMessage()));
            withoutTasks = mark;
            withTasks = RetryableError.isRetryable(error.error());
            return new State.Deciding();
        }
        versions.settle(mark, null, why);
        boolean isForGood =
                why instanceof JsonRpcException error && error.code() == ErrorCode.METHOD_NOT_FOUND;
        if (failures == 0 && !isForGood) {
            report(why);
        }
        failures++;
        lost = true;
        return isForGood ? new State.Refused(mark) : new State.Waiting(mark, failures);
    }

    private State acknowledged(State.Opening opening, NotificationFilter given)
            throws InterruptedException {
        versions.settle(opening.mark(), given, null);
        ChangeStream before = current;
        lost |= late || (before != null && !before.stoodUntilStopped());
        late = false;
        current = opening.stream();
        long since = timers.nanoTime();
        reportMissing(opening.filter(), given);
        if (lost) {
            afterLoss.accept(given);
            lost = false;
        } else {
            afterGrant.accept(given, granting);
        }
        granting = given;
        failures = 0;
        return new State.Open(opening.mark(), opening.stream(), since);
    }

    private State changedOrEnded(State.Open open) throws InterruptedException {
        if (!versions.awaitChange(open.mark(), open.stream())) {
            return new State.Closed();
        }
        if (!open.stream().hasEnded()) {
            return new State.Deciding();
        }
        lost = true;
        current = null;
        boolean lasted = timers.nanoTime() - open.since() >= LONGEST_WAIT.toNanos();
        losses = lasted ? 1 : losses + 1;
        return new State.Waiting(open.mark(), losses);
    }

    /** Closes the stream that is open, if there is one. */
    private void stop() {
        ChangeStream open = current;
        if (open != null) {
            open.stop();
        }
        current = null;
        granting = NOTHING;
    }

    private void reportMissing(NotificationFilter filter, NotificationFilter given) {
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
        if (versions.isClosed()) {
            return;
        }
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                peer,
                "The server sends no changes at the moment; trying again: {0}",
                Printable.excerpt(why.getMessage()));
    }

    @Override
    public void close() {
        versions.close();
    }
}
