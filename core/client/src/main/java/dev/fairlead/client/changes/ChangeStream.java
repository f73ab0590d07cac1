package dev.fairlead.client.changes;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.OutgoingRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.protocol.subscriptions.SubscriptionsListenRequest;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.Monitor;
import dev.fairlead.protocol.time.WaitDeadline;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;

/** One stream of changes, from its request to its end. */
final class ChangeStream {
    private static final System.Logger LOGGER = System.getLogger(ChangeStream.class.getName());

    /** How long the server may take to acknowledge a stream. */
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(30);

    /** A stream lasts for as long as the server lets it. */
    private static final Duration NO_END = Duration.ofDays(3_650);

    /** The parts that the streams of one connection share. */
    record Shared(
            Connection connection,
            PerRequestFace face,
            OpenStreams streams,
            WantedVersions versions) {}

    private final Shared shared;
    private final NotificationFilter filter;
    private final JsonObject meta;
    private final Monitor monitor;
    private final WaitDeadline deadline;
    private final Thread thread;
    private volatile @Nullable RequestId id;

    // guarded by monitor
    private @Nullable NotificationFilter announced; // but not acknowledged in its turn yet
    private @Nullable NotificationFilter acknowledged;
    private @Nullable CallException failure;
    private boolean ended;
    private boolean stopped; // by this side, and not ended before

    /**
     * Asks for a stream.
     *
     * @param meta describes this client
     */
    ChangeStream(Shared shared, NotificationFilter filter, JsonObject meta) {
        this.shared = shared;
        this.filter = filter;
        this.meta = meta;
        this.monitor = shared.versions().monitor();
        this.deadline = monitor.deadline(ACKNOWLEDGEMENT);
        this.thread = Thread.ofVirtual().name("mcp-client-stream").start(this::open);
    }

    private void open() {
        CallException why = new ConnectionException("the server has ended the subscription");
        try {
            shared.connection()
                    .request(
                            new OutgoingRequest(
                                    Methods.LISTEN.name(),
                                    token ->
                                            shared.face()
                                                    .writeParams(
                                                            Methods.LISTEN,
                                                            new SubscriptionsListenRequest(
                                                                    filter, meta, JsonObject.EMPTY),
                                                            token),
                                    NO_END,
                                    NO_END,
                                    null,
                                    null),
                            begun -> {
                                id = begun;
                                shared.streams().add(begun, this);
                            });
        } catch (CallException e) {
            why = e;
            LOGGER.log(
                    Level.DEBUG,
                    "A stream of changes ended: {0}",
                    Printable.excerpt(e.getMessage()));
        } catch (InterruptedException e) { // of stop()
            monitor.change(() -> stopped = true);
        } finally {
            RequestId known = id;
            if (known != null) {
                shared.streams().remove(known);
            }
            ended(why);
        }
    }

    private void ended(CallException why) {
        monitor.change(
                () -> {
                    acknowledged = acknowledged == null ? announced : acknowledged;
                    ended = true;
                    failure = why;
                });
    }

    /** The acknowledgement has come, but messages before it may not be handled yet. */
    void announced(NotificationFilter given) {
        monitor.change(() -> announced = given);
    }

    /** The server acknowledges the stream. */
    void acknowledged(NotificationFilter given) {
        monitor.change(() -> acknowledged = given);
    }

    /** Returns the changes that the server grants; null if it does not acknowledge the stream. */
    @Nullable NotificationFilter awaitAcknowledgement() throws InterruptedException {
        try (deadline) {
            monitor.await(
                    () -> acknowledged != null || ended || shared.versions().isClosed(), deadline);
        }
        NotificationFilter given = monitor.read(() -> acknowledged);
        if (given == null) {
            stop();
        }
        return given;
    }

    /** Returns the reason why there is no stream. */
    CallException failure() {
        CallException known = monitor.read(() -> failure);
        return known == null
                ? new RequestTimeoutException(
                        Methods.LISTEN
                                + ": no acknowledgement within "
                                + Durations.text(ACKNOWLEDGEMENT))
                : known;
    }

    boolean hasEnded() {
        return monitor.read(() -> ended);
    }

    /** Closes the stream: over HTTP by its connection, elsewhere by a cancellation. */
    void stop() {
        thread.interrupt();
    }

    /**
     * Closes the stream, in whose place another one is. Returns false if it had ended before, so
     * that changes may have been missed until the other one was there.
     */
    boolean stoodUntilStopped() throws InterruptedException {
        stop();
        monitor.await(() -> ended || shared.versions().isClosed(), (Duration) null);
        return monitor.read(() -> stopped);
    }
}
