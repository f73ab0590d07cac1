package dev.fairlead.cli.servers;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.HttpConnector;

import java.net.URI;
import java.net.URISyntaxException;

/** Makes connectors of the URLs that users type. */
final class Endpoints {
    private Endpoints() {}

    /**
     * The way to the server at this URL.
     *
     * @throws IllegalArgumentException if the text is not an absolute http or https URL; the
     *     message does not repeat it, for it may hold secrets
     */
    static HttpConnector at(String url) {
        try {
            return Http.to(new URI(url));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "not a URL: " + e.getReason() + " at character " + (e.getIndex() + 1), e);
        }
    }
}
