package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** {@code info}, {@code tools show}, arguments of prompts by name, and {@code --header}. */
@Timeout(600)
class NamedArgumentsTest {
    private static LocalShowcase server;

    @BeforeAll
    static void start() throws IOException {
        server = new LocalShowcase();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aServerDescribesItself() {
        Ran ran = Cli.run("info", "--json", server.url());

        assertThat(ran.status()).as(ran.err()).isZero();
        JsonObject info = (JsonObject) JsonValue.parse(ran.out());
        assertThat(info.object("serverInfo").string("name")).isEqualTo("fairlead-showcase");
        assertThat(info.string("protocolVersion")).isEqualTo("2026-07-28");
        assertThat(info.object("capabilities").has("tools")).isTrue();
        assertThat(Cli.run("info", "--revision", "2025-06-18", server.url()).out())
                .startsWith("Fairlead showcase (fairlead-showcase) 0.1.0\n")
                .contains("revision 2025-06-18");
    }

    @Test
    void oneToolIsShownWithACall() {
        Ran ran = Cli.run("tools", "show", "interop_echo", server.url());

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.out())
                .startsWith("interop_echo")
                .contains("\nArguments\n  text\tstring, required")
                .endsWith("\nCall\n  fairlead tools call interop_echo text=STRING TARGET\n");

        Ran unknown = Cli.run("tools", "show", "interop_ecko", server.url());
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("Unknown tool: interop_ecko").contains("interop_echo");
    }

    @Test
    void aPromptTakesArgumentsByName() {
        Ran named = Cli.run("prompts", "get", "interop_prompt", "lang=java", server.url());

        assertThat(named.status()).as(named.err()).isZero();
        assertThat(named.out())
                .isEqualTo(
                        Cli.run(
                                        "prompts",
                                        "get",
                                        "interop_prompt",
                                        "--args",
                                        "{\"lang\": \"java\"}",
                                        server.url())
                                .out());
        assertThat(Cli.run("prompts", "get", "interop_prompt", "java", server.url()).err())
                .contains("unexpected argument '" + server.url() + "': the server is java already");
    }

    @Test
    void headersGoWithEachRequest() throws Exception {
        BlockingQueue<Map<String, List<String>>> received = new LinkedBlockingQueue<>();
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        http.createContext(
                "/",
                exchange -> {
                    received.add(Map.copyOf(exchange.getRequestHeaders()));
                    exchange.sendResponseHeaders(403, -1);
                    exchange.close();
                });
        http.start();
        try {
            String url = "http://127.0.0.1:" + http.getAddress().getPort() + "/mcp";
            Cli.run(
                    "ping",
                    "--header",
                    "X-Tenant=blue=1",
                    "--header",
                    "Authorization=Bearer s3cret",
                    url);

            assertThat(received.take())
                    .containsEntry("X-tenant", List.of("blue=1"))
                    .containsEntry("Authorization", List.of("Bearer s3cret"));
            Ran wrong = Cli.run("ping", "--header", "Host=x", url);
            assertThat(wrong.err()).contains("the header Host cannot be sent");
            assertThat(Cli.run("ping", "--header", "X", url).err())
                    .contains("--header needs NAME=VALUE but was X");
            assertThat(Cli.run("ping", "--header", "X=1", "--", "sh").err())
                    .contains("--header is for a URL, but sh is started as a program");
        } finally {
            http.stop(0);
        }
    }
}
