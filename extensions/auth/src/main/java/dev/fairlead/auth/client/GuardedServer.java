package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.Challenge;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A server that requires tokens, and the login for it. If many requests find the token missing,
 * refused or expired, one of them obtains a new one while the others wait; see {@link #renewing}.
 * If it is interrupted, the next one does so.
 */
final class GuardedServer {
    private static final System.Logger LOGGER = System.getLogger(GuardedServer.class.getName());

    /** Step-ups of one server. */
    static final int MAX_STEP_UPS = 3;

    /** A token that ends so soon is renewed before it is used. */
    private static final Duration SOON = Duration.ofSeconds(30);

    private final URI server;
    private final KeptLogin kept;
    private final Grant grant;
    private final Discovery discovery;
    private final TokenEndpoint tokens;
    private final Refresh refresh;
    private final boolean isDpop;
    private final Clock clock;

    /** Held while tokens are requested; guards all fields that are not volatile. */
    private final ReentrantLock renewing = new ReentrantLock();

    private volatile @Nullable Login login;
    private volatile boolean isRead;

    /** Whether the server has accepted the token; one that it never did is not replaced at once. */
    private volatile boolean isAccepted = true;

    private int stepUps;
    private Scopes refused = Scopes.NONE;

    GuardedServer(
            URI server,
            KeptLogin kept,
            Grant grant,
            Discovery discovery,
            TokenEndpoint tokens,
            boolean isDpop,
            Clock clock) {
        this.server = server;
        this.kept = kept;
        this.grant = grant;
        this.discovery = discovery;
        this.tokens = tokens;
        refresh = new Refresh(kept, grant, tokens);
        this.isDpop = isDpop;
        this.clock = clock;
    }

    /** The login to use now, renewed if its token is about to end; null if there is none. */
    @Nullable Login login() throws IOException, InterruptedException {
        Login known = isRead ? login : locked(this::firstRead);
        if (known != null
                && isAccepted // else it is new, and as good as this issuer makes them
                && known.tokens().refresh() != null
                && known.expiresWithin(SOON, clock.instant())) {
            return locked(() -> refreshedInTime(known));
        }
        return known;
    }

    private @Nullable Login firstRead() {
        if (!isRead) {
            login = kept.read().orElse(null);
            isRead = true;
        }
        return login;
    }

    /** The server has taken the token. */
    void accepted(Login used) {
        if (used.isSameToken(login)) {
            isAccepted = true;
        }
    }

    /**
     * Gets a token in the place of one that the server refused.
     *
     * @param used null if the request had none
     */
    void renew(@Nullable Login used, Optional<Challenge> challenge)
            throws IOException, InterruptedException {
        locked(
                () -> {
                    Login now = newest();
                    if (now != null && !now.isSameToken(used)) {
                        return now; // another thread or process was faster
                    }
                    if (now != null && !isAccepted && !hasEnded(now)) {
                        throw new AuthorizationException(
                                "the server refuses a token that was just issued for it"
                                        + said(challenge, "error")
                                        + said(challenge, "error_description")
                                        + "; the token was asked for with the resource "
                                        + PlainText.of(now.resource()));
                    }
                    Login refreshed = now == null ? null : refreshed(now);
                    if (refreshed != null) {
                        return refreshed;
                    }
                    grant.check(server, Scopes.NONE);
                    return obtain(challenge, asked(challenge), Scopes.NONE);
                });
    }

    private static String said(Optional<Challenge> challenge, String parameter) {
        return challenge
                .flatMap(given -> given.parameter(parameter))
                .map(text -> ": " + PlainText.of(text))
                .orElse("");
    }

    private boolean hasEnded(Login login) {
        return login.expiresWithin(Duration.ZERO, clock.instant());
    }

    private static Scopes asked(Optional<Challenge> challenge) {
        return challenge.map(Scopes::asked).orElse(Scopes.NONE);
    }

    /**
     * Gets a token with more scopes.
     *
     * @return false if that is of no use: the scopes were asked for before, or it was done too
     *     often
     */
    boolean stepUp(Login used, Challenge challenge) throws IOException, InterruptedException {
        Scopes needed = Scopes.asked(challenge);
        return locked(
                () -> {
                    Login now = newest();
                    if (now != null && !now.isSameToken(used) && now.scopes().contains(needed)) {
                        return true;
                    }
                    Scopes granted = now == null ? used.scopes() : now.scopes();
                    if (granted.contains(needed)
                            || (!refused.isEmpty() && refused.contains(needed))
                            || stepUps == MAX_STEP_UPS) {
                        return false;
                    }
                    grant.check(server, granted.with(needed));
                    stepUps++;
                    try {
                        obtain(Optional.of(challenge), needed, granted);
                        return true;
                    } catch (AuthorizationException e) {
                        refused = refused.with(needed);
                        throw e;
                    }
                });
    }

    /** Another process may have renewed it meanwhile, or ended it. */
    private @Nullable Login newest() {
        Login stored = kept.read().orElse(null);
        if (stored == null || !stored.isSameToken(login)) {
            login = stored;
            isAccepted = true;
        }
        return login;
    }

    private @Nullable Login refreshedInTime(Login old) throws IOException, InterruptedException {
        try {
            refreshed(old);
            return login;
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException | AuthorizationException e) {
            LOGGER.log(Level.DEBUG, "A token is not refreshed: {0}", e.getMessage());
            return old; // the server decides whether it still accepts it
        }
    }

    /** Null if that cannot be. */
    private @Nullable Login refreshed(Login old) throws IOException, InterruptedException {
        Login refreshed = refresh.of(old);
        newest();
        return refreshed;
    }

    private Login obtain(Optional<Challenge> challenge, Scopes asked, Scopes granted)
            throws IOException, InterruptedException {
        if (!Urls.isSafe(server)) {
            throw new AuthorizationException(
                    "tokens are sent over https alone, but the server is at "
                            + Urls.origin(server));
        }
        Terms terms = discovery.terms(server, challenge, asked, granted);
        Login old = login;
        Dpop key =
                !isDpop ? null : old == null || old.dpop() == null ? Dpop.generate() : old.dpop();
        Login obtained = grant.obtain(terms, tokens, key);
        isAccepted = false;
        return keep(obtained);
    }

    private Login keep(Login fresh) {
        login = fresh;
        kept.write(fresh);
        return fresh;
    }

    /** Ends the login, and has its tokens revoked before. */
    Logout logout(Revocation revocation) throws IOException, InterruptedException {
        return locked(
                () -> {
                    try (TokenStore.Lease lease = kept.lease()) {
                        Login now = newest();
                        Logout done =
                                now == null ? new Logout.NotLoggedIn() : revocation.revoke(now);
                        login = null;
                        kept.remove();
                        return done;
                    }
                });
    }

    /** A step of one thread at a time. */
    private interface Step<T extends @Nullable Object> {
        T take() throws IOException, InterruptedException;
    }

    private <T extends @Nullable Object> T locked(Step<T> step)
            throws IOException, InterruptedException {
        renewing.lockInterruptibly();
        try {
            return step.take();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) { // of the authorization server, not of this one
            throw new AuthorizationException(
                    "the login failed: " + PlainText.of(e.getMessage()), PlainText.of(e));
        } finally {
            renewing.unlock();
        }
    }
}
