package dev.fairlead.http;

import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.protocol.Serving;

import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A server on its port. */
public final class HttpServing implements Serving {
    private final HttpMount mount;
    private final Listening listening;
    private final URI uri;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    HttpServing(HttpMount mount, Listening listening, String scheme, String host) {
        this.mount = mount;
        this.listening = listening;
        String name = host.contains(":") ? "[" + host + "]" : host;
        String path = mount.routes().get(0).path();
        this.uri = URI.create(scheme + "://" + name + ":" + listening.port() + path);
        // The engine's threads are daemons, so this one keeps the JVM alive.
        Thread.ofPlatform().name("mcp-http-" + listening.port()).start(this::awaitClosed);
    }

    /** Where clients reach the server, with the host that was bound. */
    public URI uri() {
        return uri;
    }

    /** The port that was bound. */
    public int port() {
        return listening.port();
    }

    /** How many sessions are open. */
    public int sessions() {
        return mount.sessions();
    }

    /** What the endpoint does just now. */
    public HttpMetrics metrics() {
        return mount.metrics();
    }

    @Override
    public void await() throws InterruptedException {
        closed.await();
    }

    /**
     * Stops accepting, waits for requests under way as long as {@link HttpOptions#shutdownGrace}
     * says, ends the sessions and frees the port. An interrupt makes it wait no longer.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            try {
                listening.stopAccepting();
                mount.close();
            } finally {
                stopListening();
                closed.countDown();
            }
        } else {
            awaitClosed();
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

    private void awaitClosed() {
        boolean interrupted = false;
        while (true) {
            try {
                closed.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
