package dev.fairlead.console.workbench;

import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.http.Http;
import dev.fairlead.http.client.ClientAuthorization;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.http.client.Proxies;
import dev.fairlead.http.client.RequestAuthorization;
import dev.fairlead.protocol.Remote;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A server at a URL, which a person reaches like any client. That may be the endpoint beside the
 * console, where a call is made as the caller of the person's own token, with all limits.
 *
 * @param accessToken the token of the server's authorization; null for none
 * @param proxies chooses the proxy of calls
 */
record UrlTarget(URI url, @Nullable String accessToken, Proxies proxies) implements ConsoleTarget {
    /** Returns a server on this machine, to which no proxy leads. */
    static UrlTarget local(URI url, @Nullable String accessToken) {
        return new UrlTarget(url, accessToken, Proxies.none());
    }

    /** Returns the same server for the caller of another token; null for none. */
    UrlTarget withToken(@Nullable String other) {
        return new UrlTarget(url, other, proxies);
    }

    @Override
    public String label() {
        return url.getAuthority();
    }

    @Override
    public List<String> words() {
        return List.of(url.toString());
    }

    @Override
    public Remote remote(Consumer<String> stderr) {
        HttpConnector connector = Http.to(url).proxies(proxies);
        String token = accessToken;
        return token == null ? connector : connector.authorization(new Bearer(token));
    }

    /** Contains no token. */
    @Override
    public String toString() {
        return "UrlTarget[" + url + "]";
    }

    /** The access token of a person. */
    private record Bearer(String token) implements ClientAuthorization, RequestAuthorization {
        @Override
        public RequestAuthorization request(URI endpoint, String method, URI url) {
            return this;
        }

        @Override
        public Map<String, String> headers() {
            return Map.of("Authorization", "Bearer " + token);
        }

        @Override
        public boolean again(int status, HttpHeaders headers) {
            return false;
        }

        /** Contains no token. */
        @Override
        public String toString() {
            return "Bearer[…]";
        }
    }
}
