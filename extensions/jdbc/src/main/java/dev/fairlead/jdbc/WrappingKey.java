package dev.fairlead.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.protocol.platform.HmacSha256;
import dev.fairlead.protocol.platform.RandomBytes;
import dev.fairlead.protocol.platform.Sha256;
import dev.fairlead.protocol.platform.UserFiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Wraps the keys of request states that a {@link Database} stores, so that the database alone opens
 * no state. All nodes need the same. Immutable.
 */
public final class WrappingKey {
    /** The fewest bytes of a key. */
    private static final int MIN_BYTES = 32;

    private static final int MAX_FILE = 64 << 10;
    private static final int ID = 4;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final byte[] LABEL = "fairlead state key wrap v1".getBytes(UTF_8);
    private static final byte[] ID_LABEL = "fairlead wrapping key".getBytes(UTF_8);

    private final List<Secret> secrets;

    /**
     * A key of the operator.
     *
     * @param id the start of a digest of it
     */
    private record Secret(int id, SecretKeySpec key) {
        static Secret of(byte[] bytes) {
            return new Secret(
                    ByteBuffer.wrap(Sha256.bytes(ID_LABEL, bytes)).getInt(),
                    new SecretKeySpec(new HmacSha256(bytes, new byte[0]).bytes(LABEL), "AES"));
        }
    }

    private WrappingKey(List<Secret> secrets) {
        this.secrets = secrets;
    }

    /**
     * Reads a file with one key a line, at least 32 bytes in Base64, as {@code fairlead state-key}
     * prints; empty lines and those that begin with # are skipped. The first wraps, all unwrap.
     *
     * @throws UncheckedIOException if it cannot be read
     * @throws IllegalArgumentException if it contains no key, or a line that is none
     */
    public static WrappingKey read(Path file) {
        try {
            return parse(file.toString(), UserFiles.read(file, MAX_FILE));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the wrapping key in " + file + " cannot be read: " + UserFiles.reason(e), e);
        }
    }

    /**
     * Reads keys from a text with the format of the file of {@link #read}, such as a secret from an
     * environment variable.
     *
     * @throws IllegalArgumentException if it contains no key, or a line that is none
     */
    public static WrappingKey parse(String text) {
        return parse("the wrapping key", text);
    }

    private static WrappingKey parse(String source, String text) {
        List<Secret> secrets = new ArrayList<>();
        for (String line : text.lines().map(String::strip).toList()) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                secrets.add(secret(source, line));
            }
        }
        if (secrets.isEmpty()) {
            throw new IllegalArgumentException(source + ": there is no key");
        }
        return new WrappingKey(List.copyOf(secrets));
    }

    private static Secret secret(String source, String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) { // whose message may have a part of the key
            bytes = new byte[0];
        }
        if (bytes.length < MIN_BYTES) {
            throw new IllegalArgumentException(
                    source + ": a key has at least " + MIN_BYTES + " bytes in Base64");
        }
        return Secret.of(bytes);
    }

    /**
     * Wraps a key.
     *
     * @param place the row, which a wrapped key cannot leave
     */
    String wrap(byte[] key, String place) {
        Secret first = secrets.getFirst();
        byte[] nonce = RandomBytes.of(NONCE);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, first, nonce, place).doFinal(key);
            ByteBuffer all = ByteBuffer.allocate(ID + NONCE + sealed.length);
            all.putInt(first.id()).put(nonce).put(sealed);
            return Base64.getEncoder().encodeToString(all.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key cannot be wrapped", e);
        }
    }

    /** Returns a key that was wrapped for this place; empty if none of these keys opens it. */
    Optional<byte[]> unwrap(String wrapped, String place) {
        try {
            byte[] all = Base64.getDecoder().decode(wrapped);
            int id = all.length < ID + NONCE ? 0 : ByteBuffer.wrap(all).getInt();
            for (Secret secret : secrets) {
                if (secret.id() == id) {
                    byte[] nonce = new byte[NONCE];
                    System.arraycopy(all, ID, nonce, 0, NONCE);
                    int from = ID + NONCE;
                    return Optional.of(
                            cipher(Cipher.DECRYPT_MODE, secret, nonce, place)
                                    .doFinal(all, from, all.length - from));
                }
            }
            return Optional.empty();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Cipher cipher(int mode, Secret secret, byte[] nonce, String place)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, secret.key(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(place.getBytes(UTF_8));
        return cipher;
    }

    @Override
    public String toString() {
        return "WrappingKey";
    }
}
