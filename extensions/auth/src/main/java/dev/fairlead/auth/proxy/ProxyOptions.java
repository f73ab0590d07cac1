package dev.fairlead.auth.proxy;

import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;

/** The options of a proxy. */
final class ProxyOptions extends CopyOnChange<ProxyOptions> {
    final Places places;
    @Nullable Upstream upstream;
    Set<String> scopes = Set.of();
    Set<String> furtherScopes = Set.of();
    Predicate<String> users = subject -> true;
    Duration tokenLifetime = Duration.ofMinutes(15);
    Duration loginLifetime = Duration.ofDays(7);
    OwnedValues.Share registrations =
            new OwnedValues.Share(Clients.MAX_NEW_OF_ADDRESS, Clients.MAX_NEW);
    OwnedValues.Share pending = new OwnedValues.Share(Forwarding.MAX_OF_ADDRESS, Forwarding.MAX);
    OwnedValues.Share logins = new OwnedValues.Share(Logins.MAX_OF_PERSON, Logins.MAX);
    OwnedValues.@Nullable Source store;

    /** The title or the name of the server; empty where it is not known. */
    String server = "";

    Clock clock = Clock.systemUTC();

    ProxyOptions(Places places) {
        this.places = places;
    }

    ProxyTerms terms() {
        return new ProxyTerms(places, server, scopes, furtherScopes, tokenLifetime, loginLifetime);
    }
}
