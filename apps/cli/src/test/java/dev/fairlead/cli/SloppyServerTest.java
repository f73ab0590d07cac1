package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;

/** The command line at a server of revision 2026-07-28 over HTTP whose lists are not all right. */
class SloppyServerTest {
    private static final String GOOD =
            "{\"name\":\"good\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
                    + "\"size\":{\"type\":\"colour\"}}}}";

    private static final String BROKEN =
            "{\"name\":\"broken\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                    + "{\"region\":{\"type\":\"array\",\"x-mcp-header\":\"Region\"}}}}";

    private final Map<String, String> results = new ConcurrentHashMap<>();
    private final List<String> regions = new CopyOnWriteArrayList<>(); // of calls
    private final List<JsonObject> arguments = new CopyOnWriteArrayList<>();
    private final Logged warnings = new Logged("dev.fairlead", Level.WARNING);
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", this::answer);
        server.start();
        results.put(
                "server/discover",
                "{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}");
        results.put(
                "tools/list",
                "{\"resultType\":\"complete\",\"tools\":[" + BROKEN + "," + GOOD + "]}");
        results.put("tools/call", "{\"resultType\":\"complete\",\"content\":[]}");
    }

    @AfterEach
    void stop() {
        server.stop(0);
        warnings.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            JsonObject request = (JsonObject) JsonValue.parse(body);
            if (request.string("method").equals("tools/call")) {
                regions.add(
                        String.valueOf(exchange.getRequestHeaders().getFirst("Mcp-Param-Region")));
                arguments.add(request.object("params").object("arguments"));
            }
            byte[] answer =
                    ("{\"jsonrpc\":\"2.0\",\"id\":"
                                    + request.get("id")
                                    + ",\"result\":"
                                    + results.get(request.string("method"))
                                    + "}")
                            .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    private Ran run(String... typed) {
        List<String> words = new java.util.ArrayList<>(List.of(typed));
        words.add("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
        return Cli.run(words.toArray(String[]::new));
    }

    @Test
    @Requirement({"N26-HDR-010", "N26-HDR-011"})
    void toolsWhoseHeadersBreakTheRulesAreLeftOutWithAWarning() {
        for (String[] typed :
                List.of(new String[] {"tools", "list"}, new String[] {"tools", "list", "--json"})) {
            Ran ran = run(typed);
            assertThat(ran.status()).isZero();
            assertThat(ran.out()).contains("good").doesNotContain("broken");
            assertThat(warnings.lines().toString()).contains("A tool of the server is left out: ");
        }
    }

    @Test
    @Requirement("N26-HDR-009")
    void aCallWhoseArgumentsAreTypedByTheListRepeatsThemInHeaders() {
        assertThat(run("tools", "call", "good", "region=eu").status()).isZero();
        assertThat(regions).containsExactly("eu");
    }

    @Test
    void anArgumentOfAnUnknownTypeIsNotChecked() {
        assertThat(run("tools", "call", "good", "size=red").status()).isZero();
        assertThat(run("tools", "call", "good", "size=7").status()).isZero();
        assertThat(arguments)
                .containsExactly(JsonObject.of("size", "red"), JsonObject.of("size", 7));
    }

    @Test
    void whatCannotBeReadIsLeftOutForPeopleAndPrintedAsItCameForPrograms() {
        results.put(
                "tools/list",
                "{\"resultType\":\"complete\",\"tools\":[" + GOOD + ",{\"name\":\"bad\"}]}");
        Ran people = run("tools", "list");
        assertThat(people.status()).isZero();
        assertThat(people.out()).contains("good").doesNotContain("bad");
        assertThat(warnings.lines().toString()).contains("tools[1].inputSchema is missing");
        assertThat(run("tools", "list", "--json").out()).contains("\"bad\"");
    }

    @Test
    void aCursorThatComesAgainEndsTheListWithEachItemOnce() {
        for (String cursor : List.of("", "c")) {
            results.put(
                    "tools/list",
                    "{\"resultType\":\"complete\",\"tools\":["
                            + GOOD
                            + "],\"nextCursor\":\""
                            + cursor
                            + "\"}");
            Ran ran = run("tools", "list", "--json");
            assertThat(ran.status()).isZero();
            assertThat(((JsonObject) JsonValue.parse(ran.out())).array("tools").elements())
                    .hasSize(1);
            assertThat(warnings.lines().toString()).contains("repeats a cursor");
        }
    }

    /** A value that is neither true nor false is a failure to a script. */
    @Test
    void anUnreadableIsErrorIsAFailure() {
        results.put(
                "tools/call", "{\"resultType\":\"complete\",\"content\":[],\"isError\":\"yes\"}");
        assertThat(run("tools", "call", "good", "--json").status()).isEqualTo(1);
    }
}
