package dev.fairlead.http.internal;

import dev.fairlead.http.spi.EngineSettings.Tls;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;

/**
 * The certificate of a server and its private key, in two PEM files or in one.
 *
 * @param certificates the server's own and then those of its issuers
 * @param key the private key of the first
 * @param password of the key; null where it is not encrypted
 */
public record CertificateFiles(Path certificates, Path key, @Nullable String password) {
    /** The source of the key in the key store, which never leaves the memory. */
    private static final String IN_MEMORY = "in memory";

    private static final byte[] SAMPLE = new byte[32];

    /** The files as they were when they were read. */
    public static final class Contents {
        private final CertificateFiles files;
        private final PemFile certificates;
        private final PemFile key;

        private Contents(CertificateFiles files) throws IOException {
            this.files = files;
            this.certificates = PemFile.read(files.certificates);
            this.key = PemFile.read(files.key);
        }

        /** Returns the paths. */
        public CertificateFiles files() {
            return files;
        }

        /** Returns whether both files are the same as these were. */
        boolean isSame(Contents other) {
            return Arrays.equals(certificates.bytes(), other.certificates.bytes())
                    && Arrays.equals(key.bytes(), other.key.bytes());
        }

        /**
         * Returns key and certificates.
         *
         * @throws IOException if a file holds something else, or the key is not that of the first
         *     certificate; the message names the file and has no secret
         */
        public Tls tls() throws IOException {
            List<X509Certificate> chain = Certificates.chain(certificates);
            PrivateKey secret = PrivateKeys.of(key, files.password);
            try {
                if (!belongs(secret, chain.get(0))) {
                    throw new IOException(
                            "the private key in "
                                    + key.path()
                                    + " is not that of the first certificate in "
                                    + certificates.path());
                }
                KeyStore keys = KeyStore.getInstance("PKCS12");
                keys.load(null, null);
                keys.setKeyEntry(
                        "server",
                        secret,
                        IN_MEMORY.toCharArray(),
                        chain.toArray(Certificate[]::new));
                return new Tls(keys, IN_MEMORY);
            } catch (GeneralSecurityException e) {
                throw new IOException(
                        "key and certificates in "
                                + key.path()
                                + " and "
                                + certificates.path()
                                + " cannot be used together",
                        e);
            }
        }
    }

    /**
     * Reads the files without parsing keys and certificates.
     *
     * @throws IOException if one cannot be read, or ends within a block
     */
    public Contents read() throws IOException {
        return new Contents(this);
    }

    /** Returns whether the certificate verifies a signature of the key. */
    private static boolean belongs(PrivateKey key, X509Certificate certificate)
            throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certificate.getPublicKey().getAlgorithm())) {
            return false;
        }
        String scheme =
                switch (key.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "EdDSA";
                };
        Signature signature = Signature.getInstance(scheme);
        signature.initSign(key);
        signature.update(SAMPLE);
        byte[] signed = signature.sign();
        signature.initVerify(certificate.getPublicKey());
        signature.update(SAMPLE);
        try {
            return signature.verify(signed);
        } catch (SignatureException e) { // of another size
            return false;
        }
    }

    /** Returns the paths, without the password. */
    @Override
    public String toString() {
        return certificates + " and " + key;
    }
}
