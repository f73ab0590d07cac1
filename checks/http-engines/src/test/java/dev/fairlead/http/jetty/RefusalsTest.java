package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

@Timeout(120)
class RefusalsTest extends HttpTest {
    @ParameterizedTest
    @CsvSource({
        "/mcp/, /mcp",
        "/sse/, /sse",
        "/messages/, /messages",
        "/up/, /up",
        "/a/b, /a/b/",
    })
    void aSlashTooManyOrTooFewIsAnsweredWithThePathThatIsServed(String asked, String served)
            throws IOException {
        String endpoint = served.startsWith("/a") ? served : "/mcp";
        HttpServing serving =
                serve(it -> it.path(endpoint).legacySse("/sse", "/messages").health("/up"));

        try (Wire wire = Wire.to(serving)) {
            wire.send("POST", asked, Map.of(), new byte[0]);

            Answer answer = wire.answer();
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body())
                    .contains("Nothing is served at this path; did you mean " + served + "\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mc", "/mcp/x", "/MCP"})
    void otherPathsNameNothing(String path) throws IOException {
        try (Wire wire = Wire.to(serve())) {
            wire.send("POST", path, Map.of(), new byte[0]);

            Answer answer = wire.answer();
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body()).isEmpty();
        }
    }

    /** A filter in front of the server that knows the path would not know these. */
    @ParameterizedTest
    @ValueSource(strings = {"loop", "jetty"})
    void otherSpellingsOfAPathNameNothing(String engine) throws IOException {
        HttpServing serving = serve(listener -> listener.engine(engine));
        for (String path :
                new String[] {
                    "/%6dcp", "/%6Dcp", "/mcp;x=1", "/;x/mcp", "//mcp", "/./mcp", "/x/../mcp",
                    "/mcp/.", "/mcp%2f", "/mcp%00", "/mcp%20", "/%2e/mcp", "/mcp%3f", "/mcp\\",
                }) {
            try (Wire wire = Wire.to(serving)) {
                wire.send(
                        "POST",
                        path,
                        Map.of(
                                "Accept",
                                "application/json, text/event-stream",
                                "Content-Type",
                                "application/json"),
                        initialize("2025-11-25").getBytes(StandardCharsets.US_ASCII));
                assertThat(wire.answer().status()).as(path).isIn(400, 404);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"POST", "GET", "DELETE", "OPTIONS", "PUT"})
    @Requirement({"HTTP-002", "HTTP-003", "ERR-033", "ROOM-059"})
    void aForeignOriginIsRefusedOnEveryMethod(String method) throws IOException {
        HttpServing serving = serve();
        for (String origin :
                new String[] {
                    "http://evil.example",
                    "null",
                    "http://localhost.evil.example",
                    "http://127.0.0.1@evil.example",
                    "http:nothing"
                }) {
            Answer answer = method(serving, method, "Origin", origin);

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"This"
                                    + " origin is not allowed\"}}");
            assertThat(answer.header("Access-Control-Allow-Origin")).isNull();
        }
    }

    @Test
    @Requirement({"HTTP-002", "ROOM-059"})
    void pagesOfThisMachineAndAllowedOriginsPass() throws IOException {
        HttpServing serving = serve(listener -> listener.allowOrigins("https://app.example"));

        for (String origin :
                new String[] {
                    "http://localhost:6274",
                    "http://127.0.0.1:" + serving.port(),
                    "http://[::1]",
                    "https://app.example"
                }) {
            assertThat(post(serving, initialize("2025-11-25"), "Origin", origin).status())
                    .isEqualTo(200);
        }
    }

    @Test
    @Requirement("ROOM-059")
    void aForeignHostIsRefusedOnTheLoopbackInterface() throws IOException {
        HttpServing serving = serve(listener -> listener.allowHosts("mcp.example"));

        assertThat(post(serving, initialize("2025-11-25"), "Host", "evil.example").status())
                .isEqualTo(403);
        assertThat(
                        post(
                                        serving,
                                        initialize("2025-11-25"),
                                        "Host",
                                        "evil.example:" + serving.port())
                                .status())
                .isEqualTo(403);
        assertThat(
                        post(
                                        serving,
                                        initialize("2025-11-25"),
                                        "Host",
                                        "localhost:" + serving.port())
                                .status())
                .isEqualTo(200);
        assertThat(post(serving, initialize("2025-11-25"), "Host", "mcp.example").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "HEAD", "TRACE"})
    void otherMethodsAreNotAllowed(String method) throws IOException {
        Answer answer;
        try (Wire wire = Wire.to(serve())) {
            Wire.Head head = wire.method(method).head();
            answer = new Answer(head.status(), head.headers(), "");
        }

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("GET, POST, DELETE, OPTIONS");
    }

    @Test
    void anotherPathIsNotFound() throws IOException {
        try (Wire wire = Wire.to(serve())) {
            assertThat(wire.send("POST", "/other", Map.of(), new byte[0]).answer().status())
                    .isEqualTo(404);
        }
    }

    /** Asks as the browser does before a page of {@code app.example} sends a POST. */
    private Answer preflight(HttpServing serving, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Origin", "https://app.example"));
        all.addAll(List.of("Access-Control-Request-Method", "POST"));
        return method(serving, "OPTIONS", all.toArray(String[]::new));
    }

    @Test
    @Requirement("HTTP-050")
    void aPageMayAskFirstAndReadTheSessionId() throws IOException {
        HttpServing serving = serve(listener -> listener.allowOrigins("https://app.example"));

        Answer preflight = preflight(serving);

        assertThat(preflight.status()).isEqualTo(204);
        assertThat(preflight.header("Access-Control-Allow-Origin"))
                .isEqualTo("https://app.example");
        assertThat(preflight.header("Access-Control-Allow-Methods"))
                .contains("GET", "POST", "DELETE");
        assertThat(preflight.header("Access-Control-Allow-Headers").split(", "))
                .contains(
                        "Content-Type",
                        "Accept",
                        "Authorization",
                        "MCP-Session-Id",
                        "MCP-Protocol-Version",
                        "Last-Event-ID");
        assertThat(preflight.header("Access-Control-Allow-Credentials")).isNull();
        Answer answer = post(serving, initialize("2025-11-25"), "Origin", "https://app.example");
        assertThat(answer.header("Access-Control-Expose-Headers").split(", "))
                .contains("MCP-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate");
        assertThat(answer.header("Access-Control-Allow-Credentials")).isNull();
        assertThat(answer.header("Vary")).isEqualTo("Origin");
        Answer refused = post(serving, initialize("2025-11-25"), "Origin", "https://evil.example");
        assertThat(refused.header("Access-Control-Allow-Origin")).isNull();
        assertThat(refused.header("Vary")).isEqualTo("Origin");
    }

    @Test
    @Requirement("HTTP-050")
    void aPageMaySendHeadersThatTheServerAllows() throws IOException {
        HttpServing serving =
                serve(
                        listener ->
                                listener.allowOrigins("https://app.example")
                                        .allowHeaders("X-API-Key", "traceparent"));

        Answer preflight =
                preflight(
                        serving,
                        "Access-Control-Request-Headers",
                        "content-type, mcp-param-region, traceparent, x-api-key, x-other");

        assertThat(preflight.header("Access-Control-Allow-Headers").split(", "))
                .contains("Content-Type", "mcp-param-region", "X-API-Key", "traceparent")
                .doesNotContain("x-other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/json;q=0, text/*;q=0", "image/*"})
    @Requirement("ROOM-050")
    void anAcceptThatTakesNeitherFormIsRefused(String accept) throws IOException {
        assertThat(post(serve(), initialize("2025-11-25"), "Accept", accept).status())
                .isEqualTo(406);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/*",
                "application/json",
                "text/event-stream;q=0.5",
                "TEXT/Event-Stream"
            })
    @Requirement("ROOM-050")
    void anAcceptThatTakesOneFormPasses(String accept) throws IOException {
        assertThat(post(serve(), initialize("2025-11-25"), "Accept", accept).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
    @Requirement("ROOM-050")
    void anotherContentTypeIsRefused(String type) throws IOException {
        assertThat(post(serve(), initialize("2025-11-25"), "Content-Type", type).status())
                .isEqualTo(415);
    }

    @Test
    void aCharsetDoesNotMatterAndAnEncodingDoes() throws IOException {
        HttpServing serving = serve();

        assertThat(
                        post(
                                        serving,
                                        initialize("2025-11-25"),
                                        "Content-Type",
                                        "application/json; charset=utf-8")
                                .status())
                .isEqualTo(200);
        assertThat(post(serving, initialize("2025-11-25"), "Content-Encoding", "gzip").status())
                .isEqualTo(415);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "nothing",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\"}}",
                "{\"a\": \"\u0000\"}"
            })
    @Requirement({"ERR-001", "ERR-029", "HTTP-010", "ROOM-051"})
    void whatIsNotJsonIsAParseError(String body) throws IOException {
        Answer answer = post(serve(), body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).startsWith("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,");
    }

    @Test
    @Requirement("ERR-001")
    void whatIsNotUtf8IsAParseError() throws IOException {
        byte[] body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\u00e4\"}"
                        .getBytes(StandardCharsets.ISO_8859_1);
        try (Wire wire = Wire.to(serve())) {
            Answer answer =
                    wire.send("POST", Map.of("Accept", Wire.BOTH, "Content-Type", Wire.JSON), body)
                            .answer();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("-32700");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "\"x\"",
                "{}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"1.0\",\"method\":\"x\"}",
                "[]"
            })
    @Requirement({"ERR-002", "HTTP-010", "VERS-017"})
    void whatIsNoMessageIsAnInvalidRequest(String body) throws IOException {
        Answer answer = post(serve(), body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("\"code\":-32600");
    }

    @Test
    void aDepthBombIsAnsweredWithoutAServerError() throws IOException {
        String bomb =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"a\":"
                        + "[".repeat(200_000)
                        + "]".repeat(200_000)
                        + "}}";

        assertThat(post(serve(), bomb).status()).isEqualTo(400);
    }

    @Test
    void aBodyAboveTheLimitIsAnsweredAndNotKept() throws IOException {
        HttpServing serving = serve(listener -> listener.maxBody(1 << 20));
        try (Wire wire = Wire.to(serving)) {
            wire.raw(
                    ("POST /mcp HTTP/1.1\r\n"
                                    + "Host: localhost\r\n"
                                    + "Accept: application/json\r\n"
                                    + "Content-Type: application/json\r\n"
                                    + "Content-Length: "
                                    + (96 << 20)
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] megabyte = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 96; i++) {
                wire.raw(megabyte);
            }

            assertThat(wire.answer().status()).isEqualTo(413);
        }
    }

    @Test
    void aChunkedBodyAboveTheLimitIsAnsweredAndNotKept() throws IOException {
        HttpServing serving = serve(listener -> listener.maxBody(1 << 20));
        try (Wire wire = Wire.to(serving)) {
            wire.raw(
                    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] chunk =
                    ("100000\r\n" + " ".repeat(1 << 20) + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII);
            try {
                for (int i = 0; i < 8; i++) {
                    wire.raw(chunk);
                }
                wire.raw("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                // the answer has come, and the server waits for the rest for a second only
            }

            assertThat(wire.answer().status()).isEqualTo(413);
        }
    }

    /** Only the own loop sees the sizes of chunks: Jetty keeps them to itself. */
    @ParameterizedTest
    @ValueSource(strings = {"100001", "fffffff", "7fffffff", "1\r\n \r\n100000"})
    void aChunkAboveTheLimitIsRefusedBeforeItComes(String sizes) throws IOException {
        HttpServing serving = serve(listener -> listener.engine("loop").maxBody(1 << 20));
        try (Wire wire = Wire.to(serving)) {
            wire.raw(
                    ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
                                    + "Content-Type: application/json\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n"
                                    + sizes
                                    + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));

            assertThat(wire.answer().status()).isEqualTo(413);
        }
    }

    @Test
    void aBodyOfExactlyTheLimitPasses() throws IOException {
        String body = initialize("2025-11-25");
        HttpServing serving = serve(listener -> listener.maxBody(body.length()));

        assertThat(post(serving, body).status()).isEqualTo(200);
        assertThat(post(serving, body + " ").status()).isEqualTo(413);
    }
}
