package dev.fairlead.http.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Makes clients that trust certain certificates. */
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * TLS for a client that trusts the certificates in a PEM file, and no others.
     *
     * @throws IOException if the file cannot be read or has none; the message names it
     */
    public static SSLContext trusting(Path file) throws IOException {
        List<X509Certificate> certificates = Certificates.of(PemFile.read(file));
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (int i = 0; i < certificates.size(); i++) {
                trusted.setCertificateEntry(Integer.toString(i), certificates.get(i));
            }
            var managers =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates in " + file + " cannot be used", e);
        }
    }
}
