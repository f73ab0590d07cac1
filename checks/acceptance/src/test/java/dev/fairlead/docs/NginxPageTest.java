package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.FreePort;
import dev.fairlead.test.support.Nginx;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The file for nginx on the page about deployment, with a real nginx where one is installed. */
@Timeout(120)
class NginxPageTest {
    private static final char[] PASSWORD = "for this test".toCharArray();

    @TempDir private Path folder;

    /** Checks that a report of a handler reaches the client before the handler ends. */
    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            names = {"V2025_11_25", "V2026_07_28"})
    void passesStreamsOnAtOnceAndReplacesForgedAddresses(Revision revision) throws Exception {
        assumeThat(Nginx.program()).isPresent();
        int port = FreePort.find();
        CountDownLatch seen = new CountDownLatch(1);
        McpServer.Builder builder =
                McpServer.named("weather", "1.0.0")
                        .tool("watch", "Reports, then waits", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    call.progress(1, 2);
                                    boolean came = seen.await(60, TimeUnit.SECONDS);
                                    return came + " " + call.headers("X-Forwarded-For");
                                });
        Map<String, String> environment = Map.of("PUBLIC_HOST", "localhost");
        Path certificate = certificate();
        try (McpServer server = builder.build();
                HttpServing serving = server.serve(Weather.http(environment, Optional.empty(), 0));
                Nginx nginx = start(port, serving.port(), certificate);
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(revision, revision)
                                .connect(
                                        Http.to("https://localhost:" + port + "/mcp")
                                                .trust(certificate)
                                                .header("X-Forwarded-For", "6.6.6.6"))) {
            String text =
                    client.withProgress(report -> seen.countDown())
                            .callTool("watch", JsonObject.EMPTY)
                            .text();
            assertThat(text).isEqualTo("true [127.0.0.1]");
        }
    }

    private Nginx start(int port, int upstream, Path certificate) throws Exception {
        String site =
                Pages.block("docs/deploy.md", "nginx")
                        .replace("127.0.0.1:3000", "127.0.0.1:" + upstream)
                        .replace("listen 443 ssl", "listen 127.0.0.1:" + port + " ssl")
                        .replaceAll("ssl_certificate [^;]+", "ssl_certificate " + certificate)
                        .replaceAll(
                                "ssl_certificate_key [^;]+",
                                "ssl_certificate_key " + folder.resolve("key.pem"));
        return Nginx.start(folder, port, site);
    }

    /** A certificate for localhost; its key is beside it. */
    private Path certificate() throws Exception {
        Path store = folder.resolve("keys.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(ChildJvm.program("java"))
                                        .resolveSibling("keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "SAN=dns:localhost",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                new String(PASSWORD),
                                "-keystore",
                                store.toString())
                        .redirectErrorStream(true)
                        .start();
        String printed =
                new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(printed).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = new FileInputStream(store.toFile())) {
            keys.load(in, PASSWORD);
        }
        pem("key.pem", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
        return pem("certificate.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
    }

    private Path pem(String name, String kind, byte[] content) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                folder.resolve(name),
                "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(kind, text));
    }
}
