package dev.fairlead.protocol.platform;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Sha256Test {
    /** The example of RFC 7636, appendix B. */
    @Test
    void aDigestIsTheChallengeOfACodeVerifier() {
        assertThat(Sha256.of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
                .isEqualTo("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }
}
