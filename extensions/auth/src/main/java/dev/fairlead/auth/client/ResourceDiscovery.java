package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Deadline;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.Challenge;

import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the metadata of a protected resource: at the URL in the challenge, else at the well-known
 * URL for the path of the server, else at the one for its origin.
 */
final class ResourceDiscovery {
    private static final System.Logger LOGGER = System.getLogger(ResourceDiscovery.class.getName());
    private static final String SUFFIX = "oauth-protected-resource";

    private final Fetch fetch;

    ResourceDiscovery(Fetch fetch) {
        this.fetch = fetch;
    }

    /**
     * Returns the metadata; empty if there is none at any of these URLs.
     *
     * @throws AuthorizationException if it is about another resource, or the deadline has passed
     */
    Optional<ProtectedResource> find(URI server, Optional<Challenge> challenge, Deadline deadline)
            throws InterruptedIOException {
        for (URI place : places(server, challenge)) {
            Optional<Document> document = Document.at(place, fetch, deadline);
            if (document.isPresent()) {
                return Optional.of(read(document.get(), place, server));
            }
        }
        return Optional.empty();
    }

    private static Set<URI> places(URI server, Optional<Challenge> challenge) {
        Set<URI> places = new LinkedHashSet<>();
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
        places.add(ofPath(server));
        places.add(ofOrigin(server));
        return places;
    }

    private static URI ofPath(URI server) {
        return Urls.wellKnown(server, SUFFIX, Urls.path(server));
    }

    private static URI ofOrigin(URI server) {
        return Urls.wellKnown(server, SUFFIX, "");
    }

    /**
     * The resources that a document may be about (RFC 9728, 3.3): the URL of the server, and the
     * one that the place of the document stands for. Where several servers share an origin, only
     * its own well-known place speaks for the origin.
     */
    private static List<String> resources(URI place, URI server) {
        List<String> resources = new ArrayList<>();
        resources.add(Urls.canonical(server));
        if (place.equals(ofPath(server))) {
            resources.add(Urls.origin(server) + Urls.path(server)); // without the query
        }
        if (place.equals(ofOrigin(server))) {
            resources.add(Urls.origin(server));
        }
        return resources;
    }

    private static ProtectedResource read(Document document, URI place, URI server) {
        String resource =
                document.string("resource")
                        .orElseThrow(
                                () ->
                                        new AuthorizationException(
                                                "the metadata of the server names no resource"));
        if (!Urls.canonicalResource(resource)
                .filter(resources(place, server)::contains)
                .isPresent()) {
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
                resource, issuers, Scopes.offered(document.strings("scopes_supported")));
    }
}
