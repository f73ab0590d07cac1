package dev.fairlead.http.client;

import dev.fairlead.http.blocking.BlockingExchange;
import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.blocking.IncomingResponse;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.http.blocking.TunnelRefusedException;
import dev.fairlead.protocol.engine.WireLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * HTTP exchanges that follow one another on one thread, such as a POST and the GETs that resume its
 * stream, which any other thread can stop: a wait for an answer, for a body or for time to pass
 * then ends at once. No thread is interrupted for that, since the one that reads also hands
 * messages to the session; only a wait for authorization is ended so. Where the thread that waits
 * for the response makes the exchange, an interrupt by others closes the connection.
 *
 * <p>The lock guards the fields and is not held while anything waits for the network.
 */
final class CancellableExchange implements AutoCloseable {
    /** The name of the transport for logs. */
    static final String TRANSPORT = "http";

    private static final int PROXY_AUTHENTICATION = 407;

    private static final System.Logger LOGGER =
            System.getLogger(CancellableExchange.class.getName());

    private final ExchangePool exchanges;
    private final ConnectorOptions options;
    private final Authorizing authorizing = new Authorizing();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stop = lock.newCondition();
    private boolean stopped;
    private @Nullable BlockingExchange exchange;
    private volatile Consumer<Boolean> held = waits -> {};

    CancellableExchange(ExchangePool exchanges, ConnectorOptions options) {
        this.exchanges = exchanges;
        this.options = options;
    }

    /**
     * Sets the listener for when a request begins to wait for authorization, and when it continues.
     */
    void onHeld(Consumer<Boolean> listener) {
        held = listener;
    }

    /** Returns whether a request waits for authorization. */
    boolean isHeld() {
        return authorizing.isWaiting();
    }

    /**
     * Has a request authorized, sends it, as often as that takes, and waits for the head of the
     * answer.
     *
     * @param repeatable whether it may be sent twice, see {@link Repeatable}; asked when it would
     *     be
     * @throws IOException if there is none, or this is stopped
     * @throws AuthorizationException if it is not authorized
     */
    Answer send(OutgoingRequest request, BooleanSupplier repeatable) throws IOException {
        OutgoingRequest sent = request.at(exchanges.located(request.uri()));
        Answer answer = authorized(sent, repeatable);
        Optional<URI> neighbour = Redirect.followed(answer, sent.uri());
        if (neighbour.isEmpty()) {
            return answer;
        }
        answer.close();
        exchanges.moved(sent.uri(), neighbour.get());
        return authorized(request.at(neighbour.get()), repeatable);
    }

    private Answer authorized(OutgoingRequest request, BooleanSupplier repeatable)
            throws IOException {
        ClientAuthorization authorization = options.authorization;
        if (authorization == null) {
            return repeated(() -> request, repeatable);
        }
        RequestAuthorization authorized =
                authorization.request(options.endpoint, request.method(), request.uri());
        while (true) {
            Answer answered =
                    repeated(
                            () -> authorizing.wait(() -> with(request, authorized.headers()), held),
                            repeatable);
            if (!isAgain(authorized, answered)) {
                return answered;
            }
        }
    }

    /**
     * Makes the request to send; each time with new headers, such as a proof that is valid once.
     */
    private interface Sent {
        OutgoingRequest next() throws IOException;
    }

    private Answer repeated(Sent sent, BooleanSupplier repeatable) throws IOException {
        OutgoingRequest first = sent.next();
        boolean kept = exchanges.mayKeepConnections();
        try {
            return exchange(first);
        } catch (IOException e) {
            boolean isInterrupted = Thread.currentThread().isInterrupted();
            if (!kept || isInterrupted || !ConnectFailure.isLost(e) || !repeatable.getAsBoolean()) {
                throw e;
            }
            LOGGER.log(
                    Level.DEBUG,
                    "{0} is sent again, since a connection that was kept has ended: {1}",
                    first.method(),
                    e.toString());
            return exchange(sent.next());
        }
    }

    private static OutgoingRequest with(OutgoingRequest request, Map<String, String> headers) {
        HeaderFields copy = request.headers().copy();
        headers.forEach(copy::set);
        return new OutgoingRequest(request.method(), request.uri(), copy, request.body());
    }

    private static HttpHeaders copy(HeaderFields headers) {
        return HttpHeaders.of(headers.toMap(), (name, value) -> true);
    }

    /** Closes the answer unless it is to be taken. */
    private boolean isAgain(RequestAuthorization authorized, Answer answered) throws IOException {
        boolean taken = false;
        try {
            taken =
                    !authorizing.wait(
                            () -> authorized.again(answered.status(), copy(answered.headers())),
                            held);
            return !taken;
        } finally {
            if (!taken) {
                answered.close();
            }
        }
    }

    private BlockingExchange begin(OutgoingRequest request) throws IOException {
        BlockingExchange begun = exchanges.exchange(request);
        lock.lock();
        try {
            if (stopped) {
                throw stopped(null);
            }
            exchange = begun;
            return begun;
        } finally {
            lock.unlock();
        }
    }

    private Answer exchange(OutgoingRequest request) throws IOException {
        BlockingExchange begun = begin(request);
        WireLog.sent(TRANSPORT, () -> Heads.of(request));
        try {
            Answer answer = new Answer(request, begun.send());
            WireLog.received(TRANSPORT, () -> Heads.of(answer));
            return answer;
        } catch (TunnelRefusedException e) {
            if (e.status() != PROXY_AUTHENTICATION) {
                throw e;
            }
            return new Answer(request, IncomingResponse.empty(e.status()));
        } catch (IOException e) {
            throw isStopped() ? stopped(e) : e;
        }
    }

    private boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    static IOException stopped(@Nullable Exception cause) {
        InterruptedIOException e = new InterruptedIOException("stopped");
        e.initCause(cause);
        return e;
    }

    /**
     * Waits.
     *
     * @return false if this was stopped before the time was over
     */
    boolean pause(Duration time) {
        long left = TimeUnit.NANOSECONDS.convert(options.pauses.apply(time));
        lock.lock();
        try {
            while (!stopped && left > 0) {
                left = stop.awaitNanos(left);
            }
            return !stopped;
        } catch (InterruptedException e) { // the threads of a connection are not interrupted
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Continues with this exchange on a thread of the connection. */
    void continueWith(Runnable action) {
        exchanges.run(action);
    }

    /** Stops this exchange when the time is over, unless it is closed before. */
    void stopAfter(Duration time) {
        exchanges.run(
                () -> {
                    if (pause(time)) {
                        stop();
                    }
                });
    }

    /** Ends the current exchange and prevents later ones; may be called more than once. */
    void stop() {
        BlockingExchange begun;
        lock.lock();
        try {
            stopped = true;
            begun = exchange;
            stop.signalAll();
        } finally {
            lock.unlock();
        }
        authorizing.stop();
        if (begun != null) {
            begun.abort();
        }
    }

    @Override
    public void close() {
        stop();
        exchanges.forget(this);
    }
}
