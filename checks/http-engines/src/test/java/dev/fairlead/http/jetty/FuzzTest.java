package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Requests that nobody would send on purpose. */
@Timeout(120)
class FuzzTest extends HttpTest {
    private static final List<String> SEEDS =
            List.of(
                    initialize("2025-11-25"),
                    request(1, "tools/call"),
                    request("\"x\"", "ping"),
                    NOTIFICATION,
                    "[" + request(1, "ping") + "," + NOTIFICATION + "]",
                    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"inputResponses\":{\"q\":{\"action\":\"accept\"}},\"requestState\":\"v1.AAAA\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\"]},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"t\",\"inputResponses\":{\"q1\":{\"action\":\"decline\"}},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"deep\":[[[{}]]]}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"\\ud800\",\"params\":{}}");
    private static final List<String> HEADERS =
            List.of(
                    "Accept",
                    "Content-Type",
                    "Content-Encoding",
                    SESSION,
                    VERSION,
                    "Mcp-Method",
                    "Mcp-Name",
                    "Mcp-Param-X",
                    "Last-Event-ID",
                    "Origin",
                    "Host",
                    "Forwarded",
                    "X-Forwarded-For",
                    "Authorization",
                    "traceparent");

    /** Values that readers of headers trip over more often than over texts by chance. */
    private static final List<String> ODD =
            List.of(
                    "",
                    ",",
                    ";",
                    "=",
                    "\"",
                    "/",
                    "[",
                    "]",
                    ":",
                    "://",
                    "http://",
                    "http://[",
                    "http://localhost:99999",
                    "a=b=c",
                    "*/*;q=x",
                    "%00",
                    "=?base64?!?=",
                    "-1",
                    "99999999999999999999",
                    "null",
                    "x-p1-1",
                    "for=\"[::1\"",
                    "Bearer",
                    "Bearer ");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyBrokenBodyIsAnsweredAndNoneBreaksTheServer(long seed) throws Exception {
        HttpServing serving = serve();
        String id = session(serving, "2025-03-26");
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            byte[] body = mutated(SEEDS.get(random.nextInt(SEEDS.size())), random);
            Map<String, String> headers = new TreeMap<>();
            headers.put("Accept", Wire.JSON);
            headers.put("Content-Type", Wire.JSON);
            headers.put(SESSION, id);
            try (Wire wire = Wire.to(serving)) {
                Answer answer = wire.send("POST", headers, body).answer();

                assertThat(answer.status()).isIn(200, 202, 400);
                assertThat(answer.body()).doesNotContain("Exception", "\tat ");
            }
        }
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(serving.sessions()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyBrokenHeaderIsAnsweredAndNoneBreaksTheServer(long seed) throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            Map<String, String> headers = new TreeMap<>();
            headers.put("Accept", Wire.JSON);
            headers.put("Content-Type", Wire.JSON);
            headers.put(SESSION, id);
            String name = HEADERS.get(random.nextInt(HEADERS.size()));
            headers.put(
                    name,
                    random.nextBoolean() ? printable(random) : ODD.get(random.nextInt(ODD.size())));
            String method = List.of("POST", "GET", "DELETE", "OPTIONS").get(random.nextInt(4));
            boolean body = method.equals("POST");
            try (Wire wire = Wire.to(serving)) {
                wire.send(
                        method.equals("DELETE") && !name.equals(SESSION) ? "PUT" : method,
                        headers,
                        body ? request(1, "ping").getBytes(StandardCharsets.UTF_8) : new byte[0]);

                assertThat(wire.head().status()).isBetween(200, 499);
            }
        }
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
    }

    private static String printable(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(40); i >= 0; i--) {
            text.append((char) ('!' + random.nextInt('~' - '!' + 1)));
        }
        return text.toString();
    }

    private static byte[] mutated(String seed, Random random) {
        byte[] bytes = seed.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = (byte) "{}[]\",:0-e\\".charAt(random.nextInt(11));
                default -> bytes = java.util.Arrays.copyOf(bytes, Math.max(1, at));
            }
        }
        return bytes;
    }

    @Test
    void connectionsThatEndInTheMiddleLeaveNothingBehind() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve();
        String id = session(serving);
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            String body = request(i, "tools/call");
            String whole =
                    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: "
                            + Wire.BOTH
                            + "\r\nContent-Type: application/json\r\nMCP-Session-Id: "
                            + id
                            + "\r\nContent-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body;
            try (Wire wire = Wire.to(serving)) {
                String part = whole.substring(0, random.nextInt(whole.length()));
                wire.raw(part.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new AssertionError("the server refuses connections", e);
            }
        }

        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(serving.sessions()).isEqualTo(1);
    }
}
