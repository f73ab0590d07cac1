package dev.fairlead.cli;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.http.HttpListener;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** The certificate with which a command serves HTTPS. */
final class CertificateOptions {
    @Option(
            names = "--tls-cert",
            paramLabel = "PEM",
            description = "serve HTTPS with the certificate in this file")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "PEM",
            description = "the private key of the certificate; may be the same file")
    private @Nullable Path key;

    @Option(
            names = "--tls-key-password-env",
            paramLabel = "NAME",
            description = "the environment variable with the password of the key")
    private @Nullable String passwordVariable;

    boolean isGiven() {
        return certificate != null || key != null || passwordVariable != null;
    }

    /**
     * Serves HTTPS there, if the options say so.
     *
     * @param environment has the password
     * @throws UsageException if they do not fit together
     */
    HttpListener on(HttpListener listener, Environment environment) {
        if (!isGiven()) {
            return listener;
        }
        if (certificate == null || key == null) {
            throw new UsageException(
                    "--tls-cert and --tls-key need each other; one file may contain both");
        }
        return passwordVariable == null
                ? listener.tls(certificate, key)
                : listener.tls(
                        certificate,
                        key,
                        NamedSecret.of("--tls-key-password-env", passwordVariable, environment));
    }
}
