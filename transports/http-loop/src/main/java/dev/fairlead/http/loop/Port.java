package dev.fairlead.http.loop;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.time.Unanswered;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** A port that is served, its loops, and the state shared by their connections. Thread-safe. */
final class Port implements HttpEngine.Listening {
    /** Connections that may wait to be accepted: many clients may come at once. */
    static final int BACKLOG = 1024;

    private final Duration clientTimeout;
    private final Map<String, PacedRoute> routes;
    private final Unanswered unanswered = new Unanswered();

    /** The connections on which no request has come yet. */
    private final Unanswered unasked = new Unanswered();

    private final BytesAhead bytesAhead;
    private final List<Loop> loops = new ArrayList<>();
    private final ServerSocketChannel channel;
    private final Acceptor acceptor;
    private final int number;

    Port(EngineSettings settings, List<Route> routes, int ioThreads, ThreadFactory loopThreads)
            throws IOException {
        this(settings, routes, ioThreads, loopThreads, System::nanoTime, new BytesAhead());
    }

    /**
     * Takes the clock and the limit that tests choose as well.
     *
     * @param nanoTime measures how long requests are handled
     * @param bytesAhead the room for bytes that clients send ahead
     */
    Port(
            EngineSettings settings,
            List<Route> routes,
            int ioThreads,
            ThreadFactory loopThreads,
            LongSupplier nanoTime,
            BytesAhead bytesAhead)
            throws IOException {
        this.bytesAhead = bytesAhead;
        this.clientTimeout = settings.clientTimeout();
        this.routes =
                routes.stream()
                        .collect(
                                Collectors.toUnmodifiableMap(
                                        Route::path, route -> new PacedRoute(route, nanoTime)));
        this.channel = bind(settings);
        try {
            this.number = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            for (int i = 0; i < ioThreads; i++) {
                loops.add(new Loop("loop " + i + " of port " + number, loopThreads, clientTimeout));
            }
            this.acceptor = new Acceptor(channel, this, loops, settings.maxConnections());
            loops.forEach(Loop::start);
        } catch (IOException | RuntimeException | Error e) {
            loops.forEach(Loop::abandon);
            channel.close();
            throw e;
        }
    }

    private static ServerSocketChannel bind(EngineSettings settings) throws IOException {
        InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
        if (address.isUnresolved()) {
            throw settings.cannotListen(new UnknownHostException("the host is unknown"));
        }
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            return channel.bind(address, BACKLOG);
        } catch (SocketException e) {
            channel.close();
            throw settings.cannotListen(e);
        }
    }

    Duration clientTimeout() {
        return clientTimeout;
    }

    Unanswered unanswered() {
        return unanswered;
    }

    Unanswered unasked() {
        return unasked;
    }

    BytesAhead bytesAhead() {
        return bytesAhead;
    }

    /** Returns the route of a path, or the one for all other paths; null if there is neither. */
    @Nullable PacedRoute route(String path) {
        PacedRoute route = routes.get(path);
        return route == null ? routes.get(Route.OTHERS) : route;
    }

    /** A connection was closed. */
    void disconnected() {
        acceptor.closed();
    }

    @Override
    public int port() {
        return number;
    }

    @Override
    public void stopAccepting(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        CountDownLatch stopped = new CountDownLatch(1);
        loops.get(0)
                .execute(
                        () -> {
                            acceptor.acceptLast();
                            stopped.countDown();
                        });
        if (stopped.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
            unasked.awaitNone(Duration.ofNanos(end - System.nanoTime()));
        }
    }

    @Override
    public void renew(EngineSettings.Tls tls) throws IOException {
        throw new IOException("there is no TLS that could have another certificate");
    }

    @Override
    public void awaitAnswered(Duration limit) throws InterruptedException {
        unanswered.awaitNone(limit);
    }

    @Override
    public void close() {
        loops.forEach(loop -> Uninterruptibly.await(loop::stop));
    }
}
