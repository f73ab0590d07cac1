package dev.fairlead.auth.server;

import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.fetch.IssuerDocument;
import dev.fairlead.auth.wire.BasicCredentials;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Introspects tokens at an authorization server (RFC 7662). Safe for use by several threads; stores
 * nothing but the URL of the endpoint.
 */
final class Introspection {
    /**
     * The endpoint and the credentials.
     *
     * @param endpoint null if the metadata of the issuer says so
     */
    record Terms(String issuer, @Nullable URI endpoint, String client, Secret secret) {}

    private static final JWTClaimsSet INACTIVE =
            new JWTClaimsSet.Builder().claim("active", false).build();

    private final Terms terms;
    private final Fetch fetch;
    private final Duration skew;
    private final Clock clock;
    private volatile @Nullable URI found;

    Introspection(Terms terms, Fetch fetch, Duration skew, Clock clock) {
        terms.secret.value(); // a missing secret is reported at the start
        this.terms = terms;
        this.fetch = fetch;
        this.skew = skew;
        this.clock = clock;
    }

    /** Returns whether the token names another issuer, which alone may see it then. */
    boolean isForeign(String token) {
        try {
            String issuer = SignedJWT.parse(token).getJWTClaimsSet().getIssuer();
            return issuer != null && !issuer.equals(terms.issuer);
        } catch (ParseException e) { // it does not say so
            return false;
        }
    }

    /**
     * Introspects a token.
     *
     * @return empty if it is not to be accepted
     * @throws IOException if there is no answer
     */
    Optional<VerifiedToken> ask(String token) throws IOException {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("token", token);
        form.put("token_type_hint", "access_token");
        Fetched answer =
                fetch.postForm(
                        endpoint(),
                        Map.of(
                                "Authorization",
                                BasicCredentials.header(terms.client, terms.secret.value())),
                        form);
        if (answer.status() != 200) {
            found = null; // it may have moved
            throw new IOException("the introspection has the status " + answer.status());
        }
        JWTClaimsSet claims = claims(answer.text());
        try {
            return isActive(claims) ? read(claims) : Optional.empty();
        } catch (ParseException e) {
            return Optional.empty();
        }
    }

    private URI endpoint() throws IOException {
        if (terms.endpoint != null) {
            return terms.endpoint;
        }
        URI known = found;
        if (known == null) {
            known = new IssuerDocument(terms.issuer, fetch).place("introspection_endpoint");
            found = known;
        }
        return known;
    }

    private static JWTClaimsSet claims(String json) throws IOException {
        try {
            Map<String, Object> members = JSONObjectUtils.parse(json);
            List.of("iat", "jti").forEach(members::remove); // they are not read
            JWTClaimsSet claims = JWTClaimsSet.parse(members);
            if (claims.getClaim("active") instanceof Boolean isActive) {
                return isActive && !TokenClaims.hasSubjectOrNone(members) ? INACTIVE : claims;
            }
            throw new IOException("the introspection does not say whether the token is active");
        } catch (ParseException e) { // its message may quote the answer
            throw new IOException("the introspection cannot be read");
        }
    }

    private boolean isActive(JWTClaimsSet claims) throws ParseException {
        String issuer = claims.getIssuer();
        Date begins = claims.getNotBeforeTime();
        return claims.getBooleanClaim("active")
                && (issuer == null || issuer.equals(terms.issuer))
                && (begins == null || !begins.toInstant().isAfter(clock.instant().plus(skew)));
    }

    private Optional<VerifiedToken> read(JWTClaimsSet claims) throws ParseException {
        Date ends = claims.getExpirationTime();
        Instant end = // where there is none, that of the cached answer
                ends == null
                        ? clock.instant().plus(IntrospectedTokens.ACTIVE_KEPT)
                        : ends.toInstant();
        String type = claims.getStringClaim("token_type");
        return TokenClaims.read(terms.issuer, claims, end)
                .filter(token -> isUsable(type == null ? "Bearer" : type, token));
    }

    /**
     * Returns whether an access token is of this type, and bound to a key where the type says so.
     */
    private static boolean isUsable(String type, VerifiedToken token) {
        return type.equalsIgnoreCase("Bearer")
                || (type.equalsIgnoreCase("DPoP") && token.key() != null);
    }
}
