package dev.fairlead.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

class SecretTest {
    @TempDir Path folder;

    @Test
    void aSecretIsReadOnEachUse() {
        AtomicReference<String> place = new AtomicReference<>("old");
        Secret secret = Secret.from(place::get);

        assertThat(secret.value()).isEqualTo("old");
        place.set("new");
        assertThat(secret.value()).isEqualTo("new");
    }

    @Test
    void aFileMayEndWithALineEnd() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "s3cret\n");

        assertThat(Secret.file(file).value()).isEqualTo("s3cret");
    }

    @Test
    void aSecretIsNotInItsDescription() {
        assertThat(Secret.from(() -> "s3cret")).hasToString("a secret from the application");
    }

    @Test
    void theMissingPlaceIsNamed() {
        assertThatThrownBy(() -> Secret.env("FAIRLEAD_NOT_SET").value())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no secret in the environment variable FAIRLEAD_NOT_SET");
        assertThatThrownBy(() -> Secret.file(folder.resolve("none")).value())
                .isInstanceOf(UncheckedIOException.class);
    }
}
