package dev.fairlead.http.loop;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.relay.HandlerThread;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request that was read by a loop, and its answer, which any thread may give. */
final class LoopExchange implements HttpExchange {
    private static final byte[] EMPTY = {};

    private final LoopConnection connection;
    private final RequestHead head;
    private byte @Nullable [] arrived;
    private @Nullable InputStream body; // of a body that has arrived it is made when asked for
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile boolean begun;

    /** The thread that handles the request, as that thread sees it; null before and after. */
    private @Nullable Thread handling;

    private long taskNanos; // used by that thread

    /**
     * @param body if it is read while it arrives
     * @param arrived the body if it arrived together with the head
     */
    LoopExchange(
            LoopConnection connection,
            RequestHead head,
            @Nullable ArrivingBody body,
            byte @Nullable [] arrived) {
        this.connection = connection;
        this.head = head;
        this.body = body;
        this.arrived = arrived;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String path() {
        return head.target().path();
    }

    @Override
    public String scheme() {
        return "http";
    }

    @Override
    public Optional<String> query() {
        return Optional.ofNullable(head.target().query());
    }

    @Override
    public List<String> headers(String name) {
        return head.values(name);
    }

    @Override
    public Collection<String> headerNames() {
        return head.names();
    }

    @Override
    public Optional<String> header(String name) {
        return head.value(name);
    }

    @Override
    public Optional<InetAddress> localAddress() {
        return connection.localAddress();
    }

    @Override
    public Optional<InetAddress> remoteAddress() {
        return connection.remoteAddress();
    }

    @Override
    public long contentLength() {
        return head.hasLength() ? head.length() : -1;
    }

    @Override
    public byte @Nullable [] arrivedBody() {
        return arrived;
    }

    @Override
    public InputStream body() {
        InputStream input = body;
        if (input == null) {
            input = new ByteArrayInputStream(arrived == null ? EMPTY : arrived);
            body = input;
        }
        return input;
    }

    @Override
    public InputStream body(long limit) {
        ArrivingBody arriving = arrivingBody();
        return arriving == null ? body() : arriving.limitedTo(limit);
    }

    /** Marks the current thread as the one that handles the request. */
    void handledHere() {
        handling = Thread.currentThread();
    }

    /**
     * Ends the handling by the current thread.
     *
     * @return how long it ran tasks, in nanoseconds
     */
    long handled() {
        handling = null;
        return taskNanos;
    }

    /** The thread that handles the request may be blocked: a loop is replaced then. */
    @Override
    public void run(String name, Runnable task) {
        if (Thread.currentThread() != handling) {
            HttpExchange.super.run(name, task);
            return;
        }
        long started = System.nanoTime();
        HandlerThread.run(name, task);
        taskNanos += System.nanoTime() - started;
    }

    RequestHead head() {
        return head;
    }

    /** The body if it is read while it arrives. */
    @Nullable ArrivingBody arrivingBody() {
        return body instanceof ArrivingBody arriving ? arriving : null;
    }

    /** Returns whether no request can follow on the connection. */
    private boolean isLast(ResponseHead response) {
        ArrivingBody arriving = arrivingBody();
        return head.isLast()
                || (arriving != null && !arriving.isComplete())
                || ResponseEncoder.isLast(response);
    }

    @Override
    public void respond(ResponseHead response, byte[] content, Runnable done) {
        begun = true;
        boolean last = isLast(response);
        boolean bodiless = ResponseEncoder.isBodiless(response.status());
        long length = bodiless ? ResponseEncoder.NONE : content.length;
        byte[] sent = bodiless || head.isHeadRequest() ? EMPTY : content;
        connection.respond(
                encode(response, length, last, sent),
                failure -> {
                    answered(last);
                    done.run();
                });
    }

    @Override
    public ResponseStream stream(ResponseHead response) {
        begun = true;
        head.forgetValues(); // a stream may take long, and most have nothing more to ask
        if (arrived != null) {
            arrived = EMPTY;
            body = null;
        }
        boolean chunked = !head.isOldVersion();
        boolean last = isLast(response);
        long length = chunked ? ResponseEncoder.CHUNKED : ResponseEncoder.UNTIL_CLOSE;
        ByteBuffer[] encoded = encode(response, length, last, EMPTY);
        return new LoopStream(this, connection, encoded[0], chunked, last);
    }

    private ByteBuffer[] encode(ResponseHead response, long length, boolean last, byte[] content) {
        try {
            boolean addClose = last && !ResponseEncoder.isLast(response);
            return ResponseEncoder.encode(response, length, addClose, content);
        } catch (IllegalArgumentException e) {
            fail();
            throw e;
        }
    }

    /** The handler has thrown something, which it is not to do. */
    void handlerFailed() {
        if (!begun) {
            fail();
        } else if (!answered.get()) {
            discardBody(); // nothing of it is counted any more when the client sees the end
            connection.abort(true);
            answered(true);
        }
    }

    /** Answers that the server is at fault. */
    private void fail() {
        ResponseHead failure = new ResponseHead(500, Map.of());
        connection.write(
                ResponseEncoder.encode(failure, 0, true, EMPTY), ignored -> answered(true));
    }

    /** The answer was handed to the network, or cannot be; does nothing the second time. */
    void answered(boolean last) {
        if (answered.compareAndSet(false, true)) {
            discardBody();
            connection.answered(last);
        }
    }

    private void discardBody() {
        ArrivingBody arriving = arrivingBody();
        if (arriving != null) {
            arriving.discard();
        }
    }
}
