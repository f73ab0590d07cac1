package dev.fairlead.protocol.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetaKeyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "trace",
                "a",
                "7",
                "a-b_c.d",
                "com.example/trace",
                "com.example/",
                "a-1.b2/x",
                "com.example.mcp/tools",
                "x/A_B"
            })
    @Requirement({"BASE-024", "BASE-025", "BASE-026", "BASE-027"})
    void keysOfOnesOwn(String key) {
        assertThatNoException().isThrownBy(() -> MetaKey.check(key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1a.b/x", "a-/x", "a..b/x", ".a/x", "a./x", "/x", "a b/x", "a_b/x", "a.-b/x"
            })
    @Requirement("BASE-024")
    void labelsBeginWithALetterAndEndWithALetterOrDigit(String key) {
        assertThatThrownBy(() -> MetaKey.check(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the prefix of a _meta key must be");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-a", "a-", "_a", "a.", "a b", "com.example/-a", "com.example/a/b", "é"})
    @Requirement("BASE-025")
    void namesBeginAndEndWithALetterOrDigit(String key) {
        assertThatThrownBy(() -> MetaKey.check(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the name of a _meta key must begin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "progressToken",
                "io.modelcontextprotocol/x",
                "dev.mcp/x",
                "com.mcp.tools/x",
                "modelcontextprotocol.io/x",
                "mcp.dev/x",
                MetaKey.RELATED_TASK,
                MetaKey.MODEL_IMMEDIATE_RESPONSE
            })
    @Requirement({"BASE-027", "BASE-028", "VERS-026"})
    void reservedKeysAreRefused(String key) {
        assertThat(MetaKey.isReserved(key)).isTrue();
        assertThatThrownBy(() -> MetaKey.check(key))
                .hasMessage("the protocol reserves the _meta key " + key);
    }

    @Test
    void aHostileKeyIsCheckedInLinearTime() {
        String labels = "a-".repeat(20_000) + "/x";
        assertThatThrownBy(() -> MetaKey.check(labels))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
