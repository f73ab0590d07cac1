package dev.fairlead.cli.servers;

import dev.fairlead.http.client.ClientAuthorization;
import dev.fairlead.http.client.RequestAuthorization;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Map;

/** Sends the header {@code Authorization} that a user has typed, in place of a stored login. */
record GivenAuthorization(String value) implements ClientAuthorization, RequestAuthorization {
    @Override
    public RequestAuthorization request(URI endpoint, String method, URI url) {
        return this;
    }

    @Override
    public Map<String, String> headers() {
        return Map.of("Authorization", value);
    }

    @Override
    public boolean again(int status, HttpHeaders headers) {
        return false;
    }

    @Override
    public String toString() {
        return "GivenAuthorization[…]"; // the value is a secret
    }
}
