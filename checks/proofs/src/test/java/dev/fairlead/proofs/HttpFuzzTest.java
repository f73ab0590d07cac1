package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.proofs.Hostile.Bytes;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.ProofServer;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Hostile bytes against the HTTP endpoint: every request is answered or refused, and nothing stays.
 */
@Tag("proof")
class HttpFuzzTest {
    private static final int MAX_BODY = 256 << 10;
    private static final int PATIENCE = 30_000;
    private static final int CLOSED = 0;
    private static final Pattern STACK =
            Pattern.compile(
                    "\tat |\\\\tat |Exception|\\.java:|org\\.eclipse|jackson|dev\\.fairlead");

    private final Map<Integer, Integer> outcomes = new TreeMap<>();

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @Requirement({"ERR-001", "ERR-002", "ERR-027", "BASE-018"})
    void everyRequestIsAnsweredOrRefusedAndNothingIsLeft() throws Exception {
        long seed = Scale.seed("fuzz");
        int rounds = Scale.of(1_000, 50_000);
        Map<String, Integer> threads = Threads.count();
        try (McpServer server = ProofServer.create()) {
            HttpServing serving =
                    server.serve(
                            Http.port(0)
                                    .maxBody(MAX_BODY)
                                    .sessionIdleTimeout(Duration.ofSeconds(3)));
            assertWorks(serving);
            Map<String, Integer> idle = Threads.count();
            Hostile hostile = new Hostile(seed, serving.port());
            String session = "";
            for (int round = 0; round < rounds; round++) {
                session = round % 50 == 0 ? session(serving) : session;
                Bytes request = hostile.next(session);
                check(request, exchange(serving, request), "round " + round + ", seed " + seed);
            }
            System.out.println("fuzz: answers by status: " + outcomes);

            assertWorks(serving);
            await().untilAsserted(
                            () ->
                                    assertThat(serving.sessions() == 0 && server.sessions() == 0)
                                            .as(() -> serving.sessions() + " sessions are left")
                                            .isTrue());
            Threads.awaitNoMoreThan(idle);
        }
        Threads.awaitNoMoreThan(threads);
        assertThat(outcomes).containsKeys(200, 202, 400, 403, 404, 405, 406, 413, 415);
    }

    private void check(Bytes request, HttpAnswer answer, String round) {
        outcomes.merge(answer.status(), 1, Integer::sum);
        String about = round + ":\n" + request.text() + "\n=> " + answer;
        if (request.answered()) {
            assertThat(answer.status()).as(about).isNotEqualTo(CLOSED);
        }
        // 501 is the engine's answer to a transfer coding that it does not know.
        assertThat(answer.status() < 500 || answer.status() == 501).as(about).isTrue();
        assertThat(answer.body()).as(about).doesNotContainPattern(STACK);
    }

    private static HttpAnswer exchange(HttpServing serving, Bytes request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", serving.port())) {
            socket.setSoTimeout(PATIENCE);
            send(socket, request);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            return HttpAnswer.read(in, !request.headOnly());
        } catch (EOFException | SocketException e) {
            return new HttpAnswer(CLOSED, "", "");
        }
    }

    /**
     * Ends the output after a request that is not whole, so that the server need not wait for the
     * rest.
     */
    private static void send(Socket socket, Bytes request) throws IOException {
        try {
            socket.getOutputStream().write(request.bytes());
            if (!request.answered()) {
                socket.shutdownOutput();
            }
        } catch (SocketException e) {
            // refused before it was read; there may be an answer
        }
    }

    private static String session(HttpServing serving) throws IOException {
        String body =
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                        + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"fuzz\",\"version\":\"1\"}}}";
        String request =
                "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json,"
                        + " text/event-stream\r\nContent-Type: application/json\r\nContent-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body;
        byte[] bytes = request.getBytes(StandardCharsets.US_ASCII);
        String head = exchange(serving, new Bytes(bytes, true, false, request)).head();
        return head.replaceFirst("(?is).*mcp-session-id: (\\w+).*", "$1");
    }

    private static void assertWorks(HttpServing serving) throws InterruptedException {
        try (McpClient client = McpClient.connect(Http.to(serving.uri()))) {
            assertThat(client.callTool("greet", JsonObject.of("name", "Ada")).text())
                    .isEqualTo("Hello, Ada");
        }
    }
}
