package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.json.JsonObject;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** HTTPS by options, on both sides. */
@Timeout(600)
class TlsTest extends ClosingTest {
    private static final Path FILES =
            Path.of("../../checks/http-engines/src/test/resources/dev/fairlead/http/jetty/tls");
    private static final String CERTIFICATE = FILES.resolve("ec-certificate.pem").toString();
    private static final String KEY = FILES.resolve("ec.pem").toString();
    private static final String ENCRYPTED = FILES.resolve("ec-encrypted.pem").toString();
    private static final String OTHER = FILES.resolve("other-certificate.pem").toString();

    @TempDir private Path folder;

    private String serve() throws IOException {
        return closedLater(
                        new LocalShowcase(
                                http ->
                                        http.host("localhost")
                                                .tls(Path.of(CERTIFICATE), Path.of(KEY))))
                .url();
    }

    /** Starts a gateway, which runs until the end of the test, and gives where. */
    private String gateway(String... options) throws Exception {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        PrintStream out = new PrintStream(new Cli.LineOutputStream(lines::add), true, UTF_8);
        Environment real = Environment.current();
        Map<String, String> variables = new HashMap<>(real.variables());
        variables.put("KEY_PASSWORD", "for this test");
        Console console =
                new Console(
                        InputStream.nullInputStream(),
                        out,
                        System.err,
                        new Environment(variables, real.directory()));
        Thread gateway =
                Thread.ofPlatform()
                        .name("test-gateway")
                        .start(
                                () ->
                                        Fairlead.run(
                                                console,
                                                new Interrupts(console),
                                                Stream.concat(
                                                                Stream.of("gateway"),
                                                                Stream.of(options))
                                                        .toArray(String[]::new)));
        closedLater(
                () -> {
                    gateway.interrupt();
                    gateway.join();
                });
        String line = lines.poll(300, TimeUnit.SECONDS);
        assertThat(line).startsWith("listening on https://localhost:");
        return line.substring("listening on ".length());
    }

    @Test
    void aServerIsReachedOnlyIfItsCertificateIsTrusted() throws IOException {
        String url = serve();

        assertThat(Cli.run("ping", "--cacert", CERTIFICATE, url).status()).isZero();
        assertThat(Cli.run("ping", "--cacert", OTHER, url).status()).isEqualTo(3);
        Cli.Ran untrusting = Cli.run("ping", url);
        assertThat(untrusting.status()).isEqualTo(3);
        assertThat(untrusting.err())
                .contains("TLS with " + url)
                .endsWith(" failed: no trusted authority issued its certificate\n");
        assertThat(Cli.run("login", "--cacert", CERTIFICATE, url).out())
                .isEqualTo(url + " requires no login\n");
    }

    @Test
    void aGatewayServesHttpsWithAKeyThatIsEncryptedAndTrustsItsServers() throws Exception {
        JsonObject secret = JsonObject.of("url", serve());
        Path file = folder.resolve("servers.json");
        Files.writeString(
                file, JsonObject.of("mcpServers", JsonObject.of("secret", secret)).toJson());
        String gateway =
                gateway(
                        "--http",
                        "localhost:0",
                        "--tls-cert",
                        CERTIFICATE,
                        "--tls-key",
                        ENCRYPTED,
                        "--tls-key-password-env",
                        "KEY_PASSWORD",
                        "--cacert",
                        CERTIFICATE,
                        file.toString());

        String tools = "";
        while (!tools.contains("test_simple_text")) { // a server that is slow comes later
            tools = Cli.run("tools", "list", "--cacert", CERTIFICATE, gateway).out();
        }
        assertThat(
                        Cli.run(
                                        "servers",
                                        "--check",
                                        "--cacert",
                                        CERTIFICATE,
                                        "--servers",
                                        file.toString())
                                .status())
                .isZero();
        assertThat(Cli.run("servers", "--check", "--servers", file.toString()).status())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway --http localhost:0 --tls-cert CERTIFICATE FILE",
                "gateway --http localhost:0 --tls-key KEY FILE",
                "gateway --http localhost:0 --tls-key-password-env NAME FILE",
                "gateway --http localhost:0 --tls-cert CERTIFICATE --tls-key KEY"
                        + " --tls-key-password-env NO_SUCH_VARIABLE FILE",
                "gateway --stdio --tls-cert CERTIFICATE --tls-key KEY FILE",
                "ping --cacert /no/such/file https://localhost/mcp",
                "ping --cacert KEY https://localhost/mcp"
            })
    void whatDoesNotFitIsWrongUsage(String typed) {
        Cli.Ran ran =
                Cli.run(typed.replace("CERTIFICATE", CERTIFICATE).replace("KEY", KEY).split(" "));

        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err().lines()).hasSize(1);
        assertThat(ran.err()).containsAnyOf("--tls-", "--cacert");
    }

    @Test
    void aCertificateThatIsNotThereIsOneLineAndStatusOne() throws IOException {
        Path file = folder.resolve("servers.json");
        Files.writeString(file, "{\"mcpServers\": {\"x\": {\"command\": \"x\"}}}");

        Cli.Ran ran =
                Cli.run(
                        "gateway",
                        "--http",
                        "localhost:0",
                        "--tls-cert",
                        "/no/such.pem",
                        "--tls-key",
                        KEY,
                        file.toString());

        assertThat(ran.status()).isEqualTo(1);
        assertThat(ran.err()).startsWith("fairlead gateway: ").contains("/no/such.pem");
    }
}
