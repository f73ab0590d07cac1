package dev.fairlead.auth.server;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.OutageTolerantJWKSetSource;
import com.nimbusds.jose.jwk.source.RateLimitedJWKSetSource;
import com.nimbusds.jose.jwk.source.RefreshAheadCachingJWKSetSource;
import com.nimbusds.jose.proc.SecurityContext;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.IssuerDocument;
import dev.fairlead.auth.fetch.PublishedKeys;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The keys with which an issuer signs, as its metadata or its operator says where they are. Safe
 * for use by several threads.
 */
final class IssuerKeys implements JWKSetSource<SecurityContext> {
    /** How long keys are used before they are fetched again. */
    static final Duration KEPT = Duration.ofMinutes(5);

    /** How long before that they are fetched, while the old ones are used. */
    private static final Duration AHEAD = Duration.ofSeconds(60);

    /** How long they are used while the issuer does not answer. */
    static final Duration OUTAGE = Duration.ofHours(1);

    /** The time in which the keys are fetched at most twice, also for unknown keys of tokens. */
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** How long a request waits for others that fetch them. */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String issuer;
    private final @Nullable URI configured;
    private final IssuerDocument document;
    private final PublishedKeys published;
    private volatile boolean loaded;

    /**
     * @param configured where the keys are; null if the metadata of the issuer says so
     */
    IssuerKeys(String issuer, @Nullable URI configured, Fetch fetch) {
        this.issuer = issuer;
        this.configured = configured;
        document = new IssuerDocument(issuer, fetch);
        published = new PublishedKeys(issuer);
    }

    /**
     * Returns whether keys were ever fetched, so that a key that is not found is unknown to the
     * issuer.
     */
    boolean isLoaded() {
        return loaded;
    }

    /** These keys, kept for a while. */
    JWKSource<SecurityContext> kept() {
        ExecutorService refreshing =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("mcp-issuer-keys").factory());
        var tolerant = new OutageTolerantJWKSetSource<>(this, OUTAGE.toMillis(), null);
        var limited = new RateLimitedJWKSetSource<>(tolerant, PAUSE.toMillis(), null);
        return new JWKSetBasedJWKSource<>(
                new RefreshAheadCachingJWKSetSource<>(
                        limited,
                        KEPT.toMillis(),
                        PATIENCE.toMillis(),
                        AHEAD.toMillis(),
                        false,
                        refreshing,
                        false,
                        null));
    }

    @Override
    public JWKSet getJWKSet(
            JWKSetCacheRefreshEvaluator evaluator, long now, @Nullable SecurityContext context)
            throws KeySourceException {
        try {
            URI place = configured == null ? document.place("jwks_uri") : configured;
            JWKSet keys = published.read(document.text(place));
            loaded = true;
            return keys;
        } catch (IOException | ParseException e) {
            throw new JWKSetUnavailableException("the keys of " + issuer + " are not there", e);
        }
    }

    @Override
    public void close() {}
}
