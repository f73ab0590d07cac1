package dev.fairlead.showcase;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.jdbc.WrappingKey;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

/**
 * The storage of the showcase: its tasks, sessions over HTTP and their events, changes and keys of
 * request states are in memory, or in a database that outlives it and that several may share.
 */
final class Storage implements AutoCloseable {
    static final String MEMORY = "memory";

    private final @Nullable Database database;

    private Storage(@Nullable Database database) {
        this.database = database;
    }

    /**
     * Checks a name of {@code --store} without opening it.
     *
     * @throws IllegalArgumentException with a message for people
     */
    static String check(String name) {
        if (name.equals(MEMORY) || name.matches("file:.+|jdbc:postgresql:.+")) {
            return name;
        }
        throw new IllegalArgumentException(
                "--store is memory, file:PATH or jdbc:postgresql://… but was " + scheme(name));
    }

    /** The text up to the first colon: the rest may contain a password. */
    private static String scheme(String name) {
        int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(0, colon + 1) + "…";
    }

    /**
     * Opens a storage that {@link #check} has accepted.
     *
     * @param password of a PostgreSQL; null if its URL contains it, or it needs none
     * @param wrapping wraps the keys of request states; null if they lie open in the database
     * @throws dev.fairlead.jdbc.DatabaseException if a database cannot be used
     */
    static Storage open(String name, @Nullable String password, @Nullable WrappingKey wrapping) {
        if (name.equals(MEMORY)) {
            return new Storage(null);
        }
        DatabaseOptions options =
                wrapping == null
                        ? DatabaseOptions.DEFAULT
                        : DatabaseOptions.DEFAULT.withWrappingKey(wrapping);
        return new Storage(
                password == null
                        ? Database.open(name, options)
                        : Database.postgres(name, password, options));
    }

    /** Tasks that are kept here. */
    Tasks tasks() {
        return database == null ? Tasks.inMemory() : database.tasks();
    }

    /** Returns a server's builder, all of whose parts are kept here. */
    McpServer.Builder set(McpServer.Builder server) {
        return database == null ? server : server.store(database);
    }

    /** Closes the database; called after the server was closed. */
    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
    }
}
