package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** How {@code fairlead serve} ends where a file that an option names is of no use. */
@Timeout(60)
class ServeFailureTest {
    @TempDir Path folder;

    private void fails(Path keys, int status, String message)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                ChildJvm.command(
                                        Serve.class,
                                        "--http",
                                        "127.0.0.1:0",
                                        "--state-keys",
                                        keys.toString()))
                        .start();
        assertThat(process.errorReader().lines().collect(Collectors.joining("\n")))
                .isEqualTo("fairlead serve: " + message);
        assertThat(process.waitFor()).isEqualTo(status);
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
}
