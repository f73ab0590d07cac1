package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.http.client.AuthorizationException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Finds the metadata of an issuer, in the order that is prescribed (AUTH-021, AUTH-022). */
final class ServerDiscovery {
    private static final System.Logger LOGGER = System.getLogger(ServerDiscovery.class.getName());
    private static final String OAUTH = "oauth-authorization-server";
    private static final String OPENID = "openid-configuration";

    private final Fetch fetch;

    ServerDiscovery(Fetch fetch) {
        this.fetch = fetch;
    }

    /**
     * Empty if there is none.
     *
     * @throws AuthorizationException if it is that of another issuer
     */
    Optional<AuthorizationServer> find(String issuer) throws InterruptedIOException {
        for (URI place : places(url(issuer))) {
            Optional<Document> document = document(place);
            if (document.isPresent()) {
                return Optional.of(AuthorizationServer.read(document.get(), issuer));
            }
        }
        return Optional.empty();
    }

    private static URI url(String issuer) {
        try {
            URI url = URI.create(issuer);
            if (Urls.isSafe(url)) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new AuthorizationException("an issuer must be an https URL");
    }

    private static List<URI> places(URI issuer) {
        String path = Urls.path(issuer);
        return path.isEmpty()
                ? List.of(Urls.wellKnown(issuer, OAUTH, ""), Urls.wellKnown(issuer, OPENID, ""))
                : List.of(
                        Urls.wellKnown(issuer, OAUTH, path),
                        Urls.wellKnown(issuer, OPENID, path),
                        URI.create(Urls.origin(issuer) + path + "/.well-known/" + OPENID));
    }

    private Optional<Document> document(URI place) throws InterruptedIOException {
        try {
            Fetched fetched = fetch.get(place);
            return fetched.status() == 200 ? Document.of(fetched) : Optional.empty();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "No metadata of an issuer: {0}", e.getMessage());
            return Optional.empty();
        }
    }
}
