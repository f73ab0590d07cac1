package dev.fairlead.auth.client;

import java.io.IOException;

/** Keeps one key. */
interface Keyring {
    /**
     * The key. May block as long as a person is asked for permission.
     *
     * @throws IOException if there is none, or none is given
     */
    byte[] read() throws IOException;

    /** Keeps a key in the place of the one before. */
    void write(byte[] key) throws IOException;

    /**
     * The keyring of the platform.
     *
     * @param account distinguishes the keys of this program
     * @throws IllegalStateException without the library for it
     */
    static Keyring ofPlatform(String account) {
        try {
            Class.forName("com.github.javakeyring.Keyring", false, Keyring.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(
                    "Keyrings need the library com.github.javakeyring:java-keyring, which is not"
                            + " there",
                    e);
        }
        return new PlatformKeyring(account);
    }
}
