package dev.fairlead.auth.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;

class CompactJwtTest {
    private static String part(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String token(String header) {
        return part(header) + "." + part("{\"sub\":\"ann\"}") + "." + part("signature");
    }

    @Test
    void oneForm() throws ParseException {
        String token = token("{\"alg\":\"ES256\",\"kid\":\"a\",\"v\":1}");
        assertThat(CompactJwt.parse(token).getHeader().getKeyID()).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\n", "\r\n", "\t", "=", "==", ".", "+", "/", "\u00e9", "\u0000"})
    void whatIsInsertedAnywhere(String inserted) {
        String token = token("{\"alg\":\"ES256\"}");
        for (int i = 0; i <= token.length(); i++) {
            String other = token.substring(0, i) + inserted + token.substring(i);
            assertThatThrownBy(() -> CompactJwt.parse(other)).isInstanceOf(ParseException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "null",
                "\"alg\"",
                "{",
                "{\"alg\":\"none\"}",
                "{\"alg\":\"ES256\",\"alg\":\"none\"}",
                "{\"alg\":\"dir\",\"enc\":\"A256GCM\"}",
                "{\"alg\":\"ES256\",\"crit\":[]}",
                "{\"alg\":\"ES256\",\"b64\":true}",
                "{\"alg\":\"ES256\",\"jwk\":{}}",
                "{\"alg\":\"ES256\",\"\\u007aip\":\"DEF\"}"
            })
    void otherHeaders(String header) {
        assertThatThrownBy(() -> CompactJwt.parse(token(header)))
                .isInstanceOf(ParseException.class);
    }
}
