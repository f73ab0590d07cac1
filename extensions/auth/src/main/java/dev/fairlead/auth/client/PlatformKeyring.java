package dev.fairlead.auth.client;

import com.github.javakeyring.BackendNotSupportedException;
import com.github.javakeyring.PasswordAccessException;

import java.io.IOException;
import java.util.Base64;

/**
 * A key in the keyring of the platform: the Keychain, the Credential Manager, the Secret Service or
 * KWallet. It cannot be loaded without the library that knows them.
 */
final class PlatformKeyring implements Keyring {
    private static final String SERVICE = "fairlead";

    private final String account;

    /**
     * @param account distinguishes the keys of this program
     */
    PlatformKeyring(String account) {
        this.account = account;
    }

    @Override
    public byte[] read() throws IOException {
        String key = using(keyring -> keyring.getPassword(SERVICE, account));
        try {
            return Base64.getDecoder().decode(key);
        } catch (IllegalArgumentException e) { // its message may quote the key
            return new byte[0];
        }
    }

    @Override
    public void write(byte[] key) throws IOException {
        String text = Base64.getEncoder().encodeToString(key);
        using(
                keyring -> {
                    keyring.setPassword(SERVICE, account, text);
                    return text;
                });
    }

    private interface Use {
        String with(com.github.javakeyring.Keyring keyring) throws PasswordAccessException;
    }

    private static String using(Use use) throws IOException {
        try (com.github.javakeyring.Keyring keyring = com.github.javakeyring.Keyring.create()) {
            return use.with(keyring);
        } catch (BackendNotSupportedException e) {
            throw new IOException("no keyring can be reached here", e);
        } catch (PasswordAccessException e) {
            throw new IOException("the keyring refuses the key: " + e.getMessage(), e);
        } catch (InterruptedException e) { // the threads that end a keyring may throw anything
            Thread.currentThread().interrupt();
            throw new IOException("the wait for the keyring was interrupted", e);
        } catch (Exception | LinkageError e) { // of the libraries between here and there
            throw new IOException("the keyring fails: " + e, e);
        }
    }
}
