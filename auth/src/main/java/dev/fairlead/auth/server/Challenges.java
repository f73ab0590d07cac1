package dev.fairlead.auth.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Writes {@code WWW-Authenticate} (RFC 6750, 3; AUTH-013, AUTH-015). */
final class Challenges {
    private final String metadata;

    /**
     * @param metadata where the metadata of the resource is
     */
    Challenges(String metadata) {
        this.metadata = metadata;
    }

    /**
     * @param error empty where there is none
     */
    String of(String error, String description, Set<String> scopes) {
        List<String> parameters = new ArrayList<>();
        if (!error.isEmpty()) {
            parameters.add(quoted("error", error));
            parameters.add(quoted("error_description", description));
        }
        if (!scopes.isEmpty()) {
            parameters.add(quoted("scope", String.join(" ", scopes)));
        }
        parameters.add(quoted("resource_metadata", metadata));
        return "Bearer " + String.join(", ", parameters);
    }

    /** What is not allowed in a description (RFC 6750, 3) is left out. */
    private static String quoted(String name, String value) {
        return name + "=\"" + value.replaceAll("[^\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]", "?") + '"';
    }
}
