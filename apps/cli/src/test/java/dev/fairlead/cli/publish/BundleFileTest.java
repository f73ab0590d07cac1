package dev.fairlead.cli.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.platform.UserFiles;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

class BundleFileTest {
    @TempDir Path temp;
    private Path folder;
    private Path java;
    private Path file;

    @BeforeEach
    void files() throws IOException {
        folder = temp.resolve("bundle");
        file = temp.resolve("hello.mcpb");
        java = folder.resolve("runtime/bin/java");
        Files.createDirectories(java.getParent());
        Files.createDirectory(folder.resolve("empty"));
        Files.writeString(java, "program");
        Files.writeString(folder.resolve("manifest.json"), "{}");
    }

    /** Hosts write each entry to the file of its name, which fails for a folder. */
    @Test
    void foldersHaveNoEntries() throws IOException {
        BundleFile.write(folder, file);
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(zip.stream().map(ZipEntry::getName))
                    .containsExactlyInAnyOrder("manifest.json", "runtime/bin/java");
        }
    }

    @Test
    void permissionsAreKept() throws IOException {
        if (!UserFiles.hasPermissions(java)) {
            return;
        }
        var executable = PosixFilePermissions.fromString("rwxr-xr-x");
        Files.setPosixFilePermissions(java, executable);
        BundleFile.write(folder, file);
        Map<String, ?> options = Map.of("enablePosixFileAttributes", "true");
        try (FileSystem zip = FileSystems.newFileSystem(file, options)) {
            Path entry = zip.getPath("runtime/bin/java");
            assertThat(Files.getPosixFilePermissions(entry)).isEqualTo(executable);
            assertThat(Files.readString(entry)).isEqualTo("program");
        }
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(Files.getPosixFilePermissions(Files.createFile(temp.resolve("usual"))));
    }

    @Test
    void itReplacesTheFileOfBefore() throws IOException {
        Files.writeString(file, "the file of before");
        BundleFile.write(folder, file);
        try (ZipFile zip = new ZipFile(file.toFile())) {
            assertThat(zip.size()).isEqualTo(2);
        }
        try (var left = Files.list(temp)) {
            assertThat(left).containsExactlyInAnyOrder(folder, file);
        }
    }
}
