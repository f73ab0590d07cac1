package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

@Timeout(120)
class ResumptionTest extends HttpTest {
    private static final String LAST = "Last-Event-ID";

    @Test
    @Requirement({"SSE-001", "SSE-008", "ROOM-055"})
    void aStreamBeginsWithAPrimingEvent() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(listener -> listener.retry(Duration.ofMillis(1234)));
        String id = session(serving);
        Wire answer = wire(serving).post(request(1, "tools/call"), SESSION, id);
        answer.head();
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();

        for (Event priming : new Event[] {answer.event(), listening.event()}) {
            assertThat(priming.id()).isNotEmpty();
            assertThat(priming.data()).isEmpty();
            assertThat(priming.event()).isNull();
            assertThat(priming.retry()).isEqualTo("1234");
        }
        assertThat(answer.event().id()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18"})
    @Requirement({"VERS-021", "ROOM-055"})
    void olderClientsGetNoPrimingEventAndAreNotSentAway(String version) throws Exception {
        BlockingQueue<Boolean> left = new LinkedBlockingQueue<>();
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    left.add(exchange.disconnect(Duration.ofMillis(1)));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve();
        Wire wire =
                wire(serving).post(request(1, "tools/call"), SESSION, session(serving, version));
        wire.head();

        Event first = wire.event();
        assertThat(first.data()).contains("\"n\":1");
        assertThat(first.retry()).isNull();
        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
        assertThat(left.take()).isFalse();
    }

    @Test
    @Requirement({"SSE-002", "SSE-004", "SSE-012", "SSE-014", "SSE-019", "SSE-020", "HTTP-026"})
    void aClientThatWasSentAwayComesBackForItsAnswer() throws Exception {
        CountDownLatch away = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    assertThat(exchange.disconnect(Duration.ofMillis(77))).isTrue();
                    exchange.send(numbered(1));
                    away.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve();
        String id = session(serving);
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        Event priming = wire.event();
        Event farewell = wire.event();
        assertThat(farewell.retry()).isEqualTo("77");
        assertThat(wire.event()).isNull();

        Wire back = wire(serving).get(SESSION, id, LAST, priming.id());
        assertThat(back.head().status()).isEqualTo(200);
        assertThat(back.event().data()).contains("\"n\":1");
        away.countDown();
        Event response = back.event();
        assertThat(response.data()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        assertThat(back.event()).isNull();

        // Once it is delivered, the rest can still be had, and is then at its end.
        Wire again = wire(serving).get(SESSION, id, LAST, priming.id());
        again.head();
        assertThat(again.event().data()).contains("\"n\":1");
        assertThat(again.event()).isEqualTo(response);
        assertThat(again.event()).isNull();
    }

    @Test
    @Requirement({"SSE-012", "SSE-013", "SSE-009", "SSE-010"})
    void onlyTheStreamOfTheEventIsReplayedAndIdsAreUniqueInTheSession() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve();
        String id = session(serving);
        SessionContext context = host.session().context;
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        Event first = listening.event();
        Set<String> ids = new HashSet<>();
        for (int call = 0; call < 3; call++) {
            Wire answer = wire(serving).post(request(call, "tools/call"), SESSION, id);
            answer.head();
            for (Event event = answer.event(); event != null; event = answer.event()) {
                assertThat(ids.add(event.id())).isTrue();
            }
            context.send(numbered(100 + call));
        }
        listening.close();

        Wire back = wire(serving).get(SESSION, id, LAST, first.id());
        back.head();
        for (int call = 0; call < 3; call++) {
            Event event = back.event();
            assertThat(event.data()).contains("\"n\":" + (100 + call));
            assertThat(ids.add(event.id())).isTrue();
        }
        context.send(numbered(200)); // and it goes on
        assertThat(back.event().data()).contains("\"n\":200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "abc-p1-1", "abc-p1-99999999999999999999", "-", "a-b-c"})
    @Requirement("ROOM-056")
    void anUnknownEventIsRefusedWithoutSayingThatTheSessionIsGone(String event) throws Exception {
        HttpServing serving = serve();

        Answer answer =
                method(
                        serving,
                        "GET",
                        "Accept",
                        "text/event-stream",
                        SESSION,
                        session(serving),
                        LAST,
                        event);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("The events after this Last-Event-ID are not kept");
    }

    @Test
    @Requirement({"SSE-013", "ROOM-056"})
    void anEventOfAnotherSessionIsUnknown() throws Exception {
        HttpServing serving = serve();
        Wire listening = wire(serving).get(SESSION, session(serving));
        listening.head();
        String foreign = listening.event().id();

        assertThat(resume(serving, session(serving), foreign).status()).isEqualTo(400);
    }

    @Test
    @Requirement({"ROOM-056", "SSE-019"})
    void anEventThatIsNoLongerKeptIsRefused() throws Exception {
        HttpServing serving =
                serve(
                        listener ->
                                listener.eventStore(
                                        new InMemoryEventStore(
                                                new EventLimits(
                                                        3,
                                                        1 << 20,
                                                        1 << 20,
                                                        Duration.ofMinutes(1)))));
        String id = session(serving);
        SessionContext context = host.session().context;
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        String first = listening.event().id();
        context.send(numbered(1));
        String second = listening.event().id();
        for (int i = 2; i < 5; i++) {
            context.send(numbered(i));
            listening.event();
        }

        assertThat(resume(serving, id, first).status()).isEqualTo(400);
        Wire back = wire(serving).get(SESSION, id, LAST, second);
        assertThat(back.head().status()).isEqualTo(200);
        assertThat(back.event().data()).contains("\"n\":2");
    }

    @Test
    void withoutAnEventStoreNothingCanBeResumed() throws Exception {
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        SessionContext context = host.session().context;
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        context.send(numbered(1));

        assertThat(listening.event().id()).isNull();
        assertThat(resume(serving, id, "abc-g1-1").status()).isEqualTo(400);
    }

    @Test
    void aNewConnectionOfAStreamReplacesTheOneBefore() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        SessionContext context = host.session().context;
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        String first = listening.event().id();
        Wire back = wire(serving).get(SESSION, id, LAST, first);
        back.head();
        back.bodyLine();
        context.send(numbered(1));

        assertThat(back.event().data()).contains("\"n\":1");
        assertThat(endsBadly(listening)).isTrue();
    }

    private static boolean endsBadly(Wire wire) {
        try {
            wire.event();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private Answer resume(HttpServing serving, String session, String event) throws IOException {
        return method(serving, "GET", "Accept", "text/event-stream", SESSION, session, LAST, event);
    }
}
