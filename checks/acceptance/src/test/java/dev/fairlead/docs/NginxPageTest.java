package dev.fairlead.docs;

import static dev.fairlead.test.support.Awaiting.await;

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

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The file for nginx on the page about deployment, with a real nginx where one is installed. */
@Timeout(120)
class NginxPageTest {
    private static final char[] PASSWORD = "for this test".toCharArray();

    @TempDir private Path folder;

    private static Optional<Path> nginx() {
        return Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator)),
                        Stream.of("/usr/sbin"))
                .map(place -> Path.of(place, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Checks that a report of a handler reaches the client before the handler ends. */
    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            names = {"V2025_11_25", "V2026_07_28"})
    void passesStreamsOnAtOnceAndReplacesForgedAddresses(Revision revision) throws Exception {
        assumeThat(nginx()).isPresent();
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
                Nginx nginx = start(serving.port(), certificate);
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(revision, revision)
                                .connect(
                                        Http.to("https://localhost:" + nginx.port() + "/mcp")
                                                .trust(certificate)
                                                .header("X-Forwarded-For", "6.6.6.6"))) {
            String text =
                    client.withProgress(report -> seen.countDown())
                            .callTool("watch", JsonObject.EMPTY)
                            .text();
            assertThat(text).isEqualTo("true [127.0.0.1]");
        }
    }

    private record Nginx(Process process, int port) implements AutoCloseable {
        @Override
        public void close() throws InterruptedException {
            process.destroy();
            process.waitFor();
        }
    }

    private Nginx start(int upstream, Path certificate) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        String site =
                Pages.block("docs/deploy.md", "nginx")
                        .replace("127.0.0.1:3000", "127.0.0.1:" + upstream)
                        .replace("listen 443 ssl", "listen 127.0.0.1:" + port + " ssl")
                        .replaceAll("ssl_certificate [^;]+", "ssl_certificate " + certificate)
                        .replaceAll(
                                "ssl_certificate_key [^;]+",
                                "ssl_certificate_key " + folder.resolve("key.pem"));
        Path file = folder.resolve("nginx.conf");
        Files.writeString(
                file,
                "daemon off;\nworker_processes 1;\npid %1$s/nginx.pid;\nerror_log stderr;\n"
                                .formatted(folder)
                        + "events {}\nhttp {\naccess_log off;\n"
                        + Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                                .map(kind -> kind + "_temp_path " + folder + "/" + kind + ";\n")
                                .reduce("", String::concat)
                        + site
                        + "}\n");
        Process process =
                new ProcessBuilder(
                                nginx().orElseThrow().toString(),
                                "-p",
                                folder.toString(),
                                "-e",
                                "stderr",
                                "-c",
                                file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("nginx.out").toFile())
                        .start();
        await().until(() -> listens(port) || !process.isAlive());
        assertThat(process.isAlive()).as(Files.readString(folder.resolve("nginx.out"))).isTrue();
        return new Nginx(process, port);
    }

    private static boolean listens(int port) {
        try (var socket = new java.net.Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (java.io.IOException e) {
            return false;
        }
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
