package dev.fairlead.auth.proxy;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * The clients that have registered. Anybody can register, so those with which nobody has logged in
 * yet are few and soon forgotten, and however many come, they displace none of the others. Safe for
 * use by several threads.
 */
final class Clients {
    static final int MAX_NEW = 1_000;
    static final Duration NEW = Duration.ofHours(1);
    static final int MAX_USED = 10_000;
    static final Duration USED = Duration.ofDays(90);

    private final Bounded<RegisteredClient> fresh;
    private final Bounded<RegisteredClient> used;

    Clients(Clock clock) {
        fresh = new Bounded<>(MAX_NEW, NEW, clock);
        used = new Bounded<>(MAX_USED, USED, clock);
    }

    void register(RegisteredClient client) {
        fresh.put(client.id(), client);
    }

    Optional<RegisteredClient> find(String id) {
        return used.find(id).or(() -> fresh.find(id));
    }

    /**
     * The id of the client that sends a form. Clients have no secrets; what they show besides is
     * bound to them.
     */
    String known(Form form) throws OAuthFailure {
        return find(form.need("client_id"))
                .map(RegisteredClient::id)
                .orElseThrow(
                        () ->
                                new OAuthFailure(
                                        401,
                                        "invalid_client",
                                        "The client is not registered here, or no longer"));
    }

    /** Somebody has logged in with it. */
    void used(RegisteredClient client) {
        used.put(client.id(), client);
        fresh.take(client.id());
    }
}
