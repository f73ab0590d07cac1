package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpOptions;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@Timeout(120)
class StatelessTest extends HttpTest {
    @Test
    void aHostThatTakesNoRequestsIsUnavailable() throws Exception {
        host.full = true;
        HttpServing serving = serve(HttpOptions::stateless);

        Answer refused = post(serving, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("The server takes no requests now");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
    }

    @Test
    @Requirement({"HTTP-047", "ROOM-060"})
    void fiveHundredClientsThatAllUseIdOneGetTheirOwnAnswers() throws Exception {
        int clients = 500;
        CountDownLatch all = new CountDownLatch(clients);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    all.countDown();
                    all.await();
                    exchange.send(result(request, request.params().toJson()));
                });
        HttpServing serving = serve(HttpOptions::stateless);
        List<Future<Answer>> answers = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < clients; i++) {
                String body =
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"client\":%s}}"
                                .formatted(i);
                answers.add(executor.submit(() -> post(serving, body)));
            }
        }

        for (int i = 0; i < clients; i++) {
            assertThat(answers.get(i).get().body())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"client\":" + i + "}}");
        }
        assertThat(host.sessions).hasSize(clients);
        await().until(() -> host.sessions.stream().allMatch(session -> session.closed));
    }

    @Test
    @Requirement({"HTTP-047", "HTTP-048"})
    void theAnswerCarriesWhatBelongsToItsRequestAndNothingElseCanBeSent() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    assertThatThrownBy(() -> session.context.send(numbered(1)))
                            .isInstanceOf(ConnectionException.class);
                    exchange.send(numbered(2));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(HttpOptions::stateless);

        Answer answer = post(serving, request(1, "tools/call"));

        assertThat(answer.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(answer.header(SESSION)).isNull();
        assertThat(answer.body().lines().filter(line -> line.startsWith("data:")))
                .containsExactly(
                        "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
                                + "\"params\":{\"n\":2}}",
                        "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    }

    @Test
    @Requirement({"HTTP-047", "HTTP-048"})
    void aClientThatTakesJsonAloneGetsTheResponseAlone() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    assertThat(exchange.isStreaming()).isFalse();
                    assertThatThrownBy(() -> exchange.send(numbered(1)))
                            .isInstanceOf(ConnectionException.class);
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(HttpOptions::stateless);

        Answer answer = post(serving, request(1, "tools/call"), "Accept", "application/json");

        assertThat(answer.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.header(SESSION)).isNull();
    }

    @Test
    @Requirement({"HTTP-044", "VERS-019", "HTTP-045"})
    void theHeaderSaysTheRevisionAndWithoutItAnOldOneIsAssumed() throws Exception {
        HttpServing serving = serve(HttpOptions::stateless);
        post(serving, request(1, "ping"));
        Scripted old = host.session();
        post(serving, request(1, "ping"), VERSION, "2025-11-25");
        Scripted current = host.session();

        assertThat(old.context.assumedRevision()).contains(Revision.V2025_03_26);
        assertThat(current.context.assumedRevision()).contains(Revision.V2025_11_25);
        assertThat(post(serving, request(1, "ping"), VERSION, "2099-01-01").status())
                .isEqualTo(400);
        assertThat(post(serving, initialize("2025-11-25"), VERSION, "2099-01-01").status())
                .isEqualTo(200);
    }

    @Test
    @Requirement({"HTTP-022", "ERR-034", "ERR-035"})
    void thereAreNoStreamsAndNoSessions() throws Exception {
        HttpServing serving = serve(HttpOptions::stateless);

        Answer get = method(serving, "GET", "Accept", "text/event-stream");
        Answer delete = method(serving, "DELETE");

        assertThat(get.status()).isEqualTo(405);
        assertThat(get.header("Allow")).isEqualTo("POST, OPTIONS");
        assertThat(delete.status()).isEqualTo(405);
        assertThat(post(serving, NOTIFICATION).status()).isEqualTo(202);
        assertThat(post(serving, request(1, "ping"), SESSION, "whatever").status()).isEqualTo(200);
    }

    @Test
    @Requirement({"VERS-013", "VERS-017"})
    void aBatchIsAnsweredWhereTheRevisionKnowsThem() throws Exception {
        HttpServing serving = serve(HttpOptions::stateless);
        String batch = "[" + request(1, "ping") + "," + request(2, "ping") + "]";

        assertThat(post(serving, batch).body()).startsWith("[{").contains("\"id\":1,", "\"id\":2,");
        assertThat(post(serving, batch, VERSION, "2025-11-25").status()).isEqualTo(400);
    }
}
