package dev.fairlead.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** The files that other users of the machine can put beside a database file before it is opened. */
class SqliteNeighboursTest {
    @TempDir Path folder;
    private Path store;

    @BeforeEach
    void name() throws Exception {
        store = folder.toRealPath().resolve("store.db");
    }

    /** Opens the file in a process of its own, in which SQLite has not been loaded before. */
    private List<String> librariesOfANewProcess() throws Exception {
        try (ChildProcess child =
                ChildProcess.start(
                        ChildJvm.command(SqliteProcessTest.Writing.class, store.toString()))) {
            assertThat(child.line().orElseThrow()).isEqualTo("open");
            try (Stream<String> maps = Files.lines(Path.of("/proc/" + child.pid() + "/maps"))) {
                return maps.filter(line -> line.contains("sqlitejdbc.so"))
                        .map(line -> line.substring(line.indexOf('/')))
                        .distinct()
                        .toList();
            }
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aLinkWithTheNameOfTheFormerLibraryFolderIsNotFollowed() throws Exception {
        Path precious = Files.createDirectories(folder.resolve("precious/letters"));
        Path thesis = Files.writeString(precious.resolveSibling("thesis.odt"), "years");
        Files.createSymbolicLink(folder.resolve("store.db.native"), precious.getParent());

        assertThat(librariesOfANewProcess())
                .isNotEmpty()
                .noneMatch(library -> library.contains("precious"));

        assertThat(thesis).hasContent("years");
        assertThat(precious).exists();
    }

    @Test
    void aFolderOfTheUserWithThatNameKeepsItsFiles() throws Exception {
        Path own = Files.createDirectories(folder.resolve("store.db.native")).resolve("notes.txt");
        Files.writeString(own, "mine");

        librariesOfANewProcess();

        assertThat(own).hasContent("mine");
    }

    @Test
    void aFolderThatAnotherUserMadeFirstIsNotUsed() throws Exception {
        Path open = Files.createDirectories(folder.resolve("store.db.native"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(librariesOfANewProcess())
                .isNotEmpty()
                .noneMatch(library -> library.contains("store.db.native"));
    }

    @Test
    void inAFolderThatOthersCanChangeNoLibraryIsUnpacked() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThat(librariesOfANewProcess())
                .isNotEmpty()
                .noneMatch(library -> library.startsWith(folder.toString()));
    }

    @Test
    void inAFolderOfAnotherUserNoLibraryIsUnpacked() throws Exception {
        give(folder);

        assertThat(librariesOfANewProcess())
                .isNotEmpty()
                .noneMatch(library -> library.startsWith(folder.toString()));
    }

    @Test
    void onceTheLibraryIsLoadedNothingOfItIsLeft() throws Exception {
        assertThat(librariesOfANewProcess()).singleElement().asString().endsWith("(deleted)");

        assertThat(names()).isSubsetOf("store.db", "store.db-shm", "store.db-wal", "store.db.lock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.db", "store.db-wal", "store.db-shm", "store.db.lock"})
    void aFileThatIsALinkIsRefusedAndItsTargetUnchanged(String name) throws Exception {
        Path target = Files.writeString(folder.resolve("target"), "precious");
        Files.createSymbolicLink(folder.resolve(name), target);

        assertThatThrownBy(() -> SqliteEngine.open(store, 1))
                .hasMessageContaining(
                        "/%s is a symbolic link; name the file that it points to".formatted(name));
        assertThat(target).hasContent("precious");
        Files.delete(folder.resolve(name));
        SqliteEngine.open(store, 1).close();
    }

    @Test
    void aLinkToNothingCreatesNothing() throws Exception {
        Files.createSymbolicLink(store, folder.resolve("elsewhere"));

        assertThatThrownBy(() -> SqliteEngine.open(store, 1))
                .hasMessageContaining("is a symbolic link");
        assertThat(folder.resolve("elsewhere")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.db", "store.db-wal", "store.db.lock"})
    void aFolderWithTheNameOfAFileIsRefused(String name) throws Exception {
        Path inside = Files.createDirectories(folder.resolve(name)).resolve("letter");
        Files.writeString(inside, "mine");

        assertThatThrownBy(() -> SqliteEngine.open(store, 1))
                .hasMessageContaining(name + " is not a file; move it away or use another name");
        assertThat(inside).hasContent("mine");
    }

    @Test
    void aFileInThePlaceOfItsFolderIsNamed() throws Exception {
        Path file = Files.writeString(store.resolveSibling("notes"), "mine");
        Path inside = file.resolve("store.db");

        assertThatThrownBy(() -> SqliteEngine.open(inside, 1))
                .hasMessage(inside + " cannot be opened: " + file + " is not a folder");
    }

    @Test
    void aFolderThatCannotBeCreatedIsNamed() throws Exception {
        Path inside = Path.of("/proc/none/store.db");
        assumeTrue(Files.isDirectory(Path.of("/proc/self")));

        assertThatThrownBy(() -> SqliteEngine.open(inside, 1))
                .hasMessage(inside + " cannot be opened: /proc/none cannot be created");
    }

    @Test
    void aFileThatIsNoDatabaseIsNamed() throws Exception {
        Files.writeString(store, "a letter that has more than a few lines\n".repeat(100));

        assertThatThrownBy(() -> SqliteEngine.open(store, 1))
                .hasMessage(store + " cannot be opened: the file is damaged or not a database");
    }

    @Test
    void aLongFileWithTheNameOfTheLockIsNotEmptied() throws Exception {
        String text = "a letter that somebody wrote, and no process number";
        Path lock = Files.writeString(folder.resolve("store.db.lock"), text);

        assertThatThrownBy(() -> SqliteEngine.open(store, 1))
                .hasMessageContaining("store.db.lock is not a lock file");
        assertThat(lock).hasContent(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"store.db", "store.db-wal", "store.db.lock"})
    void aFileOfAnotherUserIsRefused(String name) throws Exception {
        give(Files.createFile(folder.resolve(name)));

        assertThatThrownBy(() -> SqliteEngine.open(store, 1))
                .hasMessageContaining(name + " belongs to the user ")
                .hasMessageContaining("change its owner or use another name");
    }

    /** Changes the owner, which only the administrator may do. */
    private static void give(Path file) throws IOException {
        assumeTrue(Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid")), "not root");
        Files.setAttribute(file, "unix:uid", 65_534);
    }

    @Test
    void filesThatOthersCouldReadAreTheOwnersAlone() throws Exception {
        for (String name : List.of("store.db", "store.db.lock")) {
            Path file = Files.createFile(folder.resolve(name));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }

        SqliteEngine engine = SqliteEngine.open(store, 1);
        try {
            engine.write(s -> s.update("create table item(id integer primary key)"));
            assertThat(names()).hasSize(4);
            for (String name : names()) {
                assertThat(Files.getPosixFilePermissions(folder.resolve(name)))
                        .as(name)
                        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            }
        } finally {
            engine.close();
        }
    }
}
