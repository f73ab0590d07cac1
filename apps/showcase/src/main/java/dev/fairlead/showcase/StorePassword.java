package dev.fairlead.showcase;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The source of the password of a PostgreSQL, other than {@code --store}: other users can see the
 * arguments of a process.
 *
 * @param variable the environment variable that contains it; null if none was named
 * @param file whose first line is the password; null if none was named
 */
record StorePassword(@Nullable String variable, @Nullable Path file) {
    static final String WARNING =
            "the password in --store is visible in the list of processes;"
                    + " use --store-password-env NAME, --store-password-file FILE or PGPASSWORD";

    private static final String POSTGRES = "jdbc:postgresql:";
    private static final String DEFAULT_VARIABLE = "PGPASSWORD";
    private static final Pattern IN_URL = Pattern.compile("[?&]password=|//[^/?]*:[^/?@]*@");

    /**
     * Returns the source of the password by the options.
     *
     * @throws IllegalArgumentException if they do not fit each other
     */
    static StorePassword of(
            @Nullable String store, @Nullable String variable, @Nullable String file) {
        if (variable != null && file != null) {
            throw new IllegalArgumentException(
                    "--store-password-env and --store-password-file exclude each other");
        }
        if ((variable != null || file != null) && (store == null || !store.startsWith(POSTGRES))) {
            throw new IllegalArgumentException(
                    "--store-password-env and --store-password-file need --store"
                            + " jdbc:postgresql:…");
        }
        return new StorePassword(variable, file == null ? null : Path.of(file));
    }

    /** Returns whether a name of a store shows a password to other users. */
    static boolean isIn(String store) {
        return store.startsWith(POSTGRES) && IN_URL.matcher(store).find();
    }

    /**
     * The password for a store. Without an option it is that of the variable PGPASSWORD, as with
     * the programs of PostgreSQL.
     *
     * @return null if there is none, or the name of the store contains it
     * @throws IllegalArgumentException if the variable or file of the options does not contain one
     */
    @Nullable String read(String store, Map<String, String> environment) {
        if (variable != null) {
            return present(
                    environment.get(variable),
                    "--store-password-env: the variable " + variable + " is not set");
        }
        if (file != null) {
            return present(
                    firstLine(file), "--store-password-file: the first line is empty: " + file);
        }
        return store.startsWith(POSTGRES) && !isIn(store)
                ? environment.get(DEFAULT_VARIABLE)
                : null;
    }

    private static String firstLine(Path file) {
        try {
            return Files.readString(file).lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new IllegalArgumentException("--store-password-file: cannot be read: " + e, e);
        }
    }

    private static String present(@Nullable String password, String otherwise) {
        if (password == null || password.isEmpty()) {
            throw new IllegalArgumentException(otherwise);
        }
        return password;
    }
}
