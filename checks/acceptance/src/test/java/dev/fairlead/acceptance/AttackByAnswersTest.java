package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/** Clients that answer unknown questions, or answer twice, and that use an id for two requests. */
@Timeout(120)
class AttackByAnswersTest {
    record Reply(String text) {}

    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}";

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private McpServer server;
    private int port;

    @BeforeEach
    void serve() {
        server =
                McpServer.named("asked", "1")
                        .tool("ask", "Asks", NoInput.class, String.class)
                        .handle(
                                (none, call) ->
                                        "was told "
                                                + call.elicit("?", Reply.class)
                                                        .orElseThrow()
                                                        .text())
                        .tool("wait", "Waits", NoInput.class, String.class)
                        .handle(this::await)
                        .build();
        port = server.serve(Http.port(0)).port();
    }

    private String await(NoInput none, Call call) throws InterruptedException {
        started.countDown();
        over.await();
        return "waited";
    }

    @AfterEach
    void close() {
        over.countDown();
        server.close();
    }

    private static String reply(String id, String text) {
        return "{\"jsonrpc\":\"2.0\",\"id\":"
                + id
                + ",\"result\":{\"action\":\"accept\",\"content\":{\"text\":\""
                + text
                + "\"}}}";
    }

    private static String idOf(String question) {
        return question.replaceFirst(".*\"id\":(\"[^\"]*\"|\\d+).*", "$1");
    }

    private static void assertTaken(HttpAnswer answer) {
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    @Requirement("HTTP-009")
    void onlyTheFirstAnswerOfTheAskedSessionCounts() throws IOException {
        RawSession asked = RawSession.open(port);
        RawSession other = RawSession.open(port);
        try (RawSession.Stream stream = asked.begin(RawSession.call(1, "ask"))) {
            String id = idOf(stream.lineWith("elicitation/create"));

            assertTaken(other.post(reply(id, "a foreign answer")));
            assertTaken(asked.post(reply("4711", "an answer to nothing")));
            assertTaken(asked.post(reply("\"" + id.replace("\"", "") + "x\"", "nearly")));
            assertTaken(asked.post(reply(id, "the answer")));
            assertTaken(asked.post(reply(id, "another answer")));

            assertThat(stream.lineWith("was told")).contains("\"id\":1,", "was told the answer");
        }
        assertTaken(asked.post(reply("1", "an answer to a question of its own")));
        assertThat(asked.post("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}").body())
                .contains("\"id\":2,\"result\":{}");
    }

    @Test
    @Requirement("BASE-006")
    void anIdInUseIsRefusedAndItsFirstRequestContinues() throws Exception {
        RawSession session = RawSession.open(port);
        RawSession other = RawSession.open(port);
        FutureTask<HttpAnswer> first =
                new FutureTask<>(() -> session.post(RawSession.call(5, "wait")));
        Thread.ofVirtual().start(first);
        started.await();

        HttpAnswer second = session.post(PING);
        assertThat(second.body()).contains("\"id\":5,", "\"error\":{\"code\":-32600");
        assertThat(other.post(PING).body()).contains("\"id\":5,\"result\":{}");
        over.countDown();

        assertThat(first.get().body()).contains("\"id\":5,", "waited");
        assertThat(session.post(PING).body()).contains("\"id\":5,\"result\":{}");
    }
}
