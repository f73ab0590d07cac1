package dev.fairlead.http;

import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.ServingDescription;
import dev.fairlead.protocol.time.Uninterruptibly;

import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A console on a port of its own, without an MCP endpoint. */
public final class ConsoleServing implements Serving {
    private final HttpConsole.Mounted console;
    private final Listening listening;
    private final URI uri;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    ConsoleServing(HttpConsole.Mounted console, Listening listening, URI uri) {
        this.console = console;
        this.listening = listening;
        this.uri = uri;
        // The engine's threads are daemons, so this one keeps the JVM alive.
        Thread.ofPlatform()
                .name("mcp-console-" + listening.port())
                .start(() -> Uninterruptibly.await(closed::await));
    }

    /** Returns the URL of the console, without the secret that gives access. */
    public URI uri() {
        return uri;
    }

    @Override
    public ServingDescription description() {
        return new ServingDescription(uri.toString());
    }

    @Override
    public void await() throws InterruptedException {
        closed.await();
    }

    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            try {
                console.close();
                listening.close();
            } finally {
                closed.countDown();
            }
        } else {
            Uninterruptibly.await(closed::await);
        }
    }
}
