package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

@Tag(Engines.JETTY_ALONE)
@Timeout(120)
class TlsTest extends HttpTest {
    private static final String PASSWORD = "for this test";

    @Test
    void aServerWithAKeySpeaksHttps(@TempDir Path folder) throws Exception {
        KeyStore keys = selfSigned(folder.resolve("keys.p12"));
        HttpServing serving = serve(listener -> listener.host("localhost").tls(keys, PASSWORD));

        assertThat(serving.uri().toString())
                .isEqualTo("https://localhost:" + serving.port() + "/mcp");
        try (HttpClient client = HttpClient.newBuilder().sslContext(trusting(keys)).build()) {
            HttpResponse<String> answer =
                    client.send(
                            HttpRequest.newBuilder(serving.uri())
                                    .header("Content-Type", Wire.JSON)
                                    .header("Accept", Wire.BOTH)
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    initialize("2025-11-25")))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue(SESSION)).isPresent();
        }
    }

    private static KeyStore selfSigned(Path file) throws Exception {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        Process process =
                new ProcessBuilder(
                                tool.toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static SSLContext trusting(KeyStore keys) throws Exception {
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("server", keys.getCertificate("server"));
        trust.init(certificates);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
