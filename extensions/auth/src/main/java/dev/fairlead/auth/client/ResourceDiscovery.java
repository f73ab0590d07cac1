package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.Challenge;
import dev.fairlead.protocol.time.LimitedLog;

import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the metadata of a protected resource: at the URL in the challenge, else at the well-known
 * URL for the path of the server, else at the one for its origin.
 */
final class ResourceDiscovery {
    private static final System.Logger LOGGER = System.getLogger(ResourceDiscovery.class.getName());
    private static final String SUFFIX = "oauth-protected-resource";
    private static final String RESOURCE = "resource";

    private final MetadataSearch search;

    ResourceDiscovery(MetadataSearch search) {
        this.search = search;
    }

    /**
     * Returns the metadata; empty if there is none at any of these URLs.
     *
     * @throws AuthorizationException if it is about another resource, or the deadline has passed
     */
    Optional<ProtectedResource> find(URI server, Optional<Challenge> challenge)
            throws InterruptedIOException {
        for (URI place : places(server, challenge)) {
            Optional<Document> document = search.at(place, RESOURCE);
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
                                        "A challenge names metadata at an invalid URL");
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

    private ProtectedResource read(Document document, URI place, URI server)
            throws InterruptedIOException {
        String named = resource(document);
        if (Urls.canonicalResource(named).filter(resources(place, server)::contains).isPresent()) {
            return read(document, named);
        }
        Optional<URI> own = Urls.canonicalResource(named).flatMap(above -> placeOf(above, server));
        if (own.isPresent() && !own.get().equals(place)) {
            Optional<Document> ofItself =
                    search.at(own.get(), RESOURCE).filter(other -> isSame(named, resource(other)));
            if (ofItself.isPresent()) {
                return read(ofItself.get(), resource(ofItself.get()));
            }
        }
        throw new AuthorizationException(
                "the metadata of the server at "
                        + Urls.origin(server)
                        + " is about another resource: it names "
                        + PlainText.of(named)
                        + ", not "
                        + Urls.canonical(server));
    }

    /**
     * The own well-known place of a resource that a server is below, such as its origin. Metadata
     * at another place may name that resource; then the document at this place counts, as it would
     * if there was none at the other. So a server that shares its origin with others gets nothing
     * for them that the origin does not give.
     */
    private static Optional<URI> placeOf(String resource, URI server) {
        URI above = URI.create(resource);
        boolean isAbove =
                Urls.origin(above).equals(Urls.origin(server))
                        && above.getRawQuery() == null
                        && Urls.path(server).startsWith(Urls.path(above) + "/");
        return isAbove ? Optional.of(ofPath(above)) : Optional.empty();
    }

    private static boolean isSame(String resource, String other) {
        return Urls.canonicalResource(resource).equals(Urls.canonicalResource(other));
    }

    private static String resource(Document document) {
        return document.string(RESOURCE).orElseThrow();
    }

    private static ProtectedResource read(Document document, String resource) {
        return new ProtectedResource(
                resource,
                issuers(document, resource),
                Scopes.offered(document.strings("scopes_supported")));
    }

    /** The issuers without texts that can be none; those texts where there is nothing else. */
    private static List<String> issuers(Document document, String resource) {
        List<String> named = document.strings("authorization_servers");
        List<String> usable = named.stream().filter(ServerDiscovery::canBeIssuer).toList();
        if (usable.isEmpty() || usable.size() == named.size()) {
            return named;
        }
        LimitedLog.log( // a server may cause many logins
                LOGGER,
                Level.WARNING,
                "",
                "The metadata of {0} names authorization servers that are no https URLs: {1}; they"
                        + " are left out",
                PlainText.of(resource),
                PlainText.of(
                        named.stream()
                                .filter(name -> !usable.contains(name))
                                .collect(Collectors.joining(", "))));
        return usable;
    }
}
