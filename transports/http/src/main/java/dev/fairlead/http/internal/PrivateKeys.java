package dev.fairlead.http.internal;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
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
            "expected PKCS#8 (PRIVATE KEY or ENCRYPTED PRIVATE KEY) with a key of RSA, EC or EdDSA";

    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private PrivateKeys() {}

    /**
     * Returns the first private key of a file.
     *
     * @param password where it is encrypted
     * @throws IOException if there is none, or it cannot be read; no message contains anything of
     *     key or password
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
        try {
            return switch (block.label()) {
                case "PRIVATE KEY" -> key(file.decoded(block));
                case "ENCRYPTED PRIVATE KEY" -> key(decrypted(file, file.decoded(block), password));
                case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> throw older(file.path(), block);
                default -> throw new InvalidKeySpecException(block.label());
            };
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    file.path() + " has a private key that cannot be read: " + EXPECTED, e);
        }
    }

    /**
     * Names the command that converts a key of PKCS#1 or SEC 1, and keeps an encrypted one
     * encrypted.
     */
    private static IOException older(Path path, PemFile.Block block) {
        boolean isEncrypted = block.text().contains("Proc-Type:");
        return new IOException(
                path
                        + " has its private key in an older format ("
                        + block.label()
                        + "); only PKCS#8 is read. Convert it: openssl pkcs8 -topk8 "
                        + (isEncrypted ? "" : "-nocrypt ")
                        + "-in "
                        + path
                        + " -out new.pem");
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
        throw new InvalidKeySpecException("unknown algorithm");
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

    /** Returns the algorithm; that of PBES2 is in its parameters. */
    private static String encryption(EncryptedPrivateKeyInfo info) {
        var parameters = info.getAlgParameters();
        return parameters == null ? info.getAlgName() : parameters.toString();
    }
}
