package dev.fairlead.auth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 8037, appendix A. */
class Ed25519VerifierTest {
    private static final String KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    private static final String SIGNATURE =
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    private static final String SIGNED = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";

    private static boolean isValid(String jws) throws Exception {
        JWSObject object = JWSObject.parse(jws);
        return object.verify(
                new Signatures()
                        .createJWSVerifier(object.getHeader(), Signatures.publicKey(key(KEY))));
    }

    private static OctetKeyPair key(String x) {
        return new OctetKeyPair.Builder(Curve.Ed25519, new Base64URL(x)).build();
    }

    @Test
    void theExampleIsVerified() throws Exception {
        assertThat(isValid(SIGNED + "." + SIGNATURE)).isTrue();
        assertThat(key(KEY).computeThumbprint().toString())
                .isEqualTo("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmd." + SIGNATURE,
                SIGNED
                        + ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAw",
                SIGNED + ".hgyY",
                SIGNED
                        + ".__________________________________________________________________________________________"
            })
    void whatWasChangedIsNot(String jws) throws Exception {
        assertThat(isValid(jws)).isFalse();
    }

    @Test
    void anotherAlgorithmOrAnExtensionIsNot() throws Exception {
        String payload = ".RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc." + SIGNATURE;
        for (String header :
                new String[] {
                    "{\"alg\":\"ES256\"}", "{\"alg\":\"EdDSA\",\"crit\":[\"b64\"],\"b64\":false}"
                }) {
            assertThat(isValid(Base64URL.encode(header) + payload)).isFalse();
        }
    }

    @Test
    void whatIsNoKeyIsNotTaken() {
        for (OctetKeyPair key :
                new OctetKeyPair[] {
                    key("AAAA"),
                    new OctetKeyPair.Builder(Curve.X25519, new Base64URL(KEY)).build(),
                    new OctetKeyPair.Builder(Curve.Ed448, new Base64URL(KEY)).build()
                }) {
            assertThatThrownBy(() -> Signatures.publicKey(key)).isInstanceOf(JOSEException.class);
        }
    }
}
