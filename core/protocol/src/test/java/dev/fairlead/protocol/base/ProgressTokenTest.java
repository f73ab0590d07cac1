package dev.fairlead.protocol.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;

class ProgressTokenTest {
    private static ProgressToken token(int length) {
        return new ProgressToken(JsonValue.of("x".repeat(length)));
    }

    @Test
    void aTokenIsBounded() {
        assertThat(token(ProgressToken.MAX_LENGTH).toString()).hasSize(16_386);
        assertThatThrownBy(() -> token(ProgressToken.MAX_LENGTH + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a progress token may have 16384 characters but has 16385");
    }
}
