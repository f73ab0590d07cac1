package dev.fairlead.auth.client;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWEObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.DirectDecrypter;
import com.nimbusds.jose.crypto.DirectEncrypter;

import dev.fairlead.protocol.platform.RandomBytes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.text.ParseException;

import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypted as a JWE (RFC 7516) in its compact form, {@code dir} with {@code A256GCM}, by a key
 * that a keyring keeps. The key is made with the file, and asked for once.
 */
final class SealedEnvelope implements Envelope {
    private static final JWEHeader HEADER =
            new JWEHeader(JWEAlgorithm.DIR, EncryptionMethod.A256GCM);

    private final Keyring keyring;
    private volatile @Nullable SecretKey known;

    SealedEnvelope(Keyring keyring) {
        this.keyring = keyring;
    }

    @Override
    public String open(String closed) throws IOException {
        JWEObject sealed = parse(closed);
        SecretKey key = known;
        if (key == null || !isOpened(sealed, key)) { // another process may have started a new file
            key = key(keyring.read());
            if (!isOpened(sealed, key)) {
                throw new IOException("the key in the keyring is not the one that it is sealed by");
            }
            known = key;
        }
        return sealed.getPayload().toString();
    }

    private static JWEObject parse(String closed) throws IOException {
        try {
            return JWEObject.parse(closed);
        } catch (ParseException e) {
            throw new IOException("it is not sealed, or it is damaged");
        }
    }

    private static boolean isOpened(JWEObject sealed, SecretKey key) {
        try {
            sealed.decrypt(new DirectDecrypter(key));
            return true;
        } catch (JOSEException e) {
            return false;
        }
    }

    @Override
    public String close(String text) throws IOException {
        SecretKey key = known;
        if (key == null) {
            byte[] bits = RandomBytes.of(32);
            keyring.write(bits);
            key = key(bits);
            known = key;
        }
        try {
            JWEObject sealed = new JWEObject(HEADER, new Payload(text));
            sealed.encrypt(new DirectEncrypter(key));
            return sealed.serialize();
        } catch (JOSEException e) {
            throw new IOException("it cannot be sealed: " + e.getMessage(), e);
        }
    }

    @Override
    public void begin() {
        known = null;
    }

    private static SecretKey key(byte[] bits) throws IOException {
        if (bits.length != 32) {
            throw new IOException(
                    "the entry in the keyring is not a 256-bit key; delete it to create a new one");
        }
        return new SecretKeySpec(bits, "AES");
    }
}
