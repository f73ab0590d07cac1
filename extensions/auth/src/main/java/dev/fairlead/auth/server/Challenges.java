package dev.fairlead.auth.server;

import com.nimbusds.jose.JWSAlgorithm;

import dev.fairlead.auth.server.PresentedToken.Scheme;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes {@code WWW-Authenticate} (RFC 6750, 3; RFC 9449, 7.1): a challenge of each accepted
 * scheme. The first has the parameters common to all; the error is with the scheme that the request
 * has used. {@code Bearer} is the first, since many clients understand no other.
 */
final class Challenges {
    private static final String ALGORITHMS =
            Signatures.ALGORITHMS.stream()
                    .map(JWSAlgorithm::getName)
                    .collect(Collectors.joining(" "));

    private final @Nullable String metadata;
    private final boolean requiresDpop;

    /**
     * @param metadata where the metadata of the resource is; null if there is none
     */
    Challenges(@Nullable String metadata, boolean requiresDpop) {
        this.metadata = metadata;
        this.requiresDpop = requiresDpop;
    }

    /**
     * @param used how the request has presented its token
     * @param error empty where there is none
     */
    String of(Scheme used, String error, String description, Set<String> scopes) {
        List<String> common = new ArrayList<>();
        if (!scopes.isEmpty()) {
            common.add(quoted("scope", String.join(" ", scopes)));
        }
        if (metadata != null) {
            common.add(quoted("resource_metadata", metadata));
        }
        List<String> reason =
                error.isEmpty()
                        ? List.of()
                        : List.of(quoted("error", error), quoted("error_description", description));
        String algorithms = quoted("algs", ALGORITHMS);
        if (requiresDpop) {
            return challenge(Scheme.DPOP, List.of(reason, common, List.of(algorithms)));
        }
        boolean isDpop = used == Scheme.DPOP;
        return challenge(Scheme.BEARER, List.of(isDpop ? List.of() : reason, common))
                + ", "
                + challenge(Scheme.DPOP, List.of(isDpop ? reason : List.of(), List.of(algorithms)));
    }

    private static String challenge(Scheme scheme, List<List<String>> parameters) {
        String text = parameters.stream().flatMap(List::stream).collect(Collectors.joining(", "));
        return text.isEmpty() ? scheme.text : scheme.text + ' ' + text;
    }

    /** Quotes a value; replaces characters that are not allowed in a description (RFC 6750, 3). */
    private static String quoted(String name, String value) {
        return name + "=\"" + value.replaceAll("[^\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]", "?") + '"';
    }
}
