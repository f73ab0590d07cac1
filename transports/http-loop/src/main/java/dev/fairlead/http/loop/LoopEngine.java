package dev.fairlead.http.loop;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.http.spi.Route;

import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Plain HTTP/1.1 on a few selector loops. No thread is held by a connection that waits. Requests
 * that are handled quickly are handled on the loop, whose thread is replaced when a handler blocks,
 * and others on a virtual thread of their own. The loops are virtual threads from JDK 24 on, where
 * a virtual thread that waits at a selector holds no other, and platform threads before.
 */
public final class LoopEngine implements HttpEngine {
    private static final int VIRTUAL_SELECTORS = 24;

    /**
     * The value {@code platform} selects platform threads for the loops, as on older JDKs, for
     * tests.
     */
    private static final String LOOPS = "fairlead.loops";

    private final boolean virtual;
    private final LongSupplier nanoTime;

    /** Called by {@link java.util.ServiceLoader}. */
    public LoopEngine() {
        this(
                Runtime.version().feature() >= VIRTUAL_SELECTORS
                        && !"platform".equals(System.getProperty(LOOPS)));
    }

    LoopEngine(boolean virtual) {
        this(virtual, System::nanoTime);
    }

    /**
     * @param nanoTime measures how long requests are handled
     */
    LoopEngine(boolean virtual, LongSupplier nanoTime) {
        this.virtual = virtual;
        this.nanoTime = nanoTime;
    }

    @Override
    public String name() {
        return "loop";
    }

    /** Taken before an engine that can do more. */
    @Override
    public int priority() {
        return 1;
    }

    /** Plain HTTP/1.1 is served. */
    @Override
    public boolean serves(EngineSettings settings) {
        return settings.tls() == null && settings.http2() != Http2.ALWAYS;
    }

    @Override
    public Listening listen(EngineSettings settings, List<Route> routes) throws IOException {
        if (!serves(settings)) {
            throw new IllegalArgumentException("only plain HTTP/1.1 is served");
        }
        Thread.Builder threads = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        threads.inheritInheritableThreadLocals(false); // a relay sets the class loader
        int ioThreads = settings.ioThreads();
        return new Port(
                settings,
                routes,
                ioThreads == 0 ? defaultIoThreads() : ioThreads,
                threads.name("mcp-http-loop-", 0).factory(),
                nanoTime,
                new BytesAhead());
    }

    /** Fewer loops cost less, and handlers need processors too. */
    private static int defaultIoThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
