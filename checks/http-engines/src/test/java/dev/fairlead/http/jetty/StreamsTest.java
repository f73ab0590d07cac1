package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.http.jetty.Wire.Head;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

@Timeout(120)
class StreamsTest extends HttpTest {
    private static final String RESPONSE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

    @Test
    @Requirement({"HTTP-001", "HTTP-011", "ROOM-057", "ROOM-051"})
    void anAnswerThatIsAllThereIsToSendIsJson() throws Exception {
        HttpServing serving = serve();

        Answer answer = post(serving, request(1, "tools/call"), SESSION, session(serving));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.body()).isEqualTo(RESPONSE);
    }

    @Test
    @Requirement({
        "HTTP-011",
        "HTTP-013",
        "HTTP-014",
        "HTTP-015",
        "HTTP-017",
        "HTTP-048",
        "ROOM-054",
        "ROOM-057",
        "SSE-021"
    })
    void anAnswerBecomesAStreamWhenSomethingElseIsSentAndEndsWithTheResponse() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(numbered(2));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve();
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, session(serving));

        Head head = wire.head();

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(head.header("Cache-Control")).isEqualTo("no-store");
        assertThat(head.header("X-Accel-Buffering")).isEqualTo("no");
        wire.event();
        Event first = wire.event();
        assertThat(first.event()).isEqualTo("message");
        assertThat(first.data()).contains("\"n\":1");
        assertThat(wire.event().data()).contains("\"n\":2");
        assertThat(wire.event().data()).isEqualTo(RESPONSE);
        assertThat(wire.event()).isNull();
        assertThat(wire.post(initialize("2025-11-25")).answer().status()).isEqualTo(200);
    }

    @Test
    void anAnswerThatTakesLongBecomesAStream() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    seen.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving =
                serve(
                        listener ->
                                listener.streamAfter(Duration.ofMillis(20))
                                        .heartbeat(Duration.ofMillis(20))
                                        .withoutEventStore());
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, session(serving));

        assertThat(wire.head().header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(wire.bodyLine()).isEqualTo(":");
        seen.countDown();
        assertThat(wire.event().data()).isEqualTo(RESPONSE);
    }

    @Test
    @Requirement("ROOM-050")
    void aClientThatOnlyTakesEventsGetsEvents() throws Exception {
        HttpServing serving = serve();
        Wire wire =
                wire(serving)
                        .post(
                                request(1, "ping"),
                                SESSION,
                                session(serving),
                                "Accept",
                                "text/event-stream");

        assertThat(wire.head().header("Content-Type")).isEqualTo("text/event-stream");
        wire.event();
        assertThat(wire.event().data()).isEqualTo(RESPONSE);
        assertThat(wire.event()).isNull();
    }

    @Test
    void aClientThatOnlyTakesEventsGetsItsSessionWithThem() throws Exception {
        Wire wire = wire(serve()).post(initialize("2025-11-25"), "Accept", "text/event-stream");

        assertThat(wire.head().header(SESSION)).isNotEmpty();
        assertThat(wire.event().data()).contains("protocolVersion");
    }

    @Test
    @Requirement("HTTP-048")
    void forcedJsonAnswersCarryNothingButTheResponse() throws Exception {
        BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    seen.add(exchange.isStreaming());
                    assertThatThrownBy(() -> exchange.send(numbered(1)))
                            .isInstanceOf(ConnectionException.class);
                    assertThat(exchange.disconnect(Duration.ofMillis(1))).isFalse();
                    exchange.send(result(request, "{}"));
                });
        HttpServing forced = serve(listener -> listener.jsonAnswers());
        HttpServing lazy = serve();

        assertThat(post(forced, request(1, "tools/call"), SESSION, session(forced)).body())
                .isEqualTo(RESPONSE);
        assertThat(
                        post(
                                        lazy,
                                        request(1, "tools/call"),
                                        SESSION,
                                        session(lazy),
                                        "Accept",
                                        "application/json")
                                .body())
                .isEqualTo(RESPONSE);
        assertThat(seen).containsExactly(false, false);
    }

    @Test
    @Requirement("ROOM-041")
    void anAbandonedRequestEndsItsStreamWithoutAResponse() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.abandon(request.id());
                });
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, session(serving));
        wire.head();

        assertThat(wire.event().data()).contains("\"n\":1");
        assertThat(wire.event()).isNull();
    }

    @Test
    @Requirement("ROOM-041")
    void aRequestThatIsCancelledBeforeItsAnswerBeganEndsWithoutAResponse() throws Exception {
        host.on("tools/call", (request, exchange, session) -> exchange.abandon(request.id()));
        HttpServing serving = serve();

        Answer answer = post(serving, request(1, "tools/call"), SESSION, session(serving));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    @Requirement("ROOM-041")
    void aCancelledRequestOfAClientThatAcceptsNoEventsEndsWithoutAResponse() throws Exception {
        host.on("tools/call", (request, exchange, session) -> exchange.abandon(request.id()));
        HttpServing serving = serve(listener -> listener.jsonAnswers());

        Answer answer =
                post(
                        serving,
                        request(1, "tools/call"),
                        SESSION,
                        session(serving),
                        "Accept",
                        "application/json");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    @Requirement("HTTP-018")
    void aClosedSocketIsNotACancellation() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    gone.await();
                    exchange.send(result(request, "{}"));
                    ended.countDown();
                });
        HttpServing serving = serve();
        String id = session(serving);
        Scripted session = host.session();
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        wire.close();
        gone.countDown();

        ended.await();
        assertThat(session.closed).isFalse();
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
    }

    @Test
    void aRequestToAClientThatIsGoneFails() throws Exception {
        BlockingQueue<Exchange> running = new LinkedBlockingQueue<>();
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    running.add(exchange);
                });
        HttpServing serving =
                serve(listener -> listener.withoutEventStore().heartbeat(Duration.ofMillis(10)));
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, session(serving));
        wire.head();
        wire.event();
        wire.close();
        Exchange exchange = running.take();

        await().until(() -> refuses(exchange));
        exchange.send(numbered(2)); // progress without a reader has no effect
    }

    private static boolean refuses(Exchange exchange) {
        try {
            exchange.send(new JsonRpcRequest(RequestId.of(1), "roots/list", null));
            return false;
        } catch (ConnectionException e) {
            return true;
        }
    }

    @Test
    @Requirement({"HTTP-022", "HTTP-024", "HTTP-025"})
    void whatBelongsToNoRequestGoesToTheStreamOfGet() throws Exception {
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        SessionContext context = host.session().context;
        Wire stream = wire(serving).get(SESSION, id);

        Head head = stream.head();
        context.send(numbered(1));

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Type")).isEqualTo("text/event-stream");
        assertThat(stream.event().data()).contains("\"n\":1");
    }

    @Test
    @Requirement({"HTTP-028", "HTTP-029", "HTTP-030", "ROOM-052"})
    void eachMessageGoesToExactlyOneStreamTheMostRecent() throws Exception {
        HttpServing serving =
                serve(listener -> listener.withoutEventStore().heartbeat(Duration.ofMillis(10)));
        String id = session(serving);
        Scripted session = host.session();
        SessionContext context = session.context;
        Wire first = wire(serving).get(SESSION, id);
        first.head();
        session.reachable.take(); // it listens
        Wire second = wire(serving).get(SESSION, id);
        second.head();
        session.reachable.take();
        for (int i = 0; i < 10; i++) {
            context.send(numbered(i));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(second.event().data()).contains("\"n\":" + i + "}");
        }
        second.close();

        // Once the server has seen that, the other stream takes over.
        String line = first.bodyLine();
        while (!line.startsWith("data: ")) {
            if (line.equals(":")) { // earlier messages went to the second stream
                context.send(numbered(11));
            }
            line = first.bodyLine();
        }
        assertThat(line).contains("\"n\":11}");
    }

    /** A client that opens more and more streams has a connection for each of the newest alone. */
    @Test
    void ofMoreStreamsThanASessionMayHaveTheOldestEnds() throws Exception {
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        Scripted session = host.session();
        List<Wire> streams = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Wire stream = wire(serving).get(SESSION, id);
            stream.head();
            session.reachable.take(); // it listens, and the next one is newer
            streams.add(stream);
        }
        for (Wire oldest : streams.subList(0, 4)) {
            assertThat(oldest.event()).isNull();
        }
        session.context.send(numbered(1));
        assertThat(streams.getLast().event().data()).contains("\"n\":1");
        await("the others are open").until(() -> serving.metrics().streams() == 16);
    }

    @Test
    @Requirement({"ROOM-053", "HTTP-029"})
    void messagesWaitForAStreamAndChangesAreSentOnce() throws Exception {
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        SessionContext context = host.session().context;
        context.send(notification("notifications/tools/list_changed", "{}"));
        context.send(numbered(1));
        context.send(notification("notifications/tools/list_changed", "{}"));
        context.send(notification("notifications/resources/updated", "{\"uri\":\"a:1\"}"));
        context.send(notification("notifications/resources/updated", "{\"uri\":\"a:2\"}"));
        context.send(notification("notifications/resources/updated", "{\"uri\":\"a:1\"}"));
        context.send(numbered(1));
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();

        assertThat(stream.event().data()).contains("tools/list_changed");
        assertThat(stream.event().data()).contains("\"n\":1");
        assertThat(stream.event().data()).contains("a:1");
        assertThat(stream.event().data()).contains("a:2");
        assertThat(stream.event().data()).contains("\"n\":1");
        context.send(notification("notifications/tools/list_changed", "{}"));
        assertThat(stream.event().data()).contains("tools/list_changed");
    }

    @Test
    @Requirement("ROOM-053")
    void theQueueOfWaitingMessagesIsBounded() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        SessionContext context = host.session().context;
        for (int i = 0; i < 1000; i++) {
            context.send(numbered(i));
        }

        assertThatThrownBy(() -> context.send(numbered(1000)))
                .isInstanceOf(ConnectionException.class)
                .hasMessageContaining("no room is left")
                .hasMessageContaining("a session may have 1000 messages");
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();
        stream.event();
        for (int i = 0; i < 1000; i++) {
            assertThat(stream.event().data()).contains("\"n\":" + i + "}");
        }
    }

    @Test
    @Requirement("ROOM-050")
    void aGetThatTakesNoEventsIsRefused() throws Exception {
        HttpServing serving = serve();

        assertThat(
                        method(
                                        serving,
                                        "GET",
                                        SESSION,
                                        session(serving),
                                        "Accept",
                                        "application/json")
                                .status())
                .isEqualTo(406);
    }

    @Test
    @Requirement({"SSE-021", "SSE-022"})
    void aSilentStreamIsKeptAliveByComments() throws Exception {
        HttpServing serving =
                serve(listener -> listener.heartbeat(Duration.ofMillis(20)).withoutEventStore());
        String id = session(serving);
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();

        for (int i = 0; i < 5; i++) {
            assertThat(stream.bodyLine()).isEqualTo(":");
            assertThat(stream.bodyLine()).isEmpty();
        }
    }

    @Test
    void anEventStandsOnOneLineWhateverItsText() throws Exception {
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        SessionContext context = host.session().context;
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();
        context.send(notification("x", "{\n\"a\":\r\n\"b\\n\"}"));

        assertThat(stream.event().data())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{ \"a\":  \"b\\n\"}}");
    }

    @Test
    void anInterruptedHandlerBreaksNoConnection() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    Thread.currentThread().interrupt();
                    exchange.send(numbered(1));
                    session.context.send(numbered(2));
                    exchange.send(result(request, "{}"));
                    assertThat(Thread.interrupted()).isTrue();
                });
        host.on(
                "json",
                (request, exchange, session) -> {
                    Thread.currentThread().interrupt();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();
        Wire wire = wire(serving);
        for (int i = 0; i < 20; i++) {
            wire.post(request(1, "tools/call"), SESSION, id).head();
            assertThat(wire.event().data()).contains("\"n\":1");
            assertThat(wire.event().data()).isEqualTo(RESPONSE);
            assertThat(wire.event()).isNull();
            assertThat(stream.event().data()).contains("\"n\":2");
            assertThat(wire.post(request(1, "json"), SESSION, id).answer().body())
                    .isEqualTo(RESPONSE);
        }
    }

    @Test
    @Requirement("HTTP-028")
    void manyRequestsOfOneSessionRunAtOnce() throws Exception {
        CountDownLatch all = new CountDownLatch(64);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    all.countDown();
                    all.await();
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        List<Wire> wires = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            wires.add(wire(serving).post(request(i, "tools/call"), SESSION, id));
        }
        for (int i = 0; i < 64; i++) {
            wires.get(i).head();
            wires.get(i).event();
            assertThat(wires.get(i).event().data()).contains("\"id\":" + i + ",");
        }
    }

    @Test
    void theExchangeKnowsTheHeadersOfItsRequest() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(result(request, "{}"));
                    seen.addAll(exchange.header("x-TEST"));
                });
        HttpServing serving = serve();
        post(serving, request(1, "tools/call"), SESSION, session(serving), "X-Test", "a value");

        assertThat(seen.take()).isEqualTo("a value");
    }

    @Test
    void whatANotificationBringsAboutGoesToTheStreamOfGet() throws Exception {
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        Scripted session = host.session();
        session.exchanges.take();
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();
        post(serving, NOTIFICATION, SESSION, id);
        session.exchanges
                .take()
                .send(new JsonRpcRequest(RequestId.of(1), "roots/list", RawJson.EMPTY_OBJECT));

        assertThat(stream.event().data()).contains("roots/list");
    }
}
