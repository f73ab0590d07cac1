package dev.fairlead.auth.proxy;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.IssuerDocument;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds the endpoints of an issuer by its metadata, once for all simultaneous requests. Metadata is
 * used for a while, and longer while it cannot be fetched again. Safe for use by several threads.
 */
final class UpstreamDiscovery {
    /** How long metadata is used before it is fetched again. */
    static final Duration KEPT = Duration.ofHours(1);

    /** How much longer it is used while it cannot be fetched. */
    static final Duration OUTAGE = Duration.ofHours(1);

    /** The time between two attempts to fetch it meanwhile. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    private static final System.Logger LOGGER = System.getLogger(UpstreamDiscovery.class.getName());

    /**
     * The metadata that was fetched.
     *
     * @param next when it is to be fetched again
     * @param end until when it is used if that fails
     */
    private record Known(UpstreamServer server, Instant next, Instant end) {}

    private final String issuer;
    private final IssuerDocument document;
    private final Clock clock;
    private final AtomicReference<@Nullable FutureTask<UpstreamServer>> underWay =
            new AtomicReference<>();
    private volatile @Nullable Known known;

    UpstreamDiscovery(String issuer, Fetch fetch, Clock clock) {
        this.issuer = issuer;
        document = new IssuerDocument(issuer, fetch);
        this.clock = clock;
    }

    /**
     * Returns the metadata. A fetch has a thread of its own, so that the interrupt of one request
     * does not fail the others; they wait for it only if nothing else is known.
     */
    UpstreamServer server() throws IOException {
        Known before = known;
        Instant now = clock.instant();
        if (before != null && now.isBefore(before.next)) {
            return before.server;
        }
        FutureTask<UpstreamServer> own = new FutureTask<>(this::fetched);
        FutureTask<UpstreamServer> other = underWay.compareAndExchange(null, own);
        if (other == null) {
            start(own);
        } else if (before != null && now.isBefore(before.end)) {
            return before.server;
        }
        try {
            return (other == null ? own : other).get();
        } catch (ExecutionException e) {
            throw new IOException("the metadata cannot be fetched", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the wait for the metadata was interrupted");
        }
    }

    private static void start(Runnable fetch) {
        try {
            Thread.ofVirtual().name("mcp-upstream-metadata").start(fetch);
        } catch (Error e) { // there is no thread; others may wait already
            fetch.run();
        }
    }

    private UpstreamServer fetched() throws IOException {
        try {
            Known meanwhile = known;
            if (meanwhile != null && clock.instant().isBefore(meanwhile.next)) {
                return meanwhile.server;
            }
            UpstreamServer found = UpstreamServer.read(document.metadata(), issuer);
            Instant next = clock.instant().plus(KEPT);
            known = new Known(found, next, next.plus(OUTAGE));
            return found;
        } catch (IOException e) {
            return former(e);
        } finally {
            underWay.set(null);
        }
    }

    private UpstreamServer former(IOException failure) throws IOException {
        Known before = known;
        Instant now = clock.instant();
        if (before == null || !now.isBefore(before.end)) {
            throw failure;
        }
        LimitedLog.failed(
                LOGGER,
                Level.WARNING,
                "",
                PlainText.of(failure),
                "The metadata of the upstream cannot be fetched; the former is used");
        known = new Known(before.server, now.plus(PAUSE), before.end);
        return before.server;
    }
}
