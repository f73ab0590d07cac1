package dev.fairlead.protocol.pipe;

import dev.fairlead.jsonrpc.Batch;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.ServingDescription;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.engine.SecretMask;
import dev.fairlead.protocol.engine.WireLog;
import dev.fairlead.protocol.relay.HandlerThread;
import dev.fairlead.protocol.relay.Relay;
import dev.fairlead.protocol.relay.Watchdog;
import dev.fairlead.protocol.time.Durations;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;
import dev.fairlead.protocol.time.Unanswered;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * An open transport under the session contract.
 *
 * <p>Three threads belong to it. The <em>reader</em> receives messages and passes them to the
 * session; where the transport cannot be disturbed by an interrupt, it runs quick handlers as well
 * and is replaced when one blocks, see {@link Relay}. The <em>writer</em> sends the messages of the
 * outbox, so that the interrupt of a handler never meets a write. The <em>closer</em> is started by
 * the first cause of the end (end of input, a failure, a call of {@code close}) and closes the
 * connection in order; if no thread can be started, the thread that ends the connection does it.
 * They are platform threads, since a transport may block in ways that hold a carrier thread. On the
 * side of a server the writer and the closer keep the JVM alive; the reader does not, because some
 * inputs block in a read that nothing can end.
 */
final class PipeConnection implements Serving, Link {
    private static final System.Logger LOGGER = System.getLogger(PipeConnection.class.getName());

    private static final JsonRpcError CLOSING =
            RetryableError.mark(
                    new JsonRpcError(ErrorCode.INTERNAL_ERROR, "The server is closing"));

    private final Consumer<Thread> starter;
    private final Transport transport;
    private final PipeSettings settings;
    private final boolean server;
    private final Outbox outbox;
    private final Unanswered unanswered = new Unanswered();
    private final Context context = new Context();
    private final @Nullable Relay relay; // if handlers may run on the reader
    private final PipeExchange exchange;
    private final Session session;
    private final @Nullable RequestHost requests;
    private final @Nullable Thread reader; // if they may not
    private final Thread writer;
    private List<JsonRpcMessage> burst = List.of(); // of the writer alone, as the next
    private int written; // of the burst
    private boolean flushing; // still true after a flush that failed
    private final AtomicBoolean closing = new AtomicBoolean();
    private final AtomicBoolean closeDrains = new AtomicBoolean(); // the first call of close
    private volatile boolean draining;
    private volatile boolean inputEnded; // of a server
    private volatile @Nullable ConnectionException why; // the cause of an unwanted end
    private final CountDownLatch closed = new CountDownLatch(1);

    private PipeConnection(
            Transport transport,
            PipeSettings settings,
            boolean server,
            SessionHost host,
            Consumer<Thread> starter) {
        this.starter = starter;
        this.transport = transport;
        this.settings = settings;
        this.server = server;
        this.outbox = new Outbox(settings.queuedMessages(), settings.queuedBytes());
        String name = settings.name();
        Runnable reading =
                LastingLoop.task(LOGGER, name, "A message could not be read", this::readNext);
        Runnable writing =
                LastingLoop.task(LOGGER, name, "A message could not be written", this::writeNext);
        if (server && transport instanceof BufferedTransport direct && direct.isUninterruptible()) {
            // platform threads, since a read of a stream holds a carrier while it waits
            ThreadFactory threads = turn -> thread("reader", true, turn);
            this.relay = new Relay(threadName("reader"), threads, Watchdog.shared(), reading);
            this.reader = null;
            this.exchange = new DirectExchange(relay, direct);
        } else {
            this.relay = null;
            this.reader = thread("reader", true, reading);
            this.exchange = new PipeExchange(context, unanswered);
        }
        this.writer = thread("writer", !server, writing);
        this.session = host.open(context);
        this.requests = host.requests().orElse(null);
    }

    static PipeConnection open(
            Transport transport, PipeSettings settings, boolean server, SessionHost host)
            throws IOException {
        return open(transport, settings, server, host, Thread::start);
    }

    /**
     * Opens a connection.
     *
     * @param starter starts threads; a test may have none
     */
    static PipeConnection open(
            Transport transport,
            PipeSettings settings,
            boolean server,
            SessionHost host,
            Consumer<Thread> starter)
            throws IOException {
        PipeConnection connection;
        try {
            connection = new PipeConnection(transport, settings, server, host, starter);
        } catch (RuntimeException | Error e) {
            transport.close();
            throw e;
        }
        try {
            connection.start();
        } catch (OutOfMemoryError e) { // the system has no more threads
            connection.end(new ConnectionException("there is no thread for the connection", e));
            throw new IOException("there is no thread for the connection", e);
        }
        return connection;
    }

