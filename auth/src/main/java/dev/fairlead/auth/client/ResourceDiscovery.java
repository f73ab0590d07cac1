package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.http.client.AuthorizationException;

import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds what a server says of its authorization: where its challenge says, else at the well-known
 * place for its path, else at the one for its origin (AUTH-014).
 */
final class ResourceDiscovery {
    private static final System.Logger LOGGER = System.getLogger(ResourceDiscovery.class.getName());
    private static final String SUFFIX = "oauth-protected-resource";

    private final Fetch fetch;

    ResourceDiscovery(Fetch fetch) {
        this.fetch = fetch;
    }

    /**
     * Empty if it says nothing anywhere.
     *
     * @throws AuthorizationException if what it says is about another resource (AUTH-067)
     */
    Optional<ProtectedResource> find(URI server, Optional<Challenge> challenge)
            throws InterruptedIOException {
        for (URI place : places(server, challenge)) {
            Optional<Document> document = Document.at(place, fetch);
            if (document.isPresent()) {
                return Optional.of(read(document.get(), server));
            }
        }
        return Optional.empty();
    }

    private static List<URI> places(URI server, Optional<Challenge> challenge) {
        List<URI> places = new ArrayList<>();
        challenge
                .flatMap(given -> given.parameter("resource_metadata"))
                .ifPresent(
                        text -> {
                            try {
                                places.add(URI.create(text));
                            } catch (IllegalArgumentException e) {
                                LOGGER.log(
                                        Level.DEBUG,
                                        "A challenge names metadata at what is no URL");
                            }
                        });
        if (!Urls.path(server).isEmpty()) {
            places.add(Urls.wellKnown(server, SUFFIX, Urls.path(server)));
        }
        places.add(Urls.wellKnown(server, SUFFIX, ""));
        return places;
    }

    private static ProtectedResource read(Document document, URI server) {
        String resource =
                document.string("resource")
                        .orElseThrow(
                                () ->
                                        new AuthorizationException(
                                                "the metadata of the server names no resource"));
        if (!covers(resource, server)) {
            throw new AuthorizationException(
                    "the metadata of the server at "
                            + Urls.origin(server)
                            + " is about another resource");
        }
        List<String> issuers = document.strings("authorization_servers");
        if (issuers.isEmpty()) {
            throw new AuthorizationException(
                    "the metadata of the server names no authorization server");
        }
        return new ProtectedResource(
                resource, issuers, Scopes.of(document.strings("scopes_supported")));
    }

    private static boolean covers(String resource, URI server) {
        try {
            return Urls.covers(URI.create(resource), server);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
