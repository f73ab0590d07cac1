package dev.fairlead.auth.client;

import java.util.List;
import java.util.stream.Stream;

/** How a client authenticates at the token endpoint. */
final class AuthMethods {
    static final String BASIC = "client_secret_basic";
    static final String POST = "client_secret_post";
    static final String NONE = "none";

    private AuthMethods() {}

    /** For a client that was given a secret; BASIC where the server does not say (RFC 8414). */
    static String forSecret(AuthorizationServer server) {
        return first(server.authMethods(), BASIC, BASIC, POST, NONE);
    }

    /** What a client that registers itself asks for: no secret, where the server agrees. */
    static String forRegistration(AuthorizationServer server) {
        return first(server.authMethods(), NONE, NONE, BASIC, POST);
    }

    private static String first(List<String> supported, String otherwise, String... preferred) {
        return Stream.of(preferred).filter(supported::contains).findFirst().orElse(otherwise);
    }
}
