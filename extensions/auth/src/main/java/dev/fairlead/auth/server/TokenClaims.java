package dev.fairlead.auth.server;

import com.nimbusds.jwt.JWTClaimsSet;

import org.jspecify.annotations.Nullable;

import java.text.ParseException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the claims of a JWT (RFC 9068) or of an introspection (RFC 7662). */
final class TokenClaims {
    private TokenClaims() {}

    /**
     * Returns whether {@code sub} is a text that is not blank, or is not there (RFC 7519, 4.1.2). A
     * number is not a subject: the parser would make one and the same text of it.
     *
     * @param json the claims as they were sent
     */
    static boolean hasSubjectOrNone(@Nullable Map<String, Object> json) {
        return json != null
                && (!json.containsKey("sub")
                        || (json.get("sub") instanceof String subject && !subject.isBlank()));
    }

    /**
     * Reads the claims, whose issuer and times were checked.
     *
     * @return empty if they name neither subject nor client
     * @throws ParseException if one has another form than is understood
     */
    static Optional<VerifiedToken> read(String issuer, JWTClaimsSet claims, Instant expiresAt)
            throws ParseException {
        String client = claims.getStringClaim("client_id");
        if (client == null) {
            client = claims.getStringClaim("azp");
        }
        String subject = claims.getSubject() == null ? client : claims.getSubject();
        if (subject == null || subject.isBlank() || (client != null && client.isBlank())) {
            return Optional.empty();
        }
        return Optional.of(
                new VerifiedToken(
                        issuer,
                        subject,
                        client,
                        scopes(claims),
                        new LinkedHashSet<>(claims.getAudience()),
                        expiresAt,
                        key(claims)));
    }

    /**
     * Reads the scopes: by RFC 9068 a text with spaces; of some issuers a list, or a claim {@code
     * scp}.
     */
    private static Set<String> scopes(JWTClaimsSet claims) {
        Object value = claims.getClaim("scope");
        return words(value == null ? claims.getClaim("scp") : value);
    }

    private static Set<String> words(@Nullable Object value) {
        List<String> words =
                switch (value) {
                    case null -> List.of();
                    case String text -> Arrays.asList(text.split(" "));
                    case Collection<?> several -> several.stream().map(String::valueOf).toList();
                    default -> List.of();
                };
        Set<String> scopes = new LinkedHashSet<>(words);
        scopes.remove("");
        return scopes;
    }

    /**
     * The key that the token is bound to (RFC 9449, 6.1). Other bindings, such as the one to a
     * certificate, cannot be verified here, and tokens with them are refused.
     */
    private static @Nullable String key(JWTClaimsSet claims) throws ParseException {
        if (!claims.getClaims().containsKey("cnf")) {
            return null;
        }
        Map<String, Object> binding = claims.getJSONObjectClaim("cnf");
        if (binding == null || binding.size() != 1 || !(binding.get("jkt") instanceof String key)) {
            throw new ParseException("a binding that is not known", 0);
        }
        return key;
    }
}
