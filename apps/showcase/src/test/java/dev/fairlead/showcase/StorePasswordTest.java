package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class StorePasswordTest {
    private static final String STORE = "jdbc:postgresql://host/tasks?user=me";

    @TempDir Path folder;

    @Test
    void itIsInAVariableOrTheFirstLineOfAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "s3cret\nsecond line\n");
        Map<String, String> environment = Map.of("MINE", "other", "PGPASSWORD", "usual");

        assertThat(StorePassword.of(STORE, "MINE", null).read(STORE, environment))
                .isEqualTo("other");
        assertThat(StorePassword.of(STORE, null, file.toString()).read(STORE, environment))
                .isEqualTo("s3cret");
        assertThat(StorePassword.of(STORE, null, null).read(STORE, environment)).isEqualTo("usual");
        assertThat(StorePassword.of(STORE, null, null).read(STORE, Map.of())).isNull();
    }

    @Test
    void aPasswordInTheUrlTakesPrecedenceOverTheUsualVariable() {
        String url = STORE + "&password=mine";

        assertThat(StorePassword.of(url, null, null).read(url, Map.of("PGPASSWORD", "usual")))
                .isNull();
        assertThat(StorePassword.of("memory", null, null).read("memory", Map.of("PGPASSWORD", "x")))
                .isNull();
    }

    @Test
    void whatDoesNotContainAPasswordIsNamed() throws Exception {
        Path empty = Files.createFile(folder.resolve("empty"));

        assertThatThrownBy(() -> StorePassword.of(STORE, "MINE", null).read(STORE, Map.of()))
                .hasMessage("--store-password-env: the variable MINE is not set");
        assertThatThrownBy(
                        () -> StorePassword.of(STORE, null, empty.toString()).read(STORE, Map.of()))
                .hasMessage("--store-password-file: the first line is empty: " + empty);
        assertThatThrownBy(() -> StorePassword.of(STORE, null, empty + "x").read(STORE, Map.of()))
                .hasMessageStartingWith("--store-password-file: cannot be read: ");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://host/tasks?user=me, false",
        "jdbc:postgresql://host:5432/tasks?passwordless=1, false",
        "jdbc:postgresql://host/tasks?password=s3cret, true",
        "jdbc:postgresql://host/tasks?user=me&password=s3cret, true",
        "file:/tmp/a?password=b, false"
    })
    void aUrlThatContainsOneIsRecognised(String store, boolean contains) {
        assertThat(StorePassword.isIn(store)).isEqualTo(contains);
    }
}
