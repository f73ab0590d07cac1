package dev.fairlead.auth.proxy;

import dev.fairlead.auth.proxy.ProxyLogin.Access;
import dev.fairlead.auth.proxy.ProxyLogin.Grant;
import dev.fairlead.auth.proxy.ProxyLogin.Stage;
import dev.fairlead.auth.proxy.SealedValues.Found;
import dev.fairlead.auth.server.VerifiedToken;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The logins and their codes and tokens. Each of these names its login and has a secret besides; a
 * login takes one code, and then one refresh token at a time. One of its own that was used before,
 * or the right one from the wrong client, ends the login with all its tokens. Codes and tokens that
 * were never issued end nothing: each is sealed, so that damaged and forged ones are recognized. Of
 * several processes and threads that bring the same at the same time, one gets tokens; the others
 * have used it again. Safe for use by several threads.
 */
final class Logins {
    /** How long a client has to redeem a code. */
    static final Duration CODE = Duration.ofSeconds(60);

    static final int MAX_OF_PERSON = 100;
    static final int MAX = 20_000;

    private static final String PURPOSE = "token";

    /** The purpose of a token; it serves for no other. */
    private enum Kind {
        CODE,
        ACCESS,
        REFRESH
    }

    /** The check of the other values that a client must present with the code or token. */
    interface Check {
        void of(Grant grant) throws OAuthFailure;
    }

    private final ProxyTerms terms;
    private final Clock clock;
    private final SealedValues<ProxyLogin> logins;

    /**
     * @param share of logins: of a person, and in all
     */
    Logins(ProxyTerms terms, OwnedValues.Source store, OwnedValues.Share share, Clock clock) {
        this.terms = terms;
        this.clock = clock;
        logins =
                new SealedValues<>(store, "logins", share, terms.loginLifetime(), ProxyLogin.class);
    }

    /** A text that names a login, and its hash. */
    private record Token(String text, String hash) {}

    private static Token token(Kind kind, String login, String seal) {
        String text = login + "." + OpaqueToken.sealed(new Seal(seal), PURPOSE, kind.name(), login);
        return new Token(text, Sha256.of(text));
    }

    private static String login(String token) {
        int dot = token.indexOf('.');
        return dot < 0 ? "" : token.substring(0, dot);
    }

    /** Returns whether it was issued for this login, whether it is still good or not. */
    private static boolean isIssued(Kind kind, String token, ProxyLogin of) {
        String login = login(token);
        return !login.isEmpty()
                && OpaqueToken.isSealed(
                        token.substring(login.length() + 1),
                        new Seal(of.seal()),
                        PURPOSE,
                        kind.name(),
                        login);
    }

    /** Creates a code for a request that a person has agreed to. */
    String begin(AuthorizationRequest request, String subject) throws OAuthFailure {
        String id = OpaqueToken.random();
        String seal = OpaqueToken.random();
        Token code = token(Kind.CODE, id, seal);
        Instant now = clock.instant();
        Stage waiting = new Stage.Waiting(code.hash, now.plus(CODE));
        logins.putForOldest(
                subject,
                id,
                new ProxyLogin(
                        Grant.of(request),
                        subject,
                        now.plus(terms.loginLifetime()),
                        seal,
                        waiting));
        return code.text;
    }

    /** Tokens for a code. */
    IssuedTokens redeem(String code, Check check) throws OAuthFailure {
        Found<ProxyLogin> found = find(Kind.CODE, code);
        boolean isGood =
                found.value().stage() instanceof Stage.Waiting waiting
                        && isOf(waiting.code(), code)
                        && clock.instant().isBefore(waiting.until());
        Optional<IssuedTokens> issued = issue(code, found, isGood, null, check);
        return issued.isPresent() ? issued.get() : redeem(code, check);
    }

