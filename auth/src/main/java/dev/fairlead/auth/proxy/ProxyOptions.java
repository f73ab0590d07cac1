package dev.fairlead.auth.proxy;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The options of a proxy; changed only on a copy that nobody else has seen yet. */
final class ProxyOptions {
    final Places places;
    @Nullable Upstream upstream;
    Set<String> scopes = Set.of();
    Set<String> furtherScopes = Set.of();
    Predicate<String> users = subject -> true;
    Duration tokenLifetime = Duration.ofMinutes(15);
    Duration loginLifetime = Duration.ofDays(7);
    Clock clock = Clock.systemUTC();

    ProxyOptions(Places places) {
        this.places = places;
    }

    ProxyOptions with(Consumer<ProxyOptions> change) {
        ProxyOptions copy = new ProxyOptions(places);
        copy.upstream = upstream;
        copy.scopes = scopes;
        copy.furtherScopes = furtherScopes;
        copy.users = users;
        copy.tokenLifetime = tokenLifetime;
        copy.loginLifetime = loginLifetime;
        copy.clock = clock;
        change.accept(copy);
        return copy;
    }

    ProxyTerms terms() {
        return new ProxyTerms(places, scopes, furtherScopes, tokenLifetime, loginLifetime);
    }
}
