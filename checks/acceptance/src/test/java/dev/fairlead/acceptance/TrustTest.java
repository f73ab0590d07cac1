package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whom a client trusts over TLS. */
@Timeout(120)
class TrustTest {
    private static final Path FILES =
            Path.of("../../checks/http-engines/src/test/resources/dev/fairlead/http/jetty/tls");

    private static final Path CERTIFICATE = FILES.resolve("ec-certificate.pem");
    private static final Path KEY = FILES.resolve("ec.pem");

    private final McpServer server = McpServer.named("secret", "1").build();
    private HttpServing serving;

    @BeforeEach
    void serve() throws IOException {
        serving = server.serve(Http.port(0).tls(CERTIFICATE, KEY));
    }

    @AfterEach
    void close() {
        server.close();
    }

    private HttpConnector way() {
        return Http.to("https://localhost:" + serving.port() + "/mcp");
    }

    private static String name(HttpConnector way) throws InterruptedException {
        try (McpClient client = McpClient.connect(way)) {
            return client.serverInfo().name();
        }
    }

    @Test
    void aCertificateInAFileIsTrusted() throws Exception {
        assertThat(name(way().trust(CERTIFICATE))).isEqualTo("secret");
    }

    @Test
    void otherCertificatesAreNotTrusted() throws Exception {
        HttpConnector mistaken = way().trust(FILES.resolve("other-certificate.pem"));
        assertThatThrownBy(() -> name(mistaken)).isInstanceOf(ConnectionException.class);
    }

    @Test
    void aContextOfTheApplicationDecides() throws Exception {
        HttpConnector usual = way().trust(CERTIFICATE).tls(SSLContext.getDefault());
        assertThatThrownBy(() -> name(usual)).isInstanceOf(ConnectionException.class);
    }

    /** Checks a stream and a request beside it, which need two connections with HTTP/1.1. */
    @Test
    void anHttpClientOfTheApplicationMaySpeakHttp2() throws Exception {
        try (HttpServing narrow =
                        server.serve(Http.port(0).tls(CERTIFICATE, KEY).maxConnections(1));
                HttpClient http =
                        HttpClient.newBuilder()
                                .version(Version.HTTP_2)
                                .sslContext(known())
                                .build();
                McpClient client =
                        McpClient.named("desk", "1") // of a session, which listens at once
                                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                                .connect(
                                        Http.to("https://localhost:" + narrow.port() + "/mcp")
                                                .httpClient(http))) {
            await("a stream is open").until(() -> narrow.metrics().streams() == 1);

            client.ping();
        }
    }

    private static SSLContext known() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        try (var in = Files.newInputStream(CERTIFICATE)) {
            keys.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    @Test
    void aFileWithoutACertificateIsNamed() {
        assertThatThrownBy(() -> way().trust(KEY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(KEY.toString());
    }
}
