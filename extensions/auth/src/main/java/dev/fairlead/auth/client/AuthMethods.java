package dev.fairlead.auth.client;

import java.util.List;
import java.util.stream.Stream;

/** The methods by which a client authenticates at the token endpoint. */
final class AuthMethods {
    static final String BASIC = "client_secret_basic";
    static final String POST = "client_secret_post";
    static final String NONE = "none";

    private AuthMethods() {}

    /**
     * Returns the method for a client with a secret; BASIC if the metadata lists none (RFC 8414).
     */
    static String forSecret(AuthorizationServer server) {
        return first(server.authMethods(), BASIC, BASIC, POST, NONE);
    }

    /**
     * Returns the method that a registration requests: no secret, where the server supports that.
     */
    static String forRegistration(AuthorizationServer server) {
        return first(server.authMethods(), NONE, NONE, BASIC, POST);
    }

    private static String first(List<String> supported, String otherwise, String... preferred) {
        return Stream.of(preferred).filter(supported::contains).findFirst().orElse(otherwise);
    }
}
