package dev.fairlead.http.loop;

import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.protocol.relay.HandlerThread;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * One connection: it reads a head, perhaps a body while the request is handled already, and the
 * next head once the answer was handed to the network. Bytes that a client sends ahead wait; beyond
 * a few of them ({@link BytesAhead}), reading pauses. Fields belong to the loop unless their
 * comment names other threads. A handler may run on the loop and block, upon which another thread
 * becomes the loop: so having a request handled is the last thing that is done here, after the
 * fields are in order.
 *
 * <p>The thread that completes an answer sets {@link #current} to null and then looks at {@link
 * #paused}; the loop sets {@link #paused} and then looks at {@link #current}. So one of them sees
 * that there is something to continue with.
 */
class LoopConnection implements Loop.Registered, Output.Owner {
    private static final System.Logger LOGGER = System.getLogger(LoopConnection.class.getName());
    private static final byte[] EMPTY = {};

    /** The name of the threads of requests. */
    private static final String THREADS = "mcp-http";

    /** Answers a request for which there is no thread. */
    private static final ResponseHead UNAVAILABLE =
            new ResponseHead(503, Map.of("Retry-After", "1"));

    /** How many times longer than a silence the head of a request may take. */
    private static final int HEAD_PATIENCE = 2;

    /**
     * How long a lingering client, whose bytes are dropped, may send nothing before it is closed.
     */
    private static final Duration LINGER = Duration.ofMillis(500);

    /** The most bytes of a head that is kept for the next request. */
    private static final int KEPT_HEAD = 2 << 10;

    /** How long it is kept while the client sends nothing. */
    private static final Duration KEPT_FOR = Duration.ofSeconds(10);

    /** How many bytes are read and dropped so that the client gets its answer. */
    private static final long LINGERING_BYTES = 16 << 20;

    private final Loop loop;
    private final Port port;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Output output;
    private final Optional<InetAddress> local;
    private final Optional<InetAddress> remote;

    /** The latest head if it is short; null before the first, and after a silence. */
    private @Nullable RequestHead latest;

    /** The bytes that have arrived and are not parsed; null if there are none. */
    private byte @Nullable [] ahead;

    /** The client sends more than a few bytes before it has the answer to a request. */
    private boolean pipelines;

    private @Nullable HeadParser parser;
    private @Nullable BodyDecoder decoder;
    private boolean asked;
    private boolean eof;
    private Phase phase = Phase.SERVING;
    private long lastRead;

    /** The time since which the connection lingers. */
    private long lingersSince;

    private long lingeringBytes;

    /** See {@link #current()}. */
    private volatile @Nullable LoopExchange current;

    /**
     * The time at which the last answer was completed, or the connection opened; written by any
     * thread.
     */
    private volatile long idleSince;

    /** See {@link #isPaused}. */
    private volatile boolean paused;

    /** The use of bytes that arrive. */
    private enum Phase {
        /** Bytes are requests. */
        SERVING,
        /** Bytes are not read, since they cannot be understood; the refusal is being written. */
        REFUSED,
        /** Bytes are dropped. */
        LINGERING,
        CLOSED
    }

    LoopConnection(Loop loop, Port port, SocketChannel channel) throws IOException {
        this.loop = loop;
        this.port = port;
        this.channel = channel;
        this.output = new Output(channel, this);
        this.local = address(channel.getLocalAddress());
        this.remote = address(channel.getRemoteAddress());
        this.idleSince = System.nanoTime();
        this.lastRead = idleSince;
        this.key = loop.register(channel, SelectionKey.OP_READ, this);
    }

    private static Optional<InetAddress> address(SocketAddress of) {
        return Optional.of(((InetSocketAddress) of).getAddress());
    }

    Optional<InetAddress> localAddress() {
        return local;
    }

    Optional<InetAddress> remoteAddress() {
        return remote;
    }

    // State shared by the loop and the threads that answer; a test orders their accesses.

    /**
     * The request that is being answered. Set by the loop, and to null by the thread that completes
     * the answer.
     */
    @Nullable LoopExchange current() {
        return current;
    }

    void setCurrent(@Nullable LoopExchange exchange) {
        current = exchange;
    }

    /** Returns whether the loop waits for the end of the answer; set by the loop. */
    boolean isPaused() {
        return paused;
    }

    void setPaused(boolean waits) {
        paused = waits;
    }

    // Events of the selector.

    @Override
    public void ready() throws IOException {
        if (key.isWritable()) {
            output.flush();
        }
        if (key.isValid() && key.isReadable()) {
            read();
        }
    }

    private void read() throws IOException {
        ByteBuffer in = loop.in().clear();
        int read = channel.read(in.limit(mostToRead(in.capacity())));
        if (read < 0) {
            ended();
            return;
        }
        lastRead = loop.now();
        if (phase == Phase.LINGERING) {
            drop(read);
            return;
        }
        byte[] before = ahead;
        int kept = before == null ? 0 : before.length;
        byte[] bytes = before == null ? loop.bytes() : Arrays.copyOf(before, kept + read);
        in.flip().get(bytes, kept, read);
        setAhead(null);
        advance(bytes, kept + read);
    }

    /**
     * A body is read as fast as it comes once its handler reads it, and so are requests as long as
     * each waits for its turn.
     */
    private int mostToRead(int capacity) {
        LoopExchange exchange = current();
        boolean isRead = decoder != null && exchange != null && body(exchange).isWanted();
        boolean few =
                phase == Phase.SERVING
                        && !isRead
                        && (pipelines || exchange != null || port.bytesAhead().isScarce());
        return few ? BytesAhead.FEW : capacity;
    }

    private void setAhead(byte @Nullable [] bytes) {
        int before = ahead == null ? 0 : ahead.length;
        ahead = bytes;
        port.bytesAhead().changed(before, bytes == null ? 0 : bytes.length);
    }

    /** The client sends no more, but may still read. */
    private void ended() {
        eof = true;
        key.interestOpsAnd(~SelectionKey.OP_READ);
        LoopExchange exchange = current();
        if (phase != Phase.SERVING || exchange == null) {
            close(new ClosedChannelException());
            return;
        }
        if (decoder != null) {
            body(exchange).disconnected();
        } else {
            setPaused(true);
            if (current() == null) {
                resume();
            }
        }
    }

    private void drop(int bytes) {
        lingeringBytes += bytes;
        if (lingeringBytes > LINGERING_BYTES) {
            close(new ClosedChannelException());
        }
    }

    // Requests.

    /**
     * Parses the bytes that have arrived, as far as possible now, and handles a request if one
     * began.
     *
     * @return whether a request was handled, at whose end parsing resumes; the current thread may
     *     no longer be the loop then
     */
    private boolean advance(byte[] bytes, int to) {
        int from = 0;
        LoopExchange begun = null;
        try {
            while (from < to && phase == Phase.SERVING && begun == null) {
                if (decoder != null) {
                    from = body(bytes, from, to);
                } else if (current() != null) {
                    setPaused(true);
                    if (current() != null) {
                        break;
                    }
                    setPaused(false);
                } else {
                    int next = head(bytes, from, to);
                    if (next < 0) {
                        break;
                    }
                    from = next;
                    begun = current();
                }
            }
        } catch (BadRequestException e) {
            refuse(e.status());
            return false;
        }
        boolean more = from < to && phase == Phase.SERVING;
        if (more) {
            pipelines |= begun != null && to - from > BytesAhead.FEW;
            setAhead(Arrays.copyOfRange(bytes, from, to));
        }
        if (begun == null) {
            awaitMore(to - from);
            return false;
        }
        setPaused(more || eof);
        interest();
        handle(begun);
        return true;
    }

    /** Reads on, unless a head has arrived in part and there is no room for the bytes of it. */
    private void awaitMore(int unparsed) {
        if (current() == null && unparsed > BytesAhead.FEW && port.bytesAhead().isExhausted()) {
            refuse(503);
        } else {
            interest();
        }
    }

    /** Reads on if there is room for the bytes. */
    private void interest() {
        if (phase != Phase.SERVING) {
            return;
        }
        LoopExchange exchange = current();
        boolean full = decoder != null && exchange != null && body(exchange).pause();
        boolean wanted = !eof && !isPaused() && !full;
        if (wanted != ((key.interestOps() & SelectionKey.OP_READ) != 0)) {
            if (wanted) {
                key.interestOpsOr(SelectionKey.OP_READ);
            } else {
                key.interestOpsAnd(~SelectionKey.OP_READ);
            }
        }
    }

    /** Continues once an answer was completed, or its request has room for more of its body. */
    private void resume() {
        if (phase != Phase.SERVING) {
            return;
        }
        if (current() == null) {
            setPaused(false);
        }
        byte[] bytes = ahead;
        if (bytes != null && !isPaused()) {
            setAhead(null);
            if (advance(bytes, bytes.length)) {
                return;
            }
        } else {
            interest();
        }
        if (eof && current() == null && phase == Phase.SERVING) {
            close(new ClosedChannelException());
        }
    }

    /** Parses a head and begins its request; -1 if its end is missing. */
    private int head(byte[] bytes, int from, int to) throws BadRequestException {
        RequestHead before = parser == null ? latest : null;
        RequestHead repeated = before == null ? null : before.repeatedIn(bytes, from, to);
        if (repeated != null) {
            return begin(repeated, bytes, from + repeated.size(), to);
        }
        HeadParser parsing = parser == null ? loop.takeParser() : parser;
        parser = parsing;
        int length = parsing.parse(bytes, from, to);
        if (length < 0) {
            return length;
        }
        RequestHead head = parsing.head();
        parser = null;
        loop.giveBack(parsing);
        latest = length <= KEPT_HEAD ? head : null;
        return begin(head, bytes, from + length, to);
    }

    private int begin(RequestHead head, byte[] bytes, int from, int to) {
        if (!head.isChunked() && head.length() <= to - from) {
            int end = from + (int) head.length();
            byte[] body = end == from ? EMPTY : Arrays.copyOfRange(bytes, from, end);
            setCurrent(new LoopExchange(this, head, null, body));
            return end;
        }
        decoder = head.isChunked() ? new ChunkedDecoder() : new LengthDecoder(head.length());
        Runnable onWanted = head.isContinueExpected() ? this::sendContinue : () -> {};
        ArrivingBody body =
                new ArrivingBody(
                        port.clientTimeout(),
                        onWanted,
                        () -> loop.execute(this, this::resume),
                        port.bytesAhead());
        int end = receive(body, bytes, from, to);
        setCurrent(new LoopExchange(this, head, body, null));
        return end;
    }

    private int body(byte[] bytes, int from, int to) {
        LoopExchange exchange = current();
        return exchange == null ? to : receive(body(exchange), bytes, from, to);
    }

    private static ArrivingBody body(LoopExchange exchange) {
        ArrivingBody body = exchange.arrivingBody();
        if (body == null) {
            throw new IllegalStateException("the body has arrived");
        }
        return body;
    }

    private int receive(ArrivingBody body, byte[] bytes, int from, int to) {
        BodyDecoder decoding = decoder;
        if (decoding == null || body.isBroken()) {
            return to;
        }
        int end = body.receive(decoding, bytes, from, to);
        if (body.isComplete()) {
            decoder = null;
        }
        return end;
    }

    /** Has a request handled; nothing of the connection may be used after it. */
    void handle(LoopExchange exchange) {
        port.unanswered().requested();
        boolean first = !asked;
        asked = true;
        PacedRoute route = port.route(exchange.path());
        if (route == null) {
            exchange.respond(new ResponseHead(404, Map.of()), EMPTY);
            asked(first);
        } else if (route.isQuick() && exchange.arrivingBody() == null) {
            hold(() -> handle(route, exchange, first));
        } else {
            try {
                startThread(() -> handle(route, exchange, first));
            } catch (OutOfMemoryError e) { // the system has no more threads
                LimitedLog.failed(
                        LOGGER, System.Logger.Level.WARNING, "", e, "No thread could be started");
                exchange.respond(UNAVAILABLE, EMPTY);
                asked(first);
            }
        }
    }

    private void handle(PacedRoute route, LoopExchange exchange, boolean first) {
        route.handle(exchange);
        asked(first);
    }

    /** The first request is being answered, or none will come; any thread. */
    private void asked(boolean first) {
        if (first) {
            port.unasked().answered();
        }
    }

    /** Runs a handler that is expected to be quick on the loop. */
    void hold(Runnable handler) {
        if (loop.holdsBack(this)) {
            output.holdBack();
        }
        loop.hold(handler);
    }

    /**
     * Starts a thread for a task that may block; a test may have none.
     *
     * @throws OutOfMemoryError if the system has no more threads
     */
    void startThread(Runnable task) {
        HandlerThread.start(THREADS, task);
    }

    private void sendContinue() {
        write(new ByteBuffer[] {ByteBuffer.wrap(ResponseEncoder.CONTINUE)}, failure -> {});
    }

    // Answers; any thread.

    void write(ByteBuffer[] buffers, ResponseStream.Completion completion) {
        output.write(buffers, completion);
    }

    /** Writes a whole response, perhaps a moment later together with those of other connections. */
    void respond(ByteBuffer[] buffers, ResponseStream.Completion completion) {
        output.respond(buffers, completion);
    }

    /** Writes the responses held back; later responses are written at once. */
    void writeHeldBack() throws IOException {
        if (!output.flush()) {
            outputWaits();
        }
    }

    @Override
    public void outputWaits() {
        key.interestOpsOr(SelectionKey.OP_WRITE);
        loop.wakeup();
    }

    @Override
    public void outputFlushed() {
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
    }

    @Override
    public void outputFailed(IOException cause) {
        loop.execute(() -> close(cause));
    }

    /**
     * Runs a task that may take long: on this thread, or, if others wait for this thread, on one of
     * its own, unless none can be started.
     */
    void leaveLoop(Runnable task) {
        if (loop.isWaiting()) {
            try {
                startThread(task);
                return;
            } catch (OutOfMemoryError e) { // the system has no more threads
                LimitedLog.failed(
                        LOGGER, System.Logger.Level.WARNING, "", e, "No thread could be started");
            }
        }
        task.run();
    }

    /**
     * The answer was handed to the network, or cannot be.
     *
     * @param last whether the connection ends with it
     */
    void answered(boolean last) {
        port.unanswered().answered();
        if (last) {
            loop.execute(this, this::finish);
            return;
        }
        idleSince = System.nanoTime();
        setCurrent(null);
        if (isPaused()) {
            loop.execute(this, this::resume);
        }
    }

    /**
     * Ends the connection in the middle of an answer.
     *
     * @param reset whether the client would take a proper end of the connection for that of the
     *     answer
     */
    void abort(boolean reset) {
        loop.execute(
                this,
                () -> {
                    try {
                        if (reset && phase != Phase.CLOSED) {
                            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                        }
                    } catch (IOException e) {
                        LOGGER.log(System.Logger.Level.DEBUG, "A connection was broken", e);
                    }
                    close(new ClosedChannelException());
                });
    }

    // The end.

    /** Refuses bytes that are not a request, or a request that finds no room. */
    private void refuse(int status) {
        ResponseHead head = status == 503 ? UNAVAILABLE : new ResponseHead(status, Map.of());
        phase = Phase.REFUSED;
        decoder = null;
        setAhead(null);
        key.interestOpsAnd(~SelectionKey.OP_READ);
        write(ResponseEncoder.encode(head, 0, true, EMPTY), failure -> linger());
    }

    /** Ends the connection after its last answer. */
    private void finish() {
        if (phase != Phase.SERVING) {
            return;
        }
        if (decoder != null && !eof) {
            linger();
        } else {
            close(new ClosedChannelException());
        }
    }

    /**
     * Ends the answers and drops the bytes that the client still sends, within limits: a connection
     * closed with unread bytes may lose the answer.
     */
    private void linger() {
        if (phase == Phase.CLOSED) {
            return;
        }
        phase = Phase.LINGERING;
        setAhead(null);
        lingersSince = System.nanoTime();
        lastRead = lingersSince;
        try {
            channel.shutdownOutput();
            key.interestOps(SelectionKey.OP_READ);
        } catch (IOException e) {
            close(e);
        }
    }

    @Override
    public void check(long now) {
        Duration timeout = port.clientTimeout();
        if (output.isStalled(now, timeout)) {
            close(
                    new SocketTimeoutException(
                            "The client read nothing for " + Durations.text(timeout)));
            return;
        }
        if (now - lastRead > KEPT_FOR.toNanos()) {
            latest = null;
        }
        if (phase == Phase.LINGERING) {
            if (now - lastRead > LINGER.toNanos() || now - lingersSince > timeout.toNanos()) {
                close(new ClosedChannelException());
            }
        } else if (phase == Phase.SERVING && current() == null && isIdle(now, timeout)) {
            if (ahead == null) {
                close(new ClosedChannelException());
            } else {
                refuse(408);
            }
        }
    }

    /** Closes a channel, and logs if that fails. */
    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A connection was not closed properly", e);
        }
    }

    private boolean isIdle(long now, Duration timeout) {
        long since = idleSince;
        long silence = now - Math.max(since, lastRead);
        return silence > timeout.toNanos()
                || now - since > timeout.multipliedBy(HEAD_PATIENCE).toNanos();
    }

    @Override
    public void close(IOException cause) {
        if (phase == Phase.CLOSED) {
            return;
        }
        phase = Phase.CLOSED;
        asked(!asked);
        asked = true;
        setAhead(null);
        try {
            close(channel); // and with it the key
            LoopExchange exchange = current();
            if (exchange != null && exchange.arrivingBody() != null) {
                body(exchange).disconnected();
            }
            output.fail(cause);
        } finally {
            port.disconnected(); // after any failure another connection may be accepted
        }
    }
}
