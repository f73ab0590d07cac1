package dev.fairlead.auth.proxy;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.IssuerDocument;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Finds the endpoints of an issuer by its metadata. Safe for use by several threads. */
final class UpstreamDiscovery {
    /** How long metadata is used before it is fetched again. */
    static final Duration KEPT = Duration.ofHours(1);

    private record Known(UpstreamServer server, Instant until) {}

    private final String issuer;
    private final IssuerDocument document;
    private final Clock clock;
    private volatile @Nullable Known known;

    UpstreamDiscovery(String issuer, Fetch fetch, Clock clock) {
        this.issuer = issuer;
        document = new IssuerDocument(issuer, fetch);
        this.clock = clock;
    }

    UpstreamServer server() throws IOException {
        Known before = known;
        if (before != null && clock.instant().isBefore(before.until)) {
            return before.server;
        }
        UpstreamServer found = UpstreamServer.read(document.metadata(), issuer);
        known = new Known(found, clock.instant().plus(KEPT));
        return found;
    }
}
