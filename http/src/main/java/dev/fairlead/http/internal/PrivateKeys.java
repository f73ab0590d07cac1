package dev.fairlead.http.internal;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;

import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** The private keys of PEM files. */
final class PrivateKeys {
    private static final String EXPECTED =
            "expected one of RSA, EC or EdDSA as PRIVATE KEY, ENCRYPTED PRIVATE KEY, RSA PRIVATE"
                    + " KEY or EC PRIVATE KEY";

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PrivateKeys() {}

    /**
     * The first of a file.
     *
     * @param password where it is encrypted
     * @throws IOException if there is none, or it cannot be read; no message has anything of key or
     *     password
     */
    static PrivateKey of(PemFile file, @Nullable String password) throws IOException {
        PemFile.Block block =
                file.blocks().stream()
                        .filter(each -> each.label().endsWith("PRIVATE KEY"))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IOException(
                                                file.path() + " has no private key: " + EXPECTED));
        if (block.text().contains("Proc-Type:")) {
            throw new IOException(
                    file.path()
                            + " has a key in an old encryption that is not read: convert it with"
                            + " openssl pkcs8 -topk8");
        }
        byte[] bytes = file.decoded(block);
        try {
            return switch (block.label()) {
                case "PRIVATE KEY" -> key(bytes);
                case "ENCRYPTED PRIVATE KEY" -> key(decrypted(file, bytes, password));
                case "RSA PRIVATE KEY" -> key(OlderKeys.rsa(bytes));
                case "EC PRIVATE KEY" -> key(OlderKeys.ec(bytes));
                default -> throw new InvalidKeySpecException(block.label());
            };
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    file.path() + " has a private key that cannot be read: " + EXPECTED, e);
        }
    }

    private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // of another algorithm
            }
        }
        throw new InvalidKeySpecException("of no algorithm that is known");
    }

    private static byte[] decrypted(PemFile file, byte[] bytes, @Nullable String password)
            throws IOException {
        if (password == null) {
            throw new IOException(
                    file.path() + " has an encrypted private key, and no password was given");
        }
        PBEKeySpec secret = new PBEKeySpec(password.toCharArray());
        try {
            var info = new EncryptedPrivateKeyInfo(bytes);
            var factory = SecretKeyFactory.getInstance(encryption(info));
            return info.getKeySpec(factory.generateSecret(secret)).getEncoded();
        } catch (GeneralSecurityException | IOException e) {
            throw new IOException(
                    file.path()
                            + " has a private key that cannot be decrypted: the password is another"
                            + " one, or the encryption is unknown here",
                    e);
        } finally {
            secret.clearPassword();
        }
    }

    /** The parameters of PBES2 say what its name does not. */
    private static String encryption(EncryptedPrivateKeyInfo info) {
        var parameters = info.getAlgParameters();
        return parameters == null ? info.getAlgName() : parameters.toString();
    }
}