    private void start() {
        starter.accept(writer);
        if (reader != null) {
            starter.accept(reader);
        } else {
            Objects.requireNonNull(relay).start();
        }
    }

    private Thread thread(String role, boolean daemon, Runnable task) {
        return HandlerThread.unstarted(
                Thread.ofPlatform().name(threadName(role)).daemon(daemon), task);
    }

    private String threadName(String role) {
        return "mcp-" + settings.name() + "-" + role;
    }

    /** The context of the session with its peer. */
    private final class Context implements SessionContext {
        @Override
        public void send(JsonRpcMessage message) {
            PipeConnection.this.send(message);
        }

        @Override
        public boolean call(
                JsonRpcRequest request, Map<String, String> headers, boolean passesProgress) {
            if (!headers.isEmpty()) {
                send(request, headers); // which refuses them
            }
            Outbox.Put put = outbox.putRequest(request, settings.sendTimeout());
            check(put);
            return put == Outbox.Put.TAKEN;
        }

        @Override
        public boolean cancel(RequestId request) {
            return outbox.withdraw(request);
        }

        @Override
        public boolean isReachable() {
            return outbox.isOpen();
        }

        @Override
        public Caller caller() {
            return settings.caller();
        }

        @Override
        public Owner owner() {
            return settings.owner();
        }

        @Override
        public String transport() {
            return settings.name();
        }

        @Override
        public void close() {
            end(null);
        }
    }

    // ---- sending

    /**
     * The exchange of a pipe whose quick handlers run on the reader and write their responses
     * themselves.
     */
    private final class DirectExchange extends PipeExchange {
        private final Relay relay;
        private final BufferedTransport direct;

        DirectExchange(Relay relay, BufferedTransport direct) {
            super(context, unanswered);
            this.relay = relay;
            this.direct = direct;
        }

        @Override
        public void run(String name, Runnable task) {
            relay.run(name, task);
        }

        /**
         * {@inheritDoc} A response may block its thread, whose handler has ended, but neither the
         * reading nor the carrier of a virtual thread.
         */
        @Override
        public void send(JsonRpcMessage message) {
            boolean response =
                    message instanceof JsonRpcResponse || message instanceof JsonRpcErrorResponse;
            if (response
                    && !Thread.currentThread().isVirtual()
                    && !relay.isReading()
                    && outbox.bypass()) {
                try {
                    sendDirectly(message);
                } finally {
                    outbox.endBypass();
                    unanswered.answered();
                }
            } else {
                super.send(message);
            }
        }

        private void sendDirectly(JsonRpcMessage message) {
            try {
                direct.sendDirectly(message);
            } catch (IOException e) {
                ConnectionException lost = lost(e);
                end(lost);
                throw lost;
            }
        }

        /**
         * {@inheritDoc} It never writes on this thread, which has other work than to wait for a
         * slow peer.
         */
        @Override
        public void respondEarly(JsonRpcMessage response) {
            super.send(response);
        }
    }

    private void send(JsonRpcMessage message) {
        check(outbox.put(message, settings.sendTimeout()));
    }

    private void check(Outbox.Put put) {
        switch (put) {
            case TAKEN, WITHDRAWN -> {}
            case CLOSED -> throw closed(why);
            case FULL -> {
                // a lost message cannot be replaced, so the connection is closed
                ConnectionException stuck =
                        new ConnectionException(
                                "the peer has read nothing for "
                                        + Durations.text(settings.sendTimeout()));
                end(stuck);
                throw stuck;
            }
        }
    }

    /** Returns false at the end. */
    private boolean writeNext() {
        try {
            if (written == burst.size() && !takeBurst()) {
                return false;
            }
            write(burst.get(written));
            written++;
            return true;
        } catch (IOException e) {
            end(lost(e));
        } catch (VirtualMachineError e) { // it is written once there is memory
            throw e;
        } catch (RuntimeException | Error e) { // no other thread would end the connection
            end(broken(e));
        }
        return false;
    }

    /** Flushes the messages that are written, and takes the next; returns false at the end. */
    private boolean takeBurst() throws IOException {
        if (flushing) { // without memory: a part of a message may be written
            end(new ConnectionException("there was no memory to write a message"));
            return false;
        }
        if (!burst.isEmpty() && transport instanceof BufferedTransport buffered) {
            flushing = true;
            buffered.flush();
            flushing = false;
        }
        burst = List.of(); // messages that are written are not kept while none follows
        written = 0;
        burst = outbox.take();
        return !burst.isEmpty();
    }

