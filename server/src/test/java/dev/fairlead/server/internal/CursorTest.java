package dev.fairlead.server.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {
    @Test
    void aCursorComesBackAsItWas() {
        Cursor cursor = new Cursor("resources", 7, "a://b:c");

        assertThat(Cursor.decode("resources", cursor.encode())).isEqualTo(cursor);
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

    @Test
    @Requirement("PAGE-006")
    void theCursorOfOneListIsNoneOfAnother() {
        String cursor = new Cursor("tools", 7, "").encode();

        assertThatThrownBy(() -> Cursor.decode("prompts", cursor))
                .isInstanceOf(JsonRpcException.class);
    }

    @Test
    void noCursorBeyondItsLimitIsLookedAt() {
        String within = "x".repeat(Cursor.MAX_LENGTH);

        assertThatThrownBy(() -> Cursor.decode("tools", new Cursor("tools", 7, within).encode()))
                .isInstanceOf(JsonRpcException.class);
    }
}
