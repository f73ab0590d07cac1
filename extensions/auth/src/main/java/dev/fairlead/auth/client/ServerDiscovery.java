package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.IssuerMetadata;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;

import java.io.InterruptedIOException;
import java.net.URI;
import java.util.Optional;

/** Finds the metadata of an issuer, at the well-known URLs in the order of the specification. */
final class ServerDiscovery {
    /** The longest name of an issuer, in characters. */
    static final int MAX_LENGTH = 2_000;

    private final MetadataSearch search;

    ServerDiscovery(MetadataSearch search) {
        this.search = search;
    }

    /**
     * Returns the metadata of the first place that has it; empty if there is none.
     *
     * @throws AuthorizationException if there is only that of another issuer, or such that cannot
     *     be used, or the deadline has passed
     */
    Optional<AuthorizationServer> find(String issuer) throws InterruptedIOException {
        URI url = url(issuer);
        AuthorizationException first = null;
        for (URI place : IssuerMetadata.places(Urls.origin(url), Urls.path(url))) {
            Optional<Document> document = search.at(place, "issuer");
            if (document.isPresent()) {
                try {
                    return Optional.of(AuthorizationServer.read(document.get(), issuer));
                } catch (AuthorizationException e) { // the next place may have the right one
                    first = first == null ? e : first;
                }
            }
        }
        if (first != null) {
            throw first;
        }
        return Optional.empty();
    }

    private static URI url(String issuer) {
        if (!canBeIssuer(issuer)) {
            throw new AuthorizationException(
                    "an issuer must be an https URL of at most "
                            + MAX_LENGTH
                            + " ASCII characters");
        }
        return URI.create(issuer);
    }

    /** Returns whether a text can be the name of an issuer. */
    static boolean canBeIssuer(String name) {
        try {
            return PlainText.isPrintable(name, MAX_LENGTH) && Urls.isSafe(URI.create(name));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