    /**
     * Writes a message, or an error in its place: a connection does not end because memory is
     * short, and the waiting side is notified.
     */
    private void write(JsonRpcMessage message) throws IOException {
        try {
            transport.send(message);
        } catch (VirtualMachineError e) { // before anything of the message was written
            LimitedLog.failed(
                    LOGGER, Level.ERROR, settings.name(), e, "A message could not be written");
            switch (message) {
                case JsonRpcResponse response ->
                        transport.send(new JsonRpcErrorResponse(response.id(), Handover.EXHAUSTED));
                case JsonRpcRequest request ->
                        session.fail(
                                request.id(),
                                new ConnectionException("the request could not be written", e));
                default -> {} // no side waits
            }
        }
    }

    // ---- receiving

    /** Returns false at the end, or if another thread receives the rest. */
    private boolean readNext() {
        if (relay != null && !relay.isReader()) {
            return false;
        }
        try {
            return receive();
        } catch (IOException e) {
            end(lost(e));
        } catch (VirtualMachineError e) { // the next message may need less memory
            throw e;
        } catch (RuntimeException | Error e) {
            end(broken(e));
        }
        return false;
    }

    /**
     * Accepts no new requests, and waits for the responses to those under way. While the input is
     * open, it also waits for the next requests of calls that have asked the client.
     */
    private void drain() {
        draining = true;
        session.inputEnded();
        long end = System.nanoTime() + settings.answerGrace().toNanos();
        try {
            unanswered.awaitNone(settings.answerGrace());
            if (!inputEnded && requests != null) {
                requests.awaitContinued(Duration.ofNanos(end - System.nanoTime()));
                unanswered.awaitNone(Duration.ofNanos(end - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns false at the end of the input. */
    private boolean receive() throws IOException {
        try {
            JsonRpcMessage message = transport.receive();
            if (message == null) {
                if (server) {
                    inputEnded = true;
                    drain();
                }
                end(null);
                return false;
            }
            if (!closing.get()) { // else read on, so that a peer that ends can write its last
                accept(message);
            }
        } catch (MalformedMessageException e) {
            refuse(e);
        }
        return true;
    }

    private void accept(JsonRpcMessage message) {
        if (message instanceof Batch batch) {
            acceptBatch(batch);
            return;
        }
        if (message instanceof JsonRpcRequest request) {
            if (draining && !RequestMeta.isContinued(request.params())) {
                send(new JsonRpcErrorResponse(request.id(), CLOSING));
                return;
            }
            unanswered.requested();
        }
        Handover.accept(session, message, exchange);
    }

    private void acceptBatch(Batch batch) {
        if (session.revision().filter(Revision.V2025_03_26::equals).isEmpty()) {
            refuse(
                    MalformedMessageException.invalidRequest(
                            "batches belong to revision 2025-03-26"));
            return;
        }
        if (RequestMeta.isAnyClaimed(batch.messages())) {
            refuse(
                    MalformedMessageException.invalidRequest(
                            "requests of revision 2026-07-28 must not be in a batch"));
            return;
        }
        BatchExchange answers =
                new BatchExchange(
                        batch, server ? batch.malformed() : List.of(), context, unanswered);
        answers.begin();
        for (JsonRpcMessage message : batch.messages()) {
            try {
                acceptOfBatch(message, answers);
            } catch (VirtualMachineError e) { // the others of the batch follow
                LimitedLog.failed(
                        LOGGER, Level.ERROR, settings.name(), e, "A message could not be read");
            }
        }
    }

    private void acceptOfBatch(JsonRpcMessage message, BatchExchange answers) {
        if (draining && message instanceof JsonRpcRequest request) {
            answers.send(new JsonRpcErrorResponse(request.id(), CLOSING));
        } else if (message instanceof JsonRpcRequest request
                && request.method().equals("initialize")) {
            answers.send(
                    new JsonRpcErrorResponse(
                            request.id(),
                            new JsonRpcError(
                                    ErrorCode.INVALID_REQUEST,
                                    "Invalid request: initialize must not be in a batch")));
        } else {
            Handover.accept(session, message, answers);
        }
    }

    /** Answers a malformed message as a server, and only logs it as a client. */
    private void refuse(MalformedMessageException malformed) {
        WireLog.received(
                settings.name(),
                () ->
                        "not a message: "
                                + malformed.getMessage()
                                + malformed.text().map(text -> ": " + text).orElse(""));
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                settings.name(),
                "{0}: the {1} sent a line that cannot be read as a message{2} ({3})",
                settings.name(),
                server ? "client" : "server",
                server ? "" : plainText(malformed).map(text -> ": '" + text + "'").orElse(""),
                Printable.excerpt(malformed.getMessage()));
        malformed
                .answered()
                .ifPresent(
                        id ->
                                session.fail(
                                        id,
                                        new ConnectionException(
                                                "the answer cannot be read: "
                                                        + malformed.getMessage(),
                                                malformed)));
        if (server && !closing.get()) {
            try {
                send(malformed.response());
            } catch (ConnectionException e) {
                LOGGER.log(Level.DEBUG, "{0}: an error was not delivered", settings.name());
            }
        }
    }

    /**
     * Returns the line that came in place of a message, if it is plain text, as of a program that
     * prints to its standard output. A line that may be JSON can contain secrets that only a JSON
     * parser finds.
     */
    private static Optional<String> plainText(MalformedMessageException malformed) {
        return malformed
                .text()
                .filter(text -> text.indexOf('{') < 0 && text.indexOf('"') < 0)
                .map(text -> Printable.line(SecretMask.mask(text)));
    }

    // ---- the end

    private static ConnectionException lost(IOException cause) {
        return new ConnectionException("the connection was lost: " + cause.getMessage(), cause);
    }

    /** Creates an exception of its own for each caller. */
    private static ConnectionException closed(@Nullable ConnectionException why) {
        return why == null
                ? new ConnectionException("the connection is closed")
                : new ConnectionException(why.getMessage(), why);
    }

    private ConnectionException broken(Throwable cause) {
        LimitedLog.failed(
                LOGGER,
                Level.ERROR,
                settings.name(),
                cause,
                "{0}: the transport failed",
                settings.name());
        return new ConnectionException("the transport failed", cause);
    }

    /** Starts the end, once; the cause is null for an intended end. */
    private void end(@Nullable ConnectionException cause) {
        if (closing.compareAndSet(false, true)) {
            why = cause; // before any sender can meet the closed outbox
            outbox.close();
            try {
                starter.accept(thread("closer", !server, () -> takeDown(cause)));
            } catch (OutOfMemoryError e) { // the system has no more threads
                takeDown(cause);
            }
        }
    }

    private void takeDown(@Nullable ConnectionException cause) {
        try {
            endSession(cause);
            join(writer, settings.closeGrace());
            transport.close();
            outbox.abandon(); // a response that is written directly may be stuck
            join(writer, settings.closeGrace());
            if (reader != null) {
                join(reader, settings.closeGrace());
            }
        } catch (IOException | RuntimeException e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    settings.name(),
                    e,
                    "{0}: the connection did not end well",
                    settings.name());
        } finally {
            if (relay != null) {
                relay.stop();
            }
            closed.countDown();
        }
    }

    /** Ends the session; a failure of it must not leave the transport open. */
    private void endSession(@Nullable ConnectionException cause) {
        try {
            if (cause == null) {
                session.close();
            } else {
                LOGGER.log(Level.DEBUG, "{0}: {1}", settings.name(), cause.getMessage());
                session.lost(cause);
            }
        } catch (RuntimeException | Error e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.ERROR,
                    settings.name(),
                    e,
                    "{0}: the session did not end well",
                    settings.name());
        }
    }

    private void join(Thread thread, Duration patience) {
        try {
            boolean joinable =
                    thread.getState() != Thread.State.NEW && thread != Thread.currentThread();
            if (joinable && !thread.join(patience)) {
                LOGGER.log(Level.DEBUG, "{0} is still blocked", thread.getName());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // no other code uses the closer
        }
    }

    @Override
    public ServingDescription description() {
        return new ServingDescription(
                settings.name().equals("stdio")
                        ? "standard input and output"
                        : "a transport named " + settings.name());
    }

    @Override
    public void await() throws InterruptedException {
        closed.await();
    }

    /**
     * {@inheritDoc}
     *
     * <p>A server answers the requests under way first, as at the end of the input; after that end,
     * no time is left to them. An interrupt ends that wait, and stays set. A second call waits for
     * the first.
     */
    @Override
    public void close() {
        if (server && !inputEnded && !closing.get() && closeDrains.compareAndSet(false, true)) {
            try {
                drain();
            } finally {
                end(null);
            }
        } else if (!closeDrains.get()) {
            end(null);
        }
        Uninterruptibly.await(closed::await);
    }
}
