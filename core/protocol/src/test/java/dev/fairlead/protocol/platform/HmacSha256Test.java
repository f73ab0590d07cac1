package dev.fairlead.protocol.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class HmacSha256Test {
    /** The second test case of RFC 4231. */
    @Test
    void aSignatureIsOverTheStartAndTheRest() {
        HmacSha256 jefe = new HmacSha256(bytes("Jefe"), bytes("what do ya want "));
        for (int i = 0; i < 2; i++) {
            assertThat(jefe.bytes(bytes("for nothing?")))
                    .asHexString()
                    .isEqualToIgnoringCase(
                            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
