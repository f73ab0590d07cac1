package dev.fairlead.auth.proxy;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.fetch.NamedHosts;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The options of an {@link Upstream}. */
final class UpstreamOptions extends CopyOnChange<UpstreamOptions> {
    static final Duration CONNECT = Duration.ofSeconds(5);
    static final Duration TOTAL = Duration.ofSeconds(10);
    static final int MAX_SIZE = 256 * 1024;

    private static final FetchLimits LIMITS = new FetchLimits(CONNECT, TOTAL, MAX_SIZE, 3);

    /**
     * The endpoints that the application set; null to take them from the metadata of the issuer.
     */
    @Nullable UpstreamServer fixed;

    /** Whose metadata it is. */
    String issuer = "";

    String clientId = "";
    @Nullable Secret secret;
    List<String> scopes = List.of();

    /** Identifies the user; null where the ID token does. */
    @Nullable Function<Fetch, UpstreamUser> user;

    /** The hosts that the operator has named. */
    Set<String> hosts = Set.of();

    @Nullable UrlPolicy policy;

    void name(URI url) {
        Set<String> named = new HashSet<>(hosts);
        named.add(url.getHost());
        hosts = Collections.unmodifiableSet(named);
    }

    Fetch fetch() {
        UrlPolicy usual = new NamedHosts(hosts, true, UrlPolicy.publicOnly());
        return new Fetch(policy == null ? usual : policy, LIMITS);
    }
}
