package dev.fairlead.http;

import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.ServingDescription;
import dev.fairlead.protocol.time.Uninterruptibly;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server on its port. */
public final class HttpServing implements Serving {
    private final HttpMount mount;
    private final Listening listening;
    private final PortSettings settings;
    private final URI uri;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    HttpServing(HttpMount mount, Listening listening, String scheme, PortSettings settings) {
        this.mount = mount;
        this.settings = settings;
        this.listening = listening;
        this.uri = uri(scheme, settings.host, listening.port(), mount.routes().get(0).path());
        mount.servedAt(local(uri));
        // The engine's threads are daemons, so this one keeps the JVM alive.
        Thread.ofPlatform()
                .name("mcp-http-" + listening.port())
                .start(() -> Uninterruptibly.await(closed::await));
    }

    /** Returns the URL on this machine, also where all addresses of it are bound. */
    private static URI local(URI url) {
        return switch (url.getHost()) {
            case "0.0.0.0" -> URI.create(url.toString().replace("0.0.0.0", "127.0.0.1"));
            case "[::]" -> URI.create(url.toString().replace("[::]", "[::1]"));
            default -> url;
        };
    }

    static URI uri(String scheme, String host, int port, String path) {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return URI.create(scheme + "://" + name + ":" + port + path);
    }

    /** Returns the URL at which clients reach the server, with the host that was bound. */
    public URI uri() {
        return uri;
    }

    /** The port that was bound. */
    public int port() {
        return listening.port();
    }

    /** Returns how many sessions are open. */
    public int sessions() {
        return mount.sessions();
    }

    /** Returns the current figures of the endpoint. */
    public HttpMetrics metrics() {
        return mount.metrics();
    }

    @Override
    public ServingDescription description() {
        ServingDescription mounted = mount.description();
        Map<String, String> changed = new LinkedHashMap<>(mounted.changedLimits());
        changed.putAll(settings.changedLimits());
        return new ServingDescription(uri.toString(), mounted.details(), changed);
    }

    @Override
    public void await() throws InterruptedException {
        closed.await();
    }

    /**
     * Drains the endpoint and frees the port; returns when that is done. May be called from any
     * thread, so also from a shutdown hook.
     *
     * <p>First it takes nothing new: requests, sessions and streams are refused with 503 and the
     * connection is closed, and {@link HttpOptions#health} answers 503. Requests under way may end
     * as long as {@link HttpOptions#shutdownGrace} says, and meanwhile the port stays open for
     * answers to their questions, for the next rounds of calls, and for clients that resume their
     * streams. Held calls of the server that wait for their client have the same time. Then no more
     * connections are taken, and answers of other nodes that are under way are passed on. The
     * streams end with a {@code retry}, so that clients reconnect elsewhere, and the sessions end.
     * Clients may read the remaining bytes for the rest of that time, or a second. An interrupt
     * makes it wait no longer.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            try {
                mount.drain();
                stopAccepting();
                mount.close();
                awaitAnswered();
            } finally {
                try {
                    stopListening();
                } finally { // also without memory: await() waits for it
                    closed.countDown();
                }
            }
        } else {
            Uninterruptibly.await(closed::await);
        }
    }

    private void stopAccepting() {
        try {
            listening.stopAccepting(Listening.FIRST_REQUEST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnswered() {
        try {
            listening.awaitAnswered(mount.left());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** An interrupt, which ended the grace, is not to reach the engine. */
    private void stopListening() {
        boolean interrupted = Thread.interrupted();
        try {
            listening.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
