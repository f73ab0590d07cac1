package dev.fairlead.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

class SqliteProcessTest {
    @TempDir Path folder;

    @Test
    void whileAnotherProcessHasTheFileItIsRefusedEvenIfThatOneIsFrozen() throws Exception {
        Path path = folder.resolve("store.db");
        try (ChildProcess child =
                ChildProcess.start(ChildJvm.command(Writing.class, path.toString()))) {
            assertThat(child.line().orElseThrow()).isEqualTo("open");
            String message =
                    "%s is in use by another process (%s); a database file belongs to one process"
                            .formatted(path.toRealPath(), child.pid());

            assertThatThrownBy(() -> SqliteEngine.open(path, 1)).hasMessage(message);
            child.signal("STOP");
            assertThatThrownBy(() -> SqliteEngine.open(path, 1)).hasMessage(message);
        }
        SqliteEngine.open(path, 1).close();
    }

    @Test
    void whatAKilledProcessAcknowledgedIsThere() throws Exception {
        Path path = folder.resolve("store.db");
        String last = "";
        try (ChildProcess child =
                ChildProcess.start(ChildJvm.command(Writing.class, path.toString()))) {
            for (int line = 0; line < 500; line++) {
                last = String.valueOf(child.line().orElseThrow());
            }
        }

        try (SqliteEngine engine = SqliteEngine.open(path, 1)) {
            List<Long> there =
                    engine.read(s -> s.list("select id from item", row -> row.number("id")));
            assertThat(there).contains(Long.parseLong(last)).hasSizeGreaterThanOrEqualTo(499);
        }
    }

    /** Another process has the file open when one gives it another name. */
    private void whileOpen(Theft theft, String refusal) throws Exception {
        Path path = folder.toRealPath().resolve("store.db");
        try (ChildProcess child =
                ChildProcess.start(ChildJvm.command(Writing.class, path.toString()))) {
            assertThat(child.line().orElseThrow()).isEqualTo("open");
            child.signal("STOP"); // else it may notice, and leave the file
            Path other = theft.of(path);
            assertThatThrownBy(() -> SqliteEngine.open(other, 1)).hasMessageContaining(refusal);
        }
    }

    /**
     * A manipulation of a database file or its lock; gives the path by which another process opens
     * it.
     */
    @FunctionalInterface
    private interface Theft {
        Path of(Path database) throws IOException;
    }

    @Test
    void byAHardLinkNoOtherProcessOpensIt() throws Exception {
        whileOpen(
                path -> Files.createLink(path.resolveSibling("link.db"), path),
                "has 2 names (hard links)");
    }

    @Test
    void withoutItsLockFileNoOtherProcessOpensIt() throws Exception {
        whileOpen(
                path -> {
                    Files.delete(path.resolveSibling("store.db.lock"));
                    return path;
                },
                "is open in another process although its lock file is new");
    }

    @Test
    void withAnEmptyFileInThePlaceOfItsLockNoOtherProcessOpensIt() throws Exception {
        whileOpen(
                path -> {
                    Path lock = path.resolveSibling("store.db.lock");
                    Files.delete(lock);
                    Files.createFile(lock);
                    return path;
                },
                "is open in another process although its lock file is new");
    }

    @Test
    void underANewNameNoOtherProcessOpensIt() throws Exception {
        whileOpen(
                path -> Files.move(path, path.resolveSibling("moved.db")),
                "is open in another process although its lock file is new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.db", "store.db.lock", "store.db-wal"})
    void aWriterWhoseFileIsDeletedWritesNothingMore(String name) throws Exception {
        Path path = folder.toRealPath().resolve("store.db");
        try (SqliteEngine engine = SqliteEngine.open(path, 10)) {
            engine.write(s -> s.update("create table item(id integer primary key)"));
            Files.delete(path.resolveSibling(name));
            assertThatThrownBy(() -> insert(engine, 1))
                    .hasMessageContaining(
                            name + " was deleted, moved or replaced while it was open");
            Files.writeString(path.resolveSibling(name), ""); // it is back, but another one
            assertThatThrownBy(() -> insert(engine, 2)).hasMessageContaining("no longer written");
        }
    }

    /** They are in the log that the process has open, which has no name any more. */
    @Test
    void whatWasAcknowledgedBeforeTheLogWasDeletedIsInTheFile() throws Exception {
        Path path = folder.toRealPath().resolve("store.db");
        Path copy = folder.resolve("copy.db");
        try (SqliteEngine engine = SqliteEngine.open(path, 10)) {
            engine.write(s -> s.update("create table item(id integer primary key)"));
            insert(engine, 1);
            Files.delete(path.resolveSibling("store.db-wal"));
            assertThatThrownBy(() -> insert(engine, 2)).hasMessageContaining("store.db-wal was");
            Files.copy(path, copy); // as if the process had been killed now
        }
        try (SqliteEngine engine = SqliteEngine.open(copy, 10)) {
            assertThatThrownBy(() -> insert(engine, 1)).hasMessageContaining("UNIQUE");
            insert(engine, 2);
        }
    }

    private static void insert(SqliteEngine engine, int id) throws java.sql.SQLException {
        engine.write(s -> s.update("insert into item(id) values (?)", id));
    }

    @Test
    void aCopyIsOpened() throws Exception {
        Path path = folder.resolve("store.db");
        SqliteEngine.open(path, 1).close();
        Path copy = Files.copy(path, folder.resolve("copy.db"));
        SqliteEngine.open(copy, 1).close();
    }

    /**
     * Opens a file, says so, and writes numbers, each of which it prints once it is acknowledged.
     */
    static final class Writing {
        public static void main(String[] arguments) throws Exception {
            try (SqliteEngine engine = SqliteEngine.open(Path.of(arguments[0]), 100)) {
                engine.write(s -> s.update("create table item(id integer primary key)"));
                say("open");
                AtomicInteger next = new AtomicInteger();
                Thread[] callers = new Thread[8];
                for (int i = 0; i < callers.length; i++) {
                    callers[i] = Thread.ofVirtual().start(() -> write(engine, next));
                }
                for (Thread caller : callers) {
                    caller.join();
                }
            }
        }

        private static void write(SqliteEngine engine, AtomicInteger next) {
            try {
                while (true) {
                    int id = next.incrementAndGet();
                    engine.write(s -> s.update("insert into item(id) values (?)", id));
                    say(Integer.toString(id));
                }
            } catch (java.sql.SQLException e) {
                say(e.toString());
            }
        }

        private static synchronized void say(String line) {
            System.out.println(line);
        }
    }
}
