package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

@Timeout(120)
class BatchTest extends HttpTest {
    private static final String OLD = "2025-03-26";

    @Test
    @Requirement({"VERS-013", "VERS-015", "VERS-017"})
    void aBatchOfRequestsIsAnsweredByAnArrayOfResponses() throws Exception {
        HttpServing serving = serve();
        String batch =
                "[" + request(1, "ping") + "," + NOTIFICATION + "," + request(2, "ping") + "]";

        Answer answer = post(serving, batch, SESSION, session(serving, OLD));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(ids(answer.body())).containsExactlyInAnyOrder("1", "2");
    }

    private static List<String> ids(String array) {
        List<String> ids = new ArrayList<>();
        for (JsonValue response : (JsonArray) RawJson.parse(array).value()) {
            ids.add(((JsonObject) response).get("id").toJson());
        }
        return ids;
    }

    @Test
    @Requirement("VERS-017")
    void aBatchOfOneRequestIsAnsweredByAnArrayToo() throws Exception {
        HttpServing serving = serve();

        assertThat(
                        post(
                                        serving,
                                        "[" + request(1, "ping") + "]",
                                        SESSION,
                                        session(serving, OLD))
                                .body())
                .isEqualTo("[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]");
    }

    @Test
    @Requirement({"VERS-015", "VERS-017"})
    void aBatchWithoutRequestsIsAccepted() throws Exception {
        HttpServing serving = serve();
        String id = session(serving, OLD);
        Scripted session = host.session();

        Answer notified = post(serving, "[" + NOTIFICATION + "," + NOTIFICATION + "]", SESSION, id);
        Answer answered =
                post(
                        serving,
                        "[{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}},"
                            + "{\"jsonrpc\":\"2.0\",\"id\":6,\"error\":{\"code\":1,\"message\":\"m\"}}]",
                        SESSION,
                        id);

        assertThat(notified.status()).isEqualTo(202);
        assertThat(notified.body()).isEmpty();
        assertThat(answered.status()).isEqualTo(202);
        assertThat(session.received).hasSize(4);
    }

    @Test
    @Requirement("VERS-016")
    void theStreamOfABatchCarriesOneResponseForEachRequest() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve();
        Wire wire =
                wire(serving)
                        .post(
                                "[" + request(1, "tools/call") + "," + request(2, "ping") + "]",
                                SESSION,
                                session(serving, OLD));

