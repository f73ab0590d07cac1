package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** How {@code fairlead serve} ends where a file or a store that an option names is of no use. */
@Timeout(120)
class ServeFailureTest {
    @TempDir Path folder;

    private void fails(Path keys, int status, String message) throws Exception {
        try (LocalServe program =
                LocalServe.start("--http", "127.0.0.1:0", "--state-keys", keys.toString())) {
            assertThat(program.status()).isEqualTo(status);
            assertThat(program.errors()).isEqualTo("fairlead serve: " + message + "\n");
        }
    }

    @Test
    void keysThatAreNoneAreReportedInOneLine() throws Exception {
        Path keys = Files.writeString(folder.resolve("keys"), "YWJj\n");
        fails(keys, 64, keys + ", line 1: a key has at least 32 bytes in Base64");
    }

    @Test
    void aFileThatIsMissingIsNamed() throws Exception {
        Path keys = folder.resolve("missing");
        fails(
                keys,
                1,
                "the keys of request states in " + keys + " cannot be read: there is no such file");
    }

    @Test
    void aStoreThatCannotBeOpenedIsOneLineAndExitStatus1() throws Exception {
        Path file = folder.resolve("file");
        Files.writeString(file, "no database");
        try (LocalServe program =
                LocalServe.start(
                        "--http", "127.0.0.1:0", "--store", "file:" + file + "/tasks.db")) {
            assertThat(program.status()).isEqualTo(1);
            assertThat(program.output()).isEmpty();
            assertThat(program.errors().lines())
                    .singleElement()
                    .asString()
                    .startsWith("fairlead serve: ");
        }
    }

    @Test
    void aStoreOfAnUnknownKindIsWrongUsage() throws Exception {
        try (LocalServe program =
                LocalServe.start("--http", "127.0.0.1:0", "--store", "redis://here")) {
            assertThat(program.status()).isEqualTo(64);
            assertThat(program.errors()).contains("but was redis:…").contains("Usage:");
        }
    }
}
