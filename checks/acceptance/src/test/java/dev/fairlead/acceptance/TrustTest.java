package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;

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

    @Test
    void aFileWithoutACertificateIsNamed() {
        assertThatThrownBy(() -> way().trust(KEY))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(KEY.toString());
    }
}
