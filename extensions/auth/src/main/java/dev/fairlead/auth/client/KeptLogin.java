package dev.fairlead.auth.client;

import dev.fairlead.http.client.AuthorizationException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The stored login for one server. If the store fails, every operation that needs the login fails
 * with its message. Used under the lock of its {@link GuardedServer}.
 */
final class KeptLogin {
    private final URI server;
    private final TokenStore store;
    private final @Nullable Client named;
    private final boolean keepsSecret;
    private final Predicate<String> isUsableAt;

    /** Whether the next login that is read is ignored. */
    private boolean forcesLogin;

    private @Nullable Login passedOver;

    /**
     * @param named the client that the application named, if it did
     * @param keepsSecret whether its secret is kept as well
     * @param forcesLogin whether the login that is read first is ignored
     * @param isUsableAt whether a login of this issuer may be used; others count as not there
     */
    KeptLogin(
            URI server,
            TokenStore store,
            @Nullable Client named,
            boolean keepsSecret,
            boolean forcesLogin,
            Predicate<String> isUsableAt) {
        this.server = server;
        this.store = store;
        this.named = named;
        this.keepsSecret = keepsSecret;
        this.forcesLogin = forcesLogin;
        this.isUsableAt = isUsableAt;
    }

    Optional<Login> read() {
        Optional<Login> found =
                using(() -> store.read(server))
                        .flatMap(text -> Login.parse(text, named))
                        .filter(login -> isUsableAt.test(login.issuer()));
        if (forcesLogin) {
            forcesLogin = false;
            passedOver = found.orElse(null);
        }
        return found.filter(login -> !login.isSameToken(passedOver));
    }

    void write(Login login) {
        boolean isNamed = named != null && named.id().equals(login.client().id());
        String text = login.toJson(keepsSecret || !isNamed);
        using(
                () -> {
                    store.write(server, text);
                    return text;
                });
    }

    void remove() {
        using(() -> store.remove(server));
    }

    /** See {@link TokenStore#lease}. */
    TokenStore.Lease lease() throws IOException, InterruptedException {
        try {
            return store.lease(server);
        } catch (UncheckedIOException e) {
            throw failed(e);
        }
    }

    private static <T> T using(Supplier<T> step) {
        try {
            return step.get();
        } catch (UncheckedIOException e) {
            throw failed(e);
        }
    }

    private static AuthorizationException failed(UncheckedIOException e) {
        return new AuthorizationException(String.valueOf(e.getMessage()), e);
    }
}
