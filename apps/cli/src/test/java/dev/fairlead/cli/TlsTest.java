package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.showcase.Serve;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** HTTPS by options, on both sides. */
@Timeout(120)
class TlsTest {
    private static final Path FILES =
            Path.of("../../checks/http-engines/src/test/resources/dev/fairlead/http/jetty/tls");
    private static final String CERTIFICATE = FILES.resolve("ec-certificate.pem").toString();
    private static final String KEY = FILES.resolve("ec.pem").toString();
    private static final String ENCRYPTED = FILES.resolve("ec-encrypted.pem").toString();
    private static final String OTHER = FILES.resolve("other-certificate.pem").toString();

    private final List<Process> processes = new ArrayList<>();
    @TempDir private Path folder;

    @AfterEach
    void end() {
        processes.forEach(Process::destroy);
        processes.forEach(process -> process.onExit().join());
    }

    /** Starts what serves HTTPS, and gives where. */
    private String serve(Class<?> program, String... arguments) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(ChildJvm.command(program, arguments))
                        .redirectError(Redirect.INHERIT);
        builder.environment().put("KEY_PASSWORD", "for this test");
        Process process = builder.start();
        processes.add(process);
        String line = process.inputReader().readLine();
        assertThat(line).startsWith("listening on https://localhost:");
        return line.substring("listening on ".length());
    }

    private String serve() throws IOException {
        return serve(
                Serve.class, "--http", "localhost:0", "--tls-cert", CERTIFICATE, "--tls-key", KEY);
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
    void aGatewayServesHttpsWithAKeyThatIsEncryptedAndTrustsItsServers() throws IOException {
        JsonObject secret = JsonObject.of("url", serve());
        Path file = folder.resolve("servers.json");
        Files.writeString(
                file, JsonObject.of("mcpServers", JsonObject.of("secret", secret)).toJson());
        String gateway =
                serve(
                        Main.class,
                        "gateway",
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
