package dev.fairlead.auth.client;

import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Renews a login with its refresh token. An issuer may accept each refresh token once, so two rules
 * hold: one thread of one process refreshes at a time and uses the tokens that others have stored,
 * and a refresh that has started is completed and stored even if no thread waits for it any more.
 */
final class Refresh {
    private static final System.Logger LOGGER = System.getLogger(Refresh.class.getName());

    private final KeptLogin kept;
    private final Grant grant;
    private final TokenEndpoint tokens;

    Refresh(KeptLogin kept, Grant grant, TokenEndpoint tokens) {
        this.kept = kept;
        this.grant = grant;
        this.tokens = tokens;
    }

    /**
     * Renews a login, unless another thread or process has done so meanwhile. Tokens that the
     * issuer no longer accepts are removed.
     *
     * @return the login that replaces it; null if it cannot be renewed, or was ended
     * @throws AuthorizationException if the issuer does not renew it now, but may later
     * @throws InterruptedException if the thread is interrupted; the refresh continues
     */
    @Nullable Login of(Login old) throws IOException, InterruptedException {
        String token = old.tokens().refresh();
        return token == null ? null : toItsEnd(() -> inTurn(old, token));
    }

    private @Nullable Login inTurn(Login old, String token)
            throws IOException, InterruptedException {
        try (TokenStore.Lease turn = kept.lease()) {
            Login now = kept.read().orElse(null);
            return now != null && now.isSameToken(old) ? renewed(now, token) : now;
        }
    }

    private @Nullable Login renewed(Login old, String token) throws IOException {
        Map<String, String> form =
                Grant.form("refresh_token", new Terms(old.resource(), old.server(), Scopes.NONE));
        form.put("refresh_token", token);
        try {
            Login.Tokens fresh = tokens.tokens(old.server(), old.client(), form, old.dpop());
            Login renewed = old.with(fresh.refresh() == null ? fresh.with(token) : fresh);
            kept.write(renewed);
            return renewed;
        } catch (TokenEndpoint.RefusedTokensException e) {
            LOGGER.log(Level.DEBUG, "A token is not refreshed: {0}", e.getMessage());
            if (e.isTemporary()) {
                throw new AuthorizationException(
                        "the login cannot be renewed just now: " + e.getMessage(), e);
            }
            if (e.isInvalidGrant()) {
                kept.remove();
            }
            if (e.isInvalidClient()) {
                grant.forget(old.client());
            }
            return null;
        }
    }

    /**
     * Runs the step on a thread of its own, which is never interrupted. It ends soon: all waits in
     * it are bounded.
     */
    private static <T extends @Nullable Object> T toItsEnd(Callable<T> step)
            throws IOException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(step);
        Thread.ofVirtual().name("mcp-refresh").start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }
}