    /** Tokens for a refresh token. */
    IssuedTokens refresh(String token, Check check) throws OAuthFailure {
        Found<ProxyLogin> found = find(Kind.REFRESH, token);
        Optional<IssuedTokens> issued =
                found.value().stage() instanceof Stage.Open open && isOf(open.refresh(), token)
                        ? issue(token, found, true, open.now(), check)
                        : issue(token, found, false, null, check);
        return issued.isPresent() ? issued.get() : refresh(token, check);
    }

    private Found<ProxyLogin> find(Kind kind, String token) throws OAuthFailure {
        return logins.find(login(token))
                .filter(found -> isIssued(kind, token, found.value()))
                .orElseThrow(Logins::notValid);
    }

    private static OAuthFailure notValid() {
        return OAuthFailure.invalidGrant("This is not valid, or no longer");
    }

    private static boolean isOf(String hash, String token) {
        return OpaqueToken.same(hash, Sha256.of(token));
    }

    /**
     * Issues tokens for a code or token that is good, and ends its login otherwise.
     *
     * @return empty if the login has changed meanwhile: what was good is used up then
     */
    private Optional<IssuedTokens> issue(
            String brought,
            Found<ProxyLogin> found,
            boolean isGood,
            @Nullable Access before,
            Check check)
            throws OAuthFailure {
        String id = login(brought);
        ProxyLogin login = found.value();
        try {
            if (!isGood) {
                throw notValid();
            }
            check.of(login.grant());
        } catch (OAuthFailure failure) {
            logins.take(id);
            throw failure;
        }
        Token access = token(Kind.ACCESS, id, login.seal());
        Token refresh = token(Kind.REFRESH, id, login.seal());
        Instant now = clock.instant();
        Instant end = now.plus(terms.tokenLifetime());
        Instant until = end.isAfter(login.ends()) ? login.ends() : end;
        Stage open = new Stage.Open(refresh.hash, new Access(access.hash, until), before);
        return logins.replace(id, found, login.with(open))
                ? Optional.of(
                        new IssuedTokens(
                                access.text,
                                refresh.text,
                                Duration.between(now, until),
                                login.grant().scopes()))
                : Optional.empty();
    }

    /**
     * Returns the content of an access token; empty if it is not valid.
     *
     * @throws IOException if the store fails
     */
    Optional<VerifiedToken> verify(String token) throws IOException {
        try {
            return logins.find(login(token))
                    .map(Found::value)
                    .flatMap(login -> access(login, token).map(found -> verified(login, found)));
        } catch (OAuthFailure failure) {
            throw new IOException(failure.description(), failure);
        }
    }

    private Optional<Access> access(ProxyLogin login, String token) {
        if (!(login.stage() instanceof Stage.Open open)) {
            return Optional.empty();
        }
        Access before = open.before();
        if (before != null && isOf(before.token(), token)) {
            return current(before);
        }
        return isOf(open.now().token(), token) ? current(open.now()) : Optional.empty();
    }

    private Optional<Access> current(Access access) {
        return clock.instant().isBefore(access.until()) ? Optional.of(access) : Optional.empty();
    }

    private VerifiedToken verified(ProxyLogin login, Access access) {
        return new VerifiedToken(
                terms.places().issuer(),
                login.subject(),
                login.grant().client(),
                login.grant().scopes(),
                Set.of(terms.resource()),
                access.until());
    }

    /**
     * Ends a login by one of its tokens; does nothing if it has ended.
     *
     * @throws OAuthFailure if it is the login of another client, which continues
     */
    void revoke(String token, String client) throws OAuthFailure {
        Optional<ProxyLogin> login = logins.find(login(token)).map(Found::value);
        if (login.isPresent() && isOwn(login.get(), token)) {
            if (!login.get().grant().client().equals(client)) {
                throw new OAuthFailure(
                        400, "unauthorized_client", "The token was issued to another client");
            }
            logins.take(login(token));
        }
    }

    private boolean isOwn(ProxyLogin login, String token) {
        return login.stage() instanceof Stage.Open open
                && (isOf(open.refresh(), token) || access(login, token).isPresent());
    }
}
