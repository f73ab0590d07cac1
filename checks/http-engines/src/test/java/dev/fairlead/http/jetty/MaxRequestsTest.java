package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

@Timeout(60)
class MaxRequestsTest extends HttpTest {
    @Test
    void oneRequestTooManyIsRefusedUntilAnotherIsAnswered() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    over.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(listener -> listener.maxRequests(1));
        String id = session(serving);
        Scripted session = host.session();
        Wire running = begin(serving, session, SESSION, id);

        Answer refused = post(serving, request(2, "tools/list"), SESSION, id);

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body())
                .contains("\"id\":2,", "Request limit reached (1); raise HttpOptions.maxRequests");
        assertThat(post(serving, request(3, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(post(serving, request(4, "tasks/cancel"), SESSION, id).status()).isEqualTo(200);
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
        assertThat(post(serving, NOTIFICATION, SESSION, id).status()).isEqualTo(202);
        over.countDown();
        assertThat(running.answer().status()).isEqualTo(200);
        await().until(() -> status(serving, SESSION, id) == 200);
    }

    /** A request that runs; the place of the one before it is free only just after its answer. */
    private Wire begin(HttpServing serving, Scripted session, String... headers) throws Exception {
        while (true) {
            Wire running = wire(serving).post(request(1, "tools/call"), headers);
            await().until(() -> !session.received.isEmpty() || running.hasAnswer());
            if (session.received.poll() != null) {
                return running;
            }
        }
    }

    @Test
    void withoutSessionsItHoldsToo() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    over.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(listener -> listener.stateless().maxRequests(1));
        Wire running = wire(serving).post(request(1, "tools/call"));
        host.session().received.take();

        assertThat(status(serving)).isEqualTo(503);
        Scripted refused = host.session();
        await().until(() -> refused.closed);
        over.countDown();
        assertThat(running.answer().status()).isEqualTo(200);
        await().until(() -> status(serving) == 200);
    }

    @Test
    void aBodyThatIsOneTooManyIsNotRead() throws Exception {
        HttpServing serving = serve(listener -> listener.stateless().maxRequests(1));
        byte[] body = request(1, "ping").getBytes(StandardCharsets.UTF_8);
        List<Wire> slow = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // for one request under way so many bodies are read
            slow.add(beginBody(serving, body.length));
        }

        assertThat(status(serving)).isEqualTo(503);
        for (Wire wire : slow) {
            wire.raw(body);
            assertThat(wire.answer().status()).isIn(200, 503);
        }
        await().until(() -> status(serving) == 200);
    }

    /** A request whose body is being read. */
    private Wire beginBody(HttpServing serving, int length) throws Exception {
        Wire slow = wire(serving);
        slow.send(
                "POST",
                Map.of(
                        "Accept",
                        Wire.BOTH,
                        "Content-Type",
                        Wire.JSON,
                        "Content-Length",
                        "" + length,
                        "Expect",
                        "100-continue"),
                new byte[0]);
        assertThat(slow.head().status()).isEqualTo(100);
        return slow;
    }

    private int status(HttpServing serving, String... headers) {
        try {
            return post(serving, request(2, "tools/list"), headers).status();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
