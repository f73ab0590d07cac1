package dev.fairlead.showcase;

import dev.fairlead.http.HttpListener;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

/**
 * The storage of the showcase's tasks, its sessions over HTTP and their events: in memory, or in a
 * database that outlives it.
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
     * @throws dev.fairlead.jdbc.DatabaseException if a database cannot be used
     */
    static Storage open(String name, @Nullable String password) {
        if (name.equals(MEMORY)) {
            return new Storage(null);
        }
        return new Storage(
                password == null
                        ? Database.open(name)
                        : Database.postgres(name, password, DatabaseOptions.DEFAULT));
    }

    /** Tasks that are kept here. */
    Tasks tasks() {
        return database == null ? Tasks.inMemory() : JdbcTasks.on(database);
    }

    /** A port whose sessions and events are kept here. */
    HttpListener keptFor(HttpListener listener) {
        return database == null ? listener : listener.eventStore(JdbcEvents.on(database));
    }

    /** Closes the database; called after the server was closed. */
    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
    }
}
