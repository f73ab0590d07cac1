package dev.fairlead.auth.proxy;

import dev.fairlead.auth.Loopback;
import dev.fairlead.auth.wire.FormEncoding;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The redirect of a browser to the client: one of its redirect URIs, so no other URL is ever made
 * of one.
 *
 * @param uri as the client requested it
 * @param state of the client; empty where it has none
 */
record ClientRedirect(String uri, String state, String issuer) {
    /** The host, with its port where it has one. */
    String host() {
        return URI.create(uri).getRawAuthority();
    }

    /** Returns whether it leads to the machine of the person. */
    boolean isLoopback() {
        return Loopback.isNamedBy(URI.create(uri));
    }

    String withCode(String code) {
        return with(Map.of("code", code));
    }

    String withError(String code, String description) {
        Map<String, String> error = new LinkedHashMap<>();
        error.put("error", code);
        error.put("error_description", description);
        return with(error);
    }

    /** The issuer is in every answer (RFC 9207). */
    private String with(Map<String, String> answer) {
        Map<String, String> parameters = new LinkedHashMap<>(answer);
        if (!state.isEmpty()) {
            parameters.put("state", state);
        }
        parameters.put("iss", issuer);
        return FormEncoding.appended(uri, parameters);
    }
}
