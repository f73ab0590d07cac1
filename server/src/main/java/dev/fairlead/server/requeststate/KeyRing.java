package dev.fairlead.server.requeststate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The keys of states: the first seals, all open. Immutable. */
record KeyRing(List<Key> keys) {
    /** The fewest bytes of a key. */
    static final int MIN_BYTES = 32;

    private static final int MAX_KEYS = 100;
    private static final int MAX_FILE = 64 << 10;

    KeyRing {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one key");
        }
        if (keys.size() > MAX_KEYS) {
            throw new IllegalArgumentException(
                    "there may be " + MAX_KEYS + " keys but are " + keys.size());
        }
    }

    /**
     * One key.
     *
     * @param id which key it is, made of the key
     */
    record Key(int id, byte[] secret) {
        static Key of(byte[] secret) {
            if (secret.length < MIN_BYTES) {
                throw new IllegalArgumentException(
                        "a key must have at least 32 bytes but has " + secret.length);
            }
            try {
                MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
                sha256.update("fairlead request state key".getBytes(StandardCharsets.UTF_8));
                return new Key(ByteBuffer.wrap(sha256.digest(secret)).getInt(), secret.clone());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has SHA-256", e);
            }
        }
    }

    static KeyRing of(List<byte[]> secrets) {
        return new KeyRing(secrets.stream().map(Key::of).toList());
    }

    /** A key that no other process has. */
    static KeyRing random() {
        byte[] secret = new byte[MIN_BYTES];
        new SecureRandom().nextBytes(secret);
        return of(List.of(secret));
    }

    /**
     * Reads a file: one key a line, in Base64; empty lines and those that begin with # are skipped.
     *
     * @throws IllegalArgumentException if a line is no key, or there is none
     */
    static KeyRing read(Path file, byte[] content) {
        List<byte[]> secrets = new ArrayList<>();
        int number = 0;
        for (String line : new String(content, StandardCharsets.UTF_8).lines().toList()) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            try {
                secrets.add(Base64.getDecoder().decode(text));
            } catch (IllegalArgumentException e) { // whose message has a part of the key
                throw new IllegalArgumentException(
                        "line " + number + " of " + file + " is not Base64");
            }
        }
        try {
            return of(secrets);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the content of a file.
     *
     * @throws IOException if it cannot be read or is too large
     */
    static byte[] bytes(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MAX_FILE + 1);
            if (content.length > MAX_FILE) {
                throw new IOException(file + " has more than 64 KiB");
            }
            return content;
        }
    }

    Key first() {
        return keys.get(0);
    }

    Optional<Key> find(int id) {
        return keys.stream().filter(key -> key.id() == id).findFirst();
    }
}
