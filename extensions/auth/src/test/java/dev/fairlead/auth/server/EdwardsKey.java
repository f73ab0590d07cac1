package dev.fairlead.auth.server;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Arrays;

/** A key for Ed25519, made and used by the JDK. */
final class EdwardsKey {
    private final KeyPair pair;

    EdwardsKey() throws GeneralSecurityException {
        pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }

    OctetKeyPair publicKey() {
        byte[] encoded = pair.getPublic().getEncoded();
        byte[] point = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        return new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(point))
                .keyID("edwards")
                .build();
    }

    String signed(JWSHeader header, JWTClaimsSet claims) throws GeneralSecurityException {
        String content = header.toBase64URL() + "." + Base64URL.encode(claims.toString());
        Signature signing = Signature.getInstance("Ed25519");
        signing.initSign(pair.getPrivate());
        signing.update(content.getBytes(StandardCharsets.US_ASCII));
        return content + "." + Base64URL.encode(signing.sign());
    }
}
