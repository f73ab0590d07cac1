package dev.fairlead.http.blocking;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;

/** One request and its response. {@link #send} is called once; any thread may {@link #abort}. */
public final class BlockingExchange {
    private final BlockingClient client;
    private final OutgoingRequest request;
    private final AtomicReference<@Nullable SocketConnection> held = new AtomicReference<>();
    private volatile @Nullable Future<?> awaited;
    private volatile boolean aborted;

    BlockingExchange(BlockingClient client, OutgoingRequest request) {
        this.client = client;
        this.request = request;
    }

    /**
     * Sends the request and waits for the head of the response.
     *
     * @throws java.net.ConnectException if there is no connection; nothing was sent then
     * @throws java.net.http.HttpConnectTimeoutException if none was made in time; likewise
     * @throws TunnelRefusedException if a proxy makes none; likewise
     * @throws java.net.ProtocolException if the server does not speak HTTP/1.1
     */
    public IncomingResponse send() throws IOException {
        try {
            SocketConnection connection = client.kept(Origin.of(request.uri()));
            if (connection == null) {
                connection = client.connect(this, request.uri());
            } else {
                hold(connection);
            }
            return exchange(connection);
        } catch (Throwable e) {
            end();
            throw e;
        }
    }

    private IncomingResponse exchange(SocketConnection connection) throws IOException {
        IOException unwritten = null;
        try {
            connection.write(request.head(connection.forwarding()), request.body());
        } catch (IOException e) {
            unwritten = e; // a server may answer without reading all
        }
        try {
            ResponseHead head = ResponseHead.read(connection);
            client.answered();
            long length = head.length();
            return new IncomingResponse(
                    head.status(),
                    head.headers(),
                    length < 0 ? Long.MAX_VALUE : length,
                    new ResponseBody(this, connection, head));
        } catch (IOException e) {
            throw unwritten == null ? e : unwritten;
        }
    }

    /** Waits for a step of another thread; the wait ends with this exchange. */
    <T> T await(Future<T> step) throws IOException {
        awaited = step;
        if (aborted) {
            step.cancel(true);
        }
        try {
            return step.get();
        } catch (InterruptedException | CancellationException e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw (IOException) new InterruptedIOException("aborted").initCause(e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IOException(e);
            }
        } finally {
            step.cancel(true);
            awaited = null;
        }
    }

    /** Has the connection end with this exchange. */
    void hold(SocketConnection connection) throws IOException {
        held.set(connection);
        if (aborted) {
            end();
            throw new InterruptedIOException("aborted");
        }
    }

    /** Fails if the exchange has ended, so that its connection may serve another. */
    void requireOpen() throws IOException {
        if (held.get() == null) {
            throw new IOException("closed");
        }
    }

    /** Ends the exchange in any state: a wait of its thread fails. */
    public void abort() {
        aborted = true;
        Future<?> step = awaited;
        if (step != null) {
            step.cancel(true);
        }
        end();
    }

    private void end() {
        ended(Duration.ZERO);
    }

    /**
     * Gives the connection back, or closes it; does nothing the second time.
     *
     * @param kept how long it may wait for the next exchange; zero to close it
     */
    void ended(Duration kept) {
        SocketConnection connection = held.getAndSet(null);
        if (connection == null) {
            return;
        }
        if (kept.isPositive()) {
            client.keep(connection, kept);
        } else {
            connection.close();
        }
    }
}