        assertThat(wire.head().header("Content-Type")).isEqualTo("text/event-stream");
        List<String> events = new ArrayList<>();
        for (Event event = wire.event(); event != null; event = wire.event()) {
            events.add(event.data());
        }
        assertThat(events).hasSize(3);
        assertThat(events).anyMatch(event -> event.contains("\"n\":1"));
        assertThat(events).filteredOn(event -> event.contains("\"id\":1,")).hasSize(1);
        assertThat(events).filteredOn(event -> event.contains("\"id\":2,")).hasSize(1);
    }

    @Test
    @Requirement("VERS-015")
    void aMalformedMemberIsAnsweredBesideTheOthers() throws Exception {
        HttpServing serving = serve();
        String id = session(serving, OLD);

        Answer mixed = post(serving, "[" + request(1, "ping") + ",1]", SESSION, id);
        Answer onlyMalformed = post(serving, "[1,2]", SESSION, id);

        assertThat(mixed.status()).isEqualTo(200);
        assertThat(mixed.body()).contains("-32600").contains("\"id\":1,\"result\"");
        assertThat(onlyMalformed.status()).isEqualTo(400);
        assertThat((JsonArray) RawJson.parse(onlyMalformed.body()).value()).hasSize(2);
    }

    @Test
    @Requirement("ROOM-041")
    void aCancelledMemberHasNoResponse() throws Exception {
        host.on("tools/call", (request, exchange, session) -> exchange.abandon(request.id()));
        HttpServing serving = serve();

        Answer answer =
                post(
                        serving,
                        "[" + request(1, "tools/call") + "," + request(2, "ping") + "]",
                        SESSION,
                        session(serving, OLD));

        assertThat(ids(answer.body())).containsExactly("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-06-18", "2025-11-25"})
    @Requirement({"ERR-002", "VERS-013"})
    void otherRevisionsKnowNoBatches(String version) throws Exception {
        HttpServing serving = serve();
        String id = session(serving, version);
        Scripted session = host.session();

        Answer answer = post(serving, "[" + request(1, "ping") + "]", SESSION, id);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("-32600");
        assertThat(session.received).isEmpty();
    }

    @Test
    @Requirement("VERS-014")
    void initializeIsNotPartOfABatch() throws Exception {
        HttpServing serving = serve();

        assertThat(post(serving, "[" + initialize(OLD) + "]").status()).isEqualTo(400);
        assertThat(serving.sessions()).isZero();
    }

    /** More than half of the share of a session, where all answers have 1 MiB. */
    private static final String LARGE = "{\"text\":\"" + "x".repeat(200 << 10) + "\"}";

    private static String batch(String... requests) {
        return "[" + String.join(",", requests) + "]";
    }

    @Test
    void responsesThatWaitForTheLastAreCountedAsUnreadAnswers() throws Exception {
        CountDownLatch sent = new CountDownLatch(2);
        host.on(
                        "tools/list",
                        (request, exchange, session) -> {
                            exchange.send(result(request, LARGE));
                            sent.countDown();
                        })
                .on(
                        "tools/call",
                        (request, exchange, session) -> {
                            sent.await();
                            exchange.send(result(request, "{}"));
                        });
        HttpServing serving = serve(listener -> listener.maxAnswerSum(1 << 20));

        Answer answer =
                post(
                        serving,
                        batch(
                                request(1, "tools/list"),
                                request(2, "tools/list"),
                                request(3, "tools/call")),
                        SESSION,
                        session(serving, OLD));

        assertThat(ids(answer.body())).containsExactlyInAnyOrder("1", "2", "3");
        assertThat(answer.body())
                .containsOnlyOnce(LARGE)
                .containsOnlyOnce("-32000")
                .containsOnlyOnce("The answer was dropped, since too many answers wait to be read")
                .contains("\"id\":3,\"result\":{}");
    }

    private enum End {
        ANSWERED,
        CANCELLED,
        STREAMED,
        CLOSED
    }

    /** Three responses that were not given back would take the share of the caller. */
    @ParameterizedTest
    @EnumSource
    void aResponseThatWaitedIsGivenBackAtEachEndOfItsBatch(End end) throws Exception {
        HttpServing serving = serve(listener -> listener.maxAnswerSum(1 << 20));
        for (int i = 0; i < 3; i++) {
            String id = session(serving, OLD);
            CountDownLatch sent = new CountDownLatch(1);
            host.on(
                            "tools/list",
                            (request, exchange, session) -> {
                                exchange.send(result(request, LARGE));
                                sent.countDown();
                            })
                    .on(
                            "tools/call",
                            (request, exchange, session) -> {
                                sent.await();
                                switch (end) {
                                    case ANSWERED -> exchange.send(result(request, "{}"));
                                    case CANCELLED -> exchange.abandon(request.id());
                                    case STREAMED -> {
                                        exchange.send(numbered(1));
                                        exchange.send(result(request, "{}"));
                                    }
                                    case CLOSED -> method(serving, "DELETE", SESSION, id);
                                }
                            });
            String calls = batch(request(1, "tools/list"), request(2, "tools/call"));
            assertThat(post(serving, calls, SESSION, id).body()).contains(LARGE);
        }

        String last = batch(request(1, "tools/list"), request(2, "ping"));
        assertThat(post(serving, last, SESSION, session(serving, OLD)).body()).contains(LARGE);
    }
}
