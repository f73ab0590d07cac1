package dev.fairlead.auth;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A secret, by the place that it is read from. It is read again each time it is needed, so that a
 * rotated one is found, and it never appears in {@link #toString()}. Safe for use by several
 * threads if its place is.
 */
public final class Secret {
    private final String place;
    private final Supplier<String> source;

    private Secret(String place, Supplier<String> source) {
        this.place = place;
        this.source = source;
    }

    /** The value of an environment variable. */
    public static Secret env(String name) {
        Objects.requireNonNull(name, "name");
        return new Secret("the environment variable " + name, () -> orEmpty(System.getenv(name)));
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    /** The content of a file in UTF-8, without the line end that it may close with. */
    public static Secret file(Path file) {
        Objects.requireNonNull(file, "file");
        return new Secret("the file " + file, () -> read(file));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).stripTrailing();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read a secret from " + file, e);
        }
    }

    /**
     * Reads the secret from a source of the application.
     *
     * @param source may block; called on the threads of connections, by several at once
     */
    public static Secret from(Supplier<String> source) {
        return new Secret("the application", Objects.requireNonNull(source, "source"));
    }

    /**
     * Reads the secret.
     *
     * @throws IllegalStateException if there is none at its place
     * @throws UncheckedIOException if its file cannot be read
     */
    public String value() {
        String value = source.get();
        if (value.isEmpty()) {
            throw new IllegalStateException("there is no secret in " + place);
        }
        return value;
    }

    /** Returns the source of the secret. */
    @Override
    public String toString() {
        return "a secret from " + place;
    }
}
