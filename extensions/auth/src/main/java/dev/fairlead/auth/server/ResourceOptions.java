package dev.fairlead.auth.server;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.auth.fetch.NamedHosts;
import dev.fairlead.protocol.OneTimeValues;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The options of a {@link ResourceServer}. */
final class ResourceOptions extends CopyOnChange<ResourceOptions> {
    /** The limit of a connect, shorter than usual, since requests wait for these fetches. */
    static final Duration CONNECT = Duration.ofSeconds(5);

    static final Duration TOTAL = Duration.ofSeconds(10);
    static final int MAX_SIZE = 256 * 1024;

    final URI resource;

    /** The URLs of the keys of each trusted issuer; null to take it from its metadata. */
    Map<String, @Nullable URI> keys = new LinkedHashMap<>();

    List<Introspection.Terms> introspections = new ArrayList<>();
    List<StaticToken.Terms> staticTokens = new ArrayList<>();
    List<TokenVerifier> verifiers = new ArrayList<>();

    /** The issuers that the metadata of the resource names. */
    Set<String> issuers = new LinkedHashSet<>();

    Set<String> audience = new LinkedHashSet<>();
    Set<String> scopes = Set.of();
    Duration clockSkew = Duration.ofSeconds(60);
    @Nullable UrlPolicy policy;
    Clock clock = Clock.systemUTC();

    boolean requiresDpop;

    /** The secret of the nonces; null where proofs need none. */
    @Nullable Supplier<byte[]> nonceSecret;

    /** The proofs that all nodes have used; null for those of this process alone. */
    @Nullable OneTimeValues sharedProofs;

    int maxProofs = UsedProofs.MAX;
    int maxProofsOfKey = UsedProofs.MAX_OF_KEY;

    FetchLimits limits = new FetchLimits(CONNECT, TOTAL, MAX_SIZE, 3);

    ResourceOptions(URI resource) {
        this.resource = resource;
        audience.add(resource.toString());
    }

    @Override
    public ResourceOptions copy() {
        ResourceOptions copy = super.copy();
        copy.keys = new LinkedHashMap<>(keys);
        copy.introspections = new ArrayList<>(introspections);
        copy.staticTokens = new ArrayList<>(staticTokens);
        copy.verifiers = new ArrayList<>(verifiers);
        copy.issuers = new LinkedHashSet<>(issuers);
        copy.audience = new LinkedHashSet<>(audience);
        return copy;
    }

    /** Returns whether a token for these was issued for this resource. */
    boolean isMeantBy(Set<String> audienceOfToken) {
        return !Collections.disjoint(audienceOfToken, audience);
    }

    UsedProofs usedProofs() {
        return new UsedProofs(
                ProofVerifier.repeatable(clockSkew), maxProofs, maxProofsOfKey, sharedProofs);
    }

    /** The hosts that the operator has named may have any address. */
    UrlPolicy urls() {
        if (policy != null) {
            return policy;
        }
        return new NamedHosts(named(), true, UrlPolicy.publicOnly());
    }

    /** The hosts of the issuers, and of the places where they are asked. */
    private Set<String> named() {
        Set<String> hosts = new LinkedHashSet<>();
        keys.forEach(
                (issuer, place) -> {
                    hosts.add(host(URI.create(issuer)));
                    hosts.add(host(place));
                });
        for (Introspection.Terms terms : introspections) {
            hosts.add(host(URI.create(terms.issuer())));
            hosts.add(host(terms.endpoint()));
        }
        hosts.remove("");
        return hosts;
    }

    private static String host(@Nullable URI url) {
        return url == null || url.getHost() == null ? "" : url.getHost();
    }
}
