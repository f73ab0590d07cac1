package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A server that is being closed while a request of one of its sessions is under way. */
@Timeout(120)
class DrainTest extends HttpTest {
    private final CountDownLatch answered = new CountDownLatch(1);
    private HttpServing serving;
    private String id;
    private Wire running;
    private Thread closing;

    @BeforeEach
    void beginToClose() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    answered.await();
                    exchange.send(result(request, "{}"));
                });
        serving =
                port(0).health("/health")
                        .retry(Duration.ofMillis(700))
                        .shutdownGrace(Duration.ofMinutes(2))
                        .streamAfter(NEVER)
                        .serve(host);
        id = session(serving);
        running = wire(serving).post(request(1, "tools/call"), SESSION, id);
        running.head();
    }

    private void close() {
        closing = Thread.ofVirtual().start(serving::close);
        await().until(() -> serving.metrics().draining());
    }

    @AfterEach
    void end() throws Exception {
        answered.countDown();
        serving.close();
    }

    private Answer health() throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return wire.send("GET", "/health", Map.of(), new byte[0]).answer();
        }
    }

    @Test
    void healthProbesReportDraining() throws Exception {
        await().until(() -> serving.metrics().requests() == 1); // initialize has ended
        close();

        Answer answer = health();

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo("{\"status\":\"draining\",\"sessions\":1,\"streams\":1,\"requests\":1}");
    }

    @Test
    void nothingNewIsTakenAndConnectionsGoElsewhere() throws Exception {
        Wire before = wire(serving);
        close();

        Answer session = before.post(initialize("2025-11-25")).answer();
        Answer request = post(serving, request(2, "ping"), SESSION, id);
        Answer stream = wire(serving).get(SESSION, id).answer();

        for (Answer answer : new Answer[] {session, request, stream}) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body())
                    .contains("\"code\":-32603", "The server is being closed")
                    .contains("\"retryable\":true");
            assertThat(answer.header("Connection")).isEqualTo("close");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
        }
    }

    /** Checks that a handler still receives the answer that it waits for over a new connection. */
    @Test
    void theAnswerToAQuestionOfTheRequestStillComesIn() throws Exception {
        Scripted session = host.session();
        session.received.take();
        close();

        Answer answer = post(serving, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}", SESSION, id);

        assertThat(answer.status()).isEqualTo(202);
        assertThat(session.received.take())
                .isInstanceOfSatisfying(
                        JsonRpcResponse.class,
                        response -> assertThat(response.id()).isEqualTo(RequestId.of(9)));
    }

    @Test
    void aResultIsDeliveredOnAResumedStreamWhileDraining() throws Exception {
        running.event(); // the priming
        String last = running.event().id();
        running.close();
        close();

        Wire back = wire(serving).get(SESSION, id, "Last-Event-ID", last);
        assertThat(back.head().status()).isEqualTo(200);
        answered.countDown();

        assertThat(back.event().data()).contains("\"id\":1,\"result\"");
        closing.join();
    }

    @Test
    void streamsEndWithTheTimeToComeBackOnceTheRequestIsAnswered() throws Exception {
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        assertThat(listening.event().retry()).isEqualTo("700"); // it is primed
        close();
        answered.countDown();

        assertThat(listening.event()).isEqualTo(new Event(null, null, null, "700"));
        assertThat(listening.event()).isNull();
        closing.join();
        awaitRefused(serving.port());
    }
}
