package dev.fairlead.cli.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.cli.servers.TargetException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The changes of real files. */
@Tag("proof")
@Timeout(600)
class FileChangesTest {
    private static final Duration SETTLE = Duration.ofMillis(100);

    @TempDir Path folder;

    private FileChanges watching(String... roots) {
        return new FileChanges(folder, List.of(roots).stream().map(Path::of).toList(), SETTLE);
    }

    private void write(String file) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "x");
    }

    @Test
    void aFileBelowAFolderThatIsMadeLaterIsAChange() throws Exception {
        try (FileChanges changes = watching("target/classes")) {
            write("target/classes/a/b/C.class");
            assertThat(changes.await()).startsWith("target/classes");
            write("target/classes/a/b/D.class");
            assertThat(changes.await()).startsWith("target/classes/a/b/D.class");
        }
    }

    @Test
    void aFolderThatIsRemovedAndMadeAgainStaysWatched() throws Exception {
        write("target/classes/C.class");
        try (FileChanges changes = watching("target/classes")) {
            Files.delete(folder.resolve("target/classes/C.class"));
            Files.delete(folder.resolve("target/classes"));
            Files.delete(folder.resolve("target"));
            assertThat(changes.await()).startsWith("target/classes");
            write("target/classes/D.class");
            assertThat(changes.await()).startsWith("target/classes");
        }
    }

    @Test
    void otherFilesBesideAWatchedOneAreNoChange() throws Exception {
        write("target/hello.jar");
        try (FileChanges changes = watching("target/hello.jar")) {
            write("target/original-hello.jar");
            write("target/hello.jar");
            assertThat(changes.await()).isEqualTo("target/hello.jar");
        }
    }

    @Test
    void tooManyFoldersAreRefused() throws IOException {
        for (int i = 0; i <= FileChanges.MAX_FOLDERS; i++) {
            Files.createDirectory(folder.resolve("f" + i));
        }
        assertThatThrownBy(() -> watching("."))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "more than 10000 folders below "
                                + folder
                                + "; watch fewer by --watch PATH");
    }
}
