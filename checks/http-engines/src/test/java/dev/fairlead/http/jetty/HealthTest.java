package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.time.LastingLoop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

@Timeout(120)
class HealthTest extends HttpTest {
    private final CountDownLatch released = new CountDownLatch(1);

    private Answer health(HttpServing serving, String method) throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return wire.send(method, "/health", Map.of(), new byte[0]).answer();
        }
    }

    private void holdCalls() {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    released.await();
                    exchange.send(result(request, "{}"));
                });
    }

    @Test
    void thereIsNoHealthUnlessItIsAskedFor() throws Exception {
        assertThat(health(serve(), "GET").status()).isEqualTo(404);
    }

    @Test
    void aServerThatIsUpReportsItsCounts() throws Exception {
        holdCalls();
        HttpServing serving = serve(listener -> listener.health("/health"));
        String id = session(serving);
        wire(serving).get(SESSION, id).head();
        await().until(() -> serving.metrics().requests() == 0); // initialize has ended
        Wire running = wire(serving).post(request(1, "tools/call"), SESSION, id);
        await().until(() -> serving.metrics().requests() == 1);

        Answer answer = health(serving, "GET");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.body())
                .isEqualTo("{\"status\":\"up\",\"sessions\":1,\"streams\":1,\"requests\":1}");
        released.countDown();
        running.answer();
    }

    @Test
    void workThatKeepsFailingIsNamed() throws Exception {
        HttpServing serving = serve(listener -> listener.health("/health"));
        String what = "The work of a test failed";
        int failures = 0;
        for (int i = 0; i < 10; i++) {
            failures = LastingLoop.failed(failures, what);
        }

        Answer failing = health(serving, "GET");
        LastingLoop.succeeded(failures, what);
        Answer mended = health(serving, "GET");

        assertThat(failing.status()).isEqualTo(200);
        assertThat(failing.body())
                .isEqualTo(
                        "{\"status\":\"degraded\",\"sessions\":0,\"streams\":0,\"requests\":0,"
                                + "\"failing\":\"The work of a test failed\"}");
        assertThat(mended.body()).contains("\"status\":\"up\"").doesNotContain("failing");
    }

    @Test
    void aProbeNeedsNoNameOfTheServer() throws Exception {
        HttpServing serving = serve(listener -> listener.health("/health"));

        Answer answer =
                wire(serving)
                        .send("GET", "/health", Map.of("Host", "10.1.2.3:8080"), new byte[0])
                        .answer();

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void nothingButReadingIsPossible() throws Exception {
        HttpServing serving = serve(listener -> listener.health("/health"));

        Answer answer = health(serving, "POST");

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void aPathMustStartWithASlash() {
        assertThatThrownBy(() -> port(0).health("health"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a path must start with / but was health");
    }

    @Test
    void thePathsAreDifferent() {
        assertThatThrownBy(() -> port(0).health("/mcp").serve(host))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the path of the health must be another than those of MCP but was /mcp");
    }

    @Test
    void whatHappenedIsCounted() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    over.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(listener -> listener.maxSessions(1));
        String id = session(serving);
        Scripted session = host.session();
        Wire running = wire(serving).post(request(1, "tools/call"), SESSION, id);
        session.received.take(); // from here on the session is in use, and never evicted

        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(503);
        over.countDown();
        assertThat(running.answer().status()).isEqualTo(200);
        for (int i = 0; i < 1_000; i++) {
            session.context.send(numbered(i));
        }
        assertThatThrownBy(() -> session.context.send(numbered(1_000)))
                .isInstanceOf(ConnectionException.class);

        await().until(
                        () ->
                                serving.metrics().requests()
                                        == 0); // the place is free after the answer
        HttpMetrics now = serving.metrics();
        assertThat(now).isEqualTo(new HttpMetrics(false, 1, 0, 0, 1, 2, 1, 1, 0, now.refusals()));
        assertThat(now.refusals())
                .containsEntry(RefusalReason.SESSION_LIMIT, 1L)
                .containsEntry(RefusalReason.ORIGIN, 0L);
        method(serving, "DELETE", SESSION, id);
        assertThat(serving.metrics().sessions()).isZero();
        assertThat(serving.metrics().messagesDropped()).isEqualTo(1_001);
    }
}
