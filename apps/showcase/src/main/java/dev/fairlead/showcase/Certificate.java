package dev.fairlead.showcase;

import dev.fairlead.http.HttpListener;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Map;

/**
 * The certificate of HTTPS.
 *
 * @param passwordVariable the environment variable that has the password of the key; null where it
 *     is not encrypted
 */
record Certificate(Path file, Path key, @Nullable String passwordVariable) {
    /**
     * Returns the certificate of the options; null if there is none.
     *
     * @throws IllegalArgumentException if they name one without the other
     */
    static @Nullable Certificate of(
            @Nullable String file, @Nullable String key, @Nullable String passwordVariable) {
        if (file == null && key == null && passwordVariable == null) {
            return null;
        }
        if (file == null || key == null) {
            throw new IllegalArgumentException(
                    "--tls-cert and --tls-key go together; one file may hold both");
        }
        return new Certificate(Path.of(file), Path.of(key), passwordVariable);
    }

    /**
     * Serves HTTPS there.
     *
     * @param environment that has the password
     * @throws IllegalArgumentException if it does not
     */
    HttpListener on(HttpListener listener, Map<String, String> environment) {
        if (passwordVariable == null) {
            return listener.tls(file, key);
        }
        String password = environment.get(passwordVariable);
        if (password == null) {
            throw new IllegalArgumentException(
                    "--tls-key-password-env: the variable " + passwordVariable + " is not set");
        }
        return listener.tls(file, key, password);
    }
}
