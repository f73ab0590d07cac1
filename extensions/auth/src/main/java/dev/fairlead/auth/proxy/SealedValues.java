package dev.fairlead.auth.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.json.JsonBindingException;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonException;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.platform.HmacSha256;
import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.protocol.time.LimitedLog;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Values of one kind in a store that can read none of them. It has digests of keys and owners, and
 * each value is encrypted by a key that derives from its own: a value opens for the client, browser
 * or state that names it, and for nothing that reads the store. One that was altered, or moved to
 * another key, counts as unknown. Safe for use by several threads.
 */
final class SealedValues<V> {
    private static final System.Logger LOGGER = System.getLogger(SealedValues.class.getName());
    private static final byte[] LABEL = "fairlead proxy value v1".getBytes(UTF_8);
    private static final String CIPHER = "AES/GCM/NoPadding";
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final String name;
    private final OwnedValues values;
    private final JsonCodec<V> codec;

    /**
     * @param name of the kind, for the store and the log
     * @param type a record
     */
    SealedValues(
            OwnedValues.Source store,
            String name,
            OwnedValues.Share share,
            Duration kept,
            Class<V> type) {
        this.name = name;
        values = store.open(name, share, kept);
        codec = JsonCodec.of(type);
    }

    /**
     * A value as it is stored.
     *
     * @param encrypted the bytes of the store
     */
    record Found<V>(V value, byte[] encrypted) {}

    /** Keeps a value; see {@link OwnedValues#put}. */
    boolean put(String owner, int most, String key, V value) throws OAuthFailure {
        String digest = Sha256.of(key);
        byte[] encrypted = encrypted(key, digest, value);
        return stored(() -> values.put(Sha256.of(owner), most, digest, encrypted));
    }

    /** Keeps a value; see {@link OwnedValues#putForOldest}. */
    void putForOldest(String owner, String key, V value) throws OAuthFailure {
        String digest = Sha256.of(key);
        byte[] encrypted = encrypted(key, digest, value);
        stored(
                () -> {
                    values.putForOldest(Sha256.of(owner), digest, encrypted);
                    return true;
                });
    }

    Optional<Found<V>> find(String key) throws OAuthFailure {
        String digest = Sha256.of(key);
        return stored(() -> values.find(digest))
                .flatMap(encrypted -> decrypted(key, digest, encrypted));
    }

    /** Removes a value: of several that take it, one gets it. */
    Optional<V> take(String key) throws OAuthFailure {
        String digest = Sha256.of(key);
        return stored(() -> values.take(digest))
                .flatMap(encrypted -> decrypted(key, digest, encrypted))
                .map(Found::value);
    }

    /** Puts a value in the place of another; see {@link OwnedValues#replace}. */
    boolean replace(String key, Found<V> before, V after) throws OAuthFailure {
        String digest = Sha256.of(key);
        byte[] encrypted = encrypted(key, digest, after);
        return stored(() -> values.replace(digest, before.encrypted(), encrypted));
    }

    private <T> T stored(Supplier<T> call) throws OAuthFailure {
        try {
            return call.get();
        } catch (RuntimeException e) {
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.WARNING, "", e, "The store of {0} failed", name);
            throw OAuthFailure.unavailable();
        }
    }

    private byte[] encrypted(String key, String digest, V value) throws OAuthFailure {
        byte[] nonce = RandomBytes.of(NONCE);
        byte[] text = codec.toValue(value).toString().getBytes(UTF_8);
        if (text.length > OwnedValues.MAX_BYTES - NONCE - TAG_BITS / 8) {
            throw OAuthFailure.invalidRequest("The request is too long");
        }
        try {
            byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, key, digest, nonce).doFinal(text);
            return ByteBuffer.allocate(NONCE + encrypted.length).put(nonce).put(encrypted).array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + CIPHER, e);
        }
    }

    private Optional<Found<V>> decrypted(String key, String digest, byte[] encrypted) {
        if (encrypted.length < NONCE) {
            return Optional.empty();
        }
        try {
            byte[] nonce = Arrays.copyOf(encrypted, NONCE);
            byte[] text =
                    cipher(Cipher.DECRYPT_MODE, key, digest, nonce)
                            .doFinal(encrypted, NONCE, encrypted.length - NONCE);
            return Optional.of(new Found<>(codec.read(text), encrypted));
        } catch (GeneralSecurityException | JsonException | JsonBindingException e) {
            // altered, or of another version
            return Optional.empty();
        }
    }

    private Cipher cipher(int mode, String key, String digest, byte[] nonce)
            throws GeneralSecurityException {
        byte[] secret = new HmacSha256(key.getBytes(UTF_8), new byte[0]).bytes(LABEL);
        Cipher cipher = Cipher.getInstance(CIPHER);
        cipher.init(mode, new SecretKeySpec(secret, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((name + '\n' + digest).getBytes(UTF_8));
        return cipher;
    }
}
