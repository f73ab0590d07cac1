package dev.fairlead.http.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The certificates of PEM files. */
final class Certificates {
    private Certificates() {}

    /**
     * All of a file, in its order; at least one.
     *
     * @throws IOException if there is none, or one cannot be read
     */
    static List<X509Certificate> of(PemFile file) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemFile.Block block : file.blocks()) {
            if (block.label().equals("CERTIFICATE")) {
                certificates.add(certificate(file, block));
            }
        }
        if (certificates.isEmpty()) {
            throw new IOException(
                    file.path() + " has no certificate: expected -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    private static X509Certificate certificate(PemFile file, PemFile.Block block)
            throws IOException {
        try {
            var in = new ByteArrayInputStream(file.decoded(block));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (CertificateException e) {
            throw new IOException(file.path() + " has a certificate that cannot be read", e);
        }
    }

    /**
     * The certificate of a server and those that issued it, one after the other.
     *
     * @throws IOException if they do not follow each other
     */
    static List<X509Certificate> chain(PemFile file) throws IOException {
        List<X509Certificate> chain = of(file);
        for (int i = 1; i < chain.size(); i++) {
            var issuer = chain.get(i - 1).getIssuerX500Principal();
            if (!issuer.equals(chain.get(i).getSubjectX500Principal())) {
                throw new IOException(
                        file.path()
                                + " has certificates that are no chain: the server's own comes"
                                + " first, and then the issuer of each, but number "
                                + (i + 1)
                                + " has not issued the one before");
            }
        }
        return chain;
    }
}
