package dev.fairlead.server.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;

class CursorTest {
    private static final String GREET = Cursor.digest("tool", "greet");

    private static Cursor after(String within) {
        return new Cursor("tools", List.of(GREET, Cursor.digest("tool", "echo")), within);
    }

    @Test
    void aCursorComesBackAsItWas() {
        Cursor cursor = after("a://b:c");

        assertThat(Cursor.decode("tools", cursor.encode())).isEqualTo(cursor);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "dG9vbHM", "dG9vbHM6eDo", "dG9vbHM6MTo=", "****"})
    @Requirement({"PAGE-006", "ERR-014"})
    void anythingElseIsAnInvalidParameter(String text) {
        assertThatThrownBy(() -> Cursor.decode("tools", text))
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32602))
                .hasMessage("Invalid cursor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tools::", "tools:7:", "tools:ABCDEFGH.:", "tools:ABCDEFGH"})
    @Requirement("PAGE-006")
    void aCursorNamesFeaturesByDigests(String text) {
        String cursor =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(text.getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> Cursor.decode("tools", cursor))
                .isInstanceOf(JsonRpcException.class);
    }

    @Test
    @Requirement("PAGE-006")
    void aCursorNamesNoMoreFeaturesThanItMay() {
        List<String> features = Collections.nCopies(Cursor.MAX_FEATURES, GREET);
        List<String> more = Collections.nCopies(Cursor.MAX_FEATURES + 1, GREET);

        assertThat(Cursor.decode("tools", new Cursor("tools", features, "").encode()).features())
                .isEqualTo(features);
        assertThatThrownBy(() -> Cursor.decode("tools", new Cursor("tools", more, "").encode()))
                .isInstanceOf(JsonRpcException.class);
    }

    @Test
    @Requirement("PAGE-006")
    void theCursorOfOneListIsNoneOfAnother() {
        String cursor = after("").encode();

        assertThatThrownBy(() -> Cursor.decode("prompts", cursor))
                .isInstanceOf(JsonRpcException.class);
    }

    @Test
    void noCursorBeyondItsLimitIsLookedAt() {
        String within = "x".repeat(Cursor.MAX_LENGTH);

        assertThatThrownBy(() -> Cursor.decode("tools", after(within).encode()))
                .isInstanceOf(JsonRpcException.class);
    }
}
