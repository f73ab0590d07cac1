package dev.fairlead.auth.proxy;

import dev.fairlead.auth.proxy.ProxyLogin.Access;
import dev.fairlead.auth.proxy.ProxyLogin.Stage;
import dev.fairlead.auth.server.VerifiedToken;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * The logins and their codes and tokens. Each of these names its login and has a secret besides; a
 * login takes one code, and then one refresh token at a time. One of its own that was used before,
 * or the right one from the wrong client, ends the login with all its tokens. Codes and tokens that
 * were never issued end nothing: each is sealed, so that damaged and forged ones are recognized.
 * Safe for use by several threads.
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
        void of(AuthorizationRequest request) throws OAuthFailure;
    }

    private final ProxyTerms terms;
    private final Clock clock;
    private final Seal seal;
    private final Shared<ProxyLogin> logins;

    /**
     * @param share of logins: of a person, and in all
     */
    Logins(ProxyTerms terms, Seal seal, Shared.Share share, Clock clock) {
        this.terms = terms;
        this.seal = seal;
        this.clock = clock;
        logins = new Shared<>(share, terms.loginLifetime(), clock);
    }

    /** A text that names a login, and its hash. */
    private record Token(String text, String hash) {}

    private Token token(Kind kind, String login) {
        String text = login + "." + OpaqueToken.sealed(seal, PURPOSE, kind.name(), login);
        return new Token(text, Sha256.of(text));
    }

    private static String login(String token) {
        int dot = token.indexOf('.');
        return dot < 0 ? "" : token.substring(0, dot);
    }

    /** Returns whether it was issued here, whether it is still good or not. */
    private boolean isIssued(Kind kind, String token) {
        String login = login(token);
        return !login.isEmpty()
                && OpaqueToken.isSealed(
                        token.substring(login.length() + 1), seal, PURPOSE, kind.name(), login);
    }

    /** Creates a code for a request that a person has agreed to. */
    String begin(AuthorizationRequest request, String subject) {
        String id = OpaqueToken.random();
        Token code = token(Kind.CODE, id);
        Instant now = clock.instant();
        Stage waiting = new Stage.Waiting(code.hash, now.plus(CODE));
        logins.putForOldest(
                subject,
                id,
                new ProxyLogin(request, subject, now.plus(terms.loginLifetime()), waiting));
        return code.text;
    }

    /** Tokens for a code. */
    synchronized IssuedTokens redeem(String code, Check check) throws OAuthFailure {
        ProxyLogin login = find(Kind.CODE, code);
        boolean isGood =
                login.stage() instanceof Stage.Waiting waiting
                        && isOf(waiting.code(), code)
                        && clock.instant().isBefore(waiting.until());
        return issue(code, login, isGood, null, check);
    }

    /** Tokens for a refresh token. */
    synchronized IssuedTokens refresh(String token, Check check) throws OAuthFailure {
        ProxyLogin login = find(Kind.REFRESH, token);
        return login.stage() instanceof Stage.Open open && isOf(open.refresh(), token)
                ? issue(token, login, true, open.now(), check)
                : issue(token, login, false, null, check);
    }

    private ProxyLogin find(Kind kind, String token) throws OAuthFailure {
        return logins.find(login(token))
                .filter(login -> isIssued(kind, token))
                .orElseThrow(Logins::notValid);
    }

    private static OAuthFailure notValid() {
        return OAuthFailure.invalidGrant("This is not valid, or no longer");
    }

    private static boolean isOf(String hash, String token) {
        return OpaqueToken.same(hash, Sha256.of(token));
    }

    private IssuedTokens issue(
            String brought, ProxyLogin login, boolean isGood, @Nullable Access before, Check check)
            throws OAuthFailure {
        String id = login(brought);
        try {
            if (!isGood) {
                throw notValid();
            }
            check.of(login.request());
        } catch (OAuthFailure failure) {
            logins.take(id);
            throw failure;
        }
        Token access = token(Kind.ACCESS, id);
        Token refresh = token(Kind.REFRESH, id);
        Instant now = clock.instant();
        Instant end = now.plus(terms.tokenLifetime());
        Instant until = end.isAfter(login.ends()) ? login.ends() : end;
        Access issued = new Access(access.hash, until);
        logins.replace(id, login.with(new Stage.Open(refresh.hash, issued, before)));
        return new IssuedTokens(
                access.text, refresh.text, Duration.between(now, until), login.request().scopes());
    }

    /** Returns the content of an access token; empty if it is not valid. */
    Optional<VerifiedToken> verify(String token) {
        return logins.find(login(token))
                .flatMap(login -> access(login, token).map(found -> verified(login, found)));
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
                login.request().client().id(),
                login.request().scopes(),
                Set.of(terms.resource()),
                access.until());
    }

    /**
     * Ends a login by one of its tokens; does nothing if it has ended.
     *
     * @throws OAuthFailure if it is the login of another client, which continues
     */
    synchronized void revoke(String token, String client) throws OAuthFailure {
        Optional<ProxyLogin> login = logins.find(login(token));
        if (login.isPresent() && isOwn(login.get(), token)) {
            if (!login.get().request().client().id().equals(client)) {
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
