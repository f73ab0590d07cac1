package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** {@code --timeout} ends each command at a server that does not answer but never stops sending. */
@Timeout(120)
@Tag("proof")
class EndlessServerProofTest {
    private static final String LOG =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
                    + "\"params\":{\"level\":\"debug\",\"data\":\"x\"}}\n";

    private volatile boolean flooding;

    /** Answers each request until the message of a method comes; sends one text from then on. */
    private List<String> server(String method, String text) {
        return LocalProgram.command((none, in, out, err) -> serve(method, text, in, out));
    }

    private int serve(String method, String text, InputStream in, PrintStream out)
            throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            JsonObject message = (JsonObject) JsonValue.parse(line);
            if (message.string("method").equals(method)) {
                flooding = true;
                while (!out.checkError()) {
                    out.print(text);
                }
                return 0;
            }
            if (message.has("id")) {
                out.append(answer(message)).append("\n").flush();
            }
        }
        return 0;
    }

    private static String answer(JsonObject request) {
        String begin =
                "{\"jsonrpc\":\"2.0\",\"id\":" + Objects.requireNonNull(request.get("id")).toJson();
        return switch (request.string("method")) {
            case "server/discover" ->
                    begin + ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}";
            case "initialize" ->
                    begin
                            + ",\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
                            + "{\"tools\":{\"listChanged\":true},\"resources\":{},\"prompts\":{},"
                            + "\"logging\":{}},"
                            + "\"serverInfo\":{\"name\":\"endless\",\"version\":\"1\"}}}";
            default -> begin + ",\"result\":{\"tools\":[]}}";
        };
    }

    private Ran run(List<String> server, String... typed) {
        return Cli.runUntilReached(
                ran -> flooding,
                timeout -> {
                    List<String> all = new ArrayList<>(List.of(typed));
                    all.addAll(List.of("--json", "--timeout", Integer.toString(timeout)));
                    return Cli.on(server, all.toArray(String[]::new));
                });
    }

    @ParameterizedTest
    @CsvSource({
        "initialize, ping",
        "tools/list, tools list",
        "tools/call, tools call x",
        "resources/read, resources read a:b",
        "notifications/initialized, listen --count 1"
    })
    void eachCommandEndsInTime(String method, String typed) {
        Ran ran = run(server(method, LOG), typed.split(" "));
        assertThat(flooding).isTrue();
        assertThat(ran.status()).as("%s", ran.out()).isEqualTo(3);
        assertThat(ran.out()).contains("within ");
    }

    static Stream<Arguments> whatIsSent() {
        return Stream.of(PING, "no message\n", "a line without an end")
                .flatMap(
                        text ->
                                Stream.of("notifications/initialized", "tools/call")
                                        .map(method -> Arguments.of(method, text)));
    }

    /** Each request is to be answered, and the server reads no answer. */
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";

    @ParameterizedTest
    @MethodSource("whatIsSent")
    void soItDoesWhateverIsSent(String method, String text) {
        Ran ran = run(server(method, text), "tools", "call", "x");
        assertThat(flooding).isTrue();
        assertThat(ran.status()).as("%s", ran.out()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/event-stream", "application/json"})
    void andOverHttp(String type) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.setExecutor(threads);
            server.createContext("/", exchange -> flood(exchange, type));
            server.start();
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
            Ran ran =
                    Cli.runUntilReached(
                            reached -> flooding,
                            timeout ->
                                    new String[] {
                                        "ping", "--json", "--timeout", "" + timeout, url
                                    });
            assertThat(flooding).isTrue();
            assertThat(ran.status()).as("%s", ran.out()).isEqualTo(3);
            server.stop(0);
        }
    }

    /** Begins an answer that never ends; the client leaves. */
    private void flood(HttpExchange exchange, String type) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            flooding = true;
            byte[] part =
                    (type.endsWith("json") ? " " : "data: " + LOG + "\n")
                            .getBytes(StandardCharsets.UTF_8);
            while (true) {
                body.write(part);
            }
        }
    }
}
