package dev.fairlead.auth.server;

import dev.fairlead.auth.Loopback;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.server.PresentedToken.Scheme;
import dev.fairlead.auth.server.TokenRefusal.Kind;
import dev.fairlead.auth.wire.Origin;
import dev.fairlead.http.options.HttpAuthorization.Decision;
import dev.fairlead.http.spi.HttpExchange;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides on requests by their tokens, with all that is kept between them. Safe for use by several
 * threads.
 */
final class TokenAdmission {
    private static final System.Logger LOGGER = System.getLogger(ResourceServer.class.getName());

    /** The seconds after which a client that cannot be admitted now may try again. */
    private static final String RETRY_AFTER = "5";

    /** A verifier that may count its work for the origin of a request. */
    @FunctionalInterface
    private interface Verifier {
        Optional<VerifiedToken> verify(String token, Origin from)
                throws IOException, InterruptedException;
    }

    private final ResourceOptions options;
    private final Challenges challenges;
    private final List<Verifier> verifiers;
    private final @Nullable ProofNonces nonces;
    private final ProofVerifier proofs;
    private final Outage outage;

    TokenAdmission(ResourceOptions options, Challenges challenges) {
        this.options = options;
        this.challenges = challenges;
        verifiers = verifiers(options);
        outage = new Outage(options.clock);
        if (!options.staticTokens.isEmpty() && !Loopback.isNamedBy(options.resource)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Fixed development tokens are accepted by {0}: they never expire; use them for"
                            + " development only",
                    options.resource);
        }
        nonces =
                options.nonceSecret == null
                        ? null
                        : new ProofNonces(options.nonceSecret.get(), options.clock);
        proofs =
                new ProofVerifier(
                        options.resource,
                        options.clock,
                        options.clockSkew,
                        options.usedProofs(),
                        nonces);
    }

    private static List<Verifier> verifiers(ResourceOptions options) {
        Fetch fetch = new Fetch(options.urls(), options.limits);
        List<Verifier> all = new ArrayList<>();
        options.keys.forEach(
                (issuer, place) ->
                        all.add(
                                ofAnyOrigin(
                                        new JwtVerifier(
                                                issuer,
                                                new IssuerKeys(issuer, place, fetch),
                                                options.clockSkew,
                                                options.clock))));
        for (StaticToken.Terms terms : options.staticTokens) {
            all.add(ofAnyOrigin(new StaticToken(options.resource, terms, options.clock)));
        }
        for (Introspection.Terms terms : options.introspections) {
            Introspection introspection =
                    new Introspection(terms, fetch, options.clockSkew, options.clock);
            all.add(new IntrospectedTokens(introspection, options.clock)::verify);
        }
        options.verifiers.forEach(verifier -> all.add(ofAnyOrigin(verifier)));
        return List.copyOf(all);
    }

    private static Verifier ofAnyOrigin(TokenVerifier verifier) {
        return (token, from) -> verifier.verify(token);
    }

    Decision decide(HttpExchange request) throws InterruptedException {
        Scheme scheme = Scheme.BEARER;
        try {
            PresentedToken presented = PresentedToken.in(request);
            scheme = presented.scheme();
            VerifiedToken token = verified(presented.token(), Origin.of(request));
            requireValid(token);
            requireKey(token, presented, request);
            return new Decision.Admitted(
                    token.caller().withValidUntil(validUntil(token)),
                    scheme == Scheme.DPOP ? nonce() : Map.of());
        } catch (TokenRefusal refusal) {
            return refused(scheme, refusal);
        } catch (IOException e) {
            outage.isMet(e);
            return later(503, "Tokens cannot be verified just now");
        }
    }

    private Decision refused(Scheme scheme, TokenRefusal refusal) {
        Kind kind = refusal.kind();
        if (kind == Kind.TOO_MANY || kind == Kind.BUSY) {
            return later(kind.status, refusal.description());
        }
        Map<String, String> headers = new LinkedHashMap<>(nonce());
        headers.put(
                "WWW-Authenticate",
                challenges.of(scheme, kind.error, refusal.description(), options.scopes));
        return new Decision.Refused(kind.status, headers, refusal.description());
    }

    private static Decision later(int status, String message) {
        return new Decision.Refused(status, Map.of("Retry-After", RETRY_AFTER), message);
    }

    /** The nonce for the next proof, where proofs have to contain one. */
    private Map<String, String> nonce() {
        return nonces == null ? Map.of() : Map.of("DPoP-Nonce", nonces.current());
    }

    /**
     * Returns the result of one of the verifiers; the failure of another matters only if none has
     * one.
     */
    private VerifiedToken verified(String token, Origin from)
            throws TokenRefusal, IOException, InterruptedException {
        IOException failure = null;
        for (Verifier verifier : verifiers) {
            try {
                Optional<VerifiedToken> verified = verifier.verify(token, from);
                if (verified.isPresent()) {
                    return verified.get();
                }
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
        throw invalid("is not valid");
    }

    /**
     * Returns until when a token is accepted. One without an end is valid until the last moment.
     */
    private Instant validUntil(VerifiedToken token) {
        Instant last = Instant.MAX.minus(options.clockSkew);
        Instant expires = token.expiresAt();
        return (expires.isBefore(last) ? expires : last).plus(options.clockSkew);
    }

    private void requireValid(VerifiedToken token) throws TokenRefusal {
        if (!options.isMeantBy(token.audience())) {
            throw invalid("was not issued for this resource, " + options.resource);
        }
        if (!options.clock.instant().isBefore(validUntil(token))) {
            throw invalid("has expired");
        }
    }

    /** Checks that a bound token comes with a proof of its key, and under the right scheme. */
    private void requireKey(VerifiedToken token, PresentedToken presented, HttpExchange request)
            throws TokenRefusal {
        boolean hasProof = presented.scheme() == Scheme.DPOP;
        if (token.key() == null) {
            if (hasProof || options.requiresDpop) {
                throw invalid("is not bound to a key");
            }
        } else if (hasProof) {
            List<String> subject = List.of(token.issuer(), token.subject());
            proofs.verify(request, presented.token(), token.key(), subject);
        } else {
            throw invalid("is bound to a key, of which a proof is required");
        }
    }

    private static TokenRefusal invalid(String why) {
        return new TokenRefusal(Kind.INVALID_TOKEN, "The access token " + why);
    }
}
