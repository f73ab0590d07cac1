package dev.fairlead.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** The batch files for Windows, which CI does not run. */
class BatchFilesTest {
    /** {@code cmd} can miss a label in a file whose lines end with LF alone. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fairlead.cmd",
                "tools/find-jdk.cmd",
                "apps/distribution/src/dist/bin/fairlead.cmd"
            })
    void linesEndWithCrLf(String file) throws IOException {
        String text = Files.readString(Checkout.ROOT.resolve(file), StandardCharsets.US_ASCII);
        assertThat(text).endsWith("\r\n");
        assertThat(text.replace("\r\n", "")).doesNotContain("\n", "\r");
    }
}
