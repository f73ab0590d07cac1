package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.File;
import java.util.stream.Collectors;

/** An answer that cannot be printed. */
@Timeout(600)
class StandardOutputTest {
    private static ProcessBuilder command() {
        return new ProcessBuilder(ChildJvm.command(Main.class, "state-key"));
    }

    private static String errors(Process process) {
        return process.errorReader().lines().collect(Collectors.joining("\n"));
    }

    @Test
    void aFullDiskIsAFailure() throws Exception {
        Process process = command().redirectOutput(new File("/dev/full")).start();
        assertThat(errors(process))
                .isEqualTo(
                        "fairlead: standard output could not be written: No space left on device");
        assertThat(process.waitFor()).isEqualTo(74);
    }

    @Test
    void aReaderMayLeave() throws Exception {
        Process process = command().start();
        process.getInputStream().close();
        assertThat(errors(process)).isEmpty();
        assertThat(process.waitFor()).isZero();
    }
}
