package dev.fairlead.auth.proxy;

import dev.fairlead.auth.wire.Origin;
import dev.fairlead.protocol.OwnedValues;

import java.time.Duration;
import java.util.Optional;

/**
 * The clients that have registered. Any client can register, so those with which no person has
 * logged in yet are few, of each address and in all, and soon forgotten; however many come, they
 * displace none of the others. Safe for use by several threads.
 */
final class Clients {
    static final int MAX_NEW_OF_ADDRESS = 100;
    static final int MAX_NEW = 1_000;
    static final Duration NEW = Duration.ofHours(1);

    /** Clients that one person alone has logged in with, or that others with more clients have. */
    static final int MAX_USED_OF_PERSON = 200;

    static final int MAX_USED = 10_000;
    static final Duration USED = Duration.ofDays(90);

    private final OwnedValues.Share share;
    private final SealedValues<RegisteredClient> fresh;
    private final SealedValues<RegisteredClient> used;

    /**
     * @param share of clients with which no person has logged in yet: of an address, and in all
     */
    Clients(OwnedValues.Source store, OwnedValues.Share share) {
        this.share = share;
        fresh = new SealedValues<>(store, "new clients", share, NEW, RegisteredClient.class);
        used =
                new SealedValues<>(
                        store,
                        "clients",
                        new OwnedValues.Share(MAX_USED_OF_PERSON, MAX_USED),
                        USED,
                        RegisteredClient.class);
    }

    /**
     * Registers a client.
     *
     * @throws OAuthFailure if there are too many that no person has logged in with
     */
    void register(RegisteredClient client, Origin from) throws OAuthFailure {
        if (!fresh.put(from.address(), from.most(share), client.id(), client)) {
            throw OAuthFailure.tooMany(
                    "Registration limit reached ("
                            + share.ofOwner()
                            + " of an address, "
                            + share.inAll()
                            + " in all, that no person has logged in with); try again later, or"
                            + " raise AuthorizationProxy.registrationLimit");
        }
    }

    Optional<RegisteredClient> find(String id) throws OAuthFailure {
        Optional<RegisteredClient> known = used.find(id).map(SealedValues.Found::value);
        return known.isPresent() ? known : fresh.find(id).map(SealedValues.Found::value);
    }

    /**
     * The id of the client that sends a form. Clients have no secrets; their codes and tokens are
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

    /** A person has logged in with it. */
    void used(RegisteredClient client, String subject) throws OAuthFailure {
        used.putForOldest(subject, client.id(), client);
        fresh.take(client.id());
    }
}
