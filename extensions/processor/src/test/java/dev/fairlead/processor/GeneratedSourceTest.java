package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** The class that is written for a representative class. */
class GeneratedSourceTest {
    @TempDir Path directory;

    @Test
    void theClassIsPlainReadableCode() throws IOException {
        Compiled compiled = Samples.compile("library", directory);

        assertThat(compiled.messages()).isEmpty();
        assertThat(compiled.generated("library/LibraryMcp.java"))
                .isEqualTo(Samples.text("library/LibraryMcp.java.txt"));
    }
}
