package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.TestServers;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;

/**
 * Servers with a durable store, one after the other. A first that is not closed is one that was
 * killed: it receives no more requests.
 */
@Timeout(120)
class RestartTest extends HttpTest {
    private static final String LAST = "Last-Event-ID";
    private static final String LOST =
            "\"error\":{\"code\":-32603,\"message\":\"The answer was lost: the server was"
                    + " restarted, or could not keep it\"}";

    @TempDir Path folder;
    private Database database;
    private FailingStore store;

    @BeforeEach
    void open() {
        database = Database.sqlite(folder.resolve("events.db"));
        store = new FailingStore(JdbcEvents.on(database));
    }

    @AfterEach
    void close() throws Exception {
        closeAll();
        database.close();
    }

    private HttpServing durable() throws IOException {
        return durable(listener -> listener);
    }

    private HttpServing durable(UnaryOperator<HttpListener> options) throws IOException {
        return serve(listener -> options.apply(listener.eventStore(store)));
    }

    private Wire resume(HttpServing serving, String id, Event last) throws IOException {
        Wire back = wire(serving).get(SESSION, id, LAST, last.id());
        assertThat(back.head().status()).isEqualTo(200);
        return back;
    }

    private int ping(HttpServing serving, String id) throws IOException {
        return post(serving, request(99, "ping"), SESSION, id).status();
    }

    @Test
    @Requirement({"SSE-007", "SSE-012", "SSE-013", "SSE-009"})
    void aListenerReceivesExactlyTheMissedEventsAndTheStreamContinues() throws Exception {
        HttpServing first = durable();
        String id = session(first);
        Scripted before = host.session();
        Wire listening = wire(first).get(SESSION, id);
        listening.head();
        Event priming = listening.event();
        before.context.send(numbered(1));
        Event seen = listening.event();
        before.context.send(numbered(2));
        before.context.send(numbered(3));
        assertThat(seen.data()).contains("\"n\":1");

        HttpServing second = durable();
        Wire back = resume(second, id, seen);
        assertThat(back.event().data()).contains("\"n\":2");
        Event last = back.event();
        assertThat(last.data()).contains("\"n\":3");
        host.session().context.send(numbered(4));
        Event next = back.event();
        assertThat(next.data()).contains("\"n\":4");
        assertThat(number(next)).isEqualTo(number(last) + 1);
        assertThat(stream(next)).isEqualTo(stream(priming));
    }

    private static long number(Event event) {
        return Long.parseLong(event.id().substring(event.id().lastIndexOf('-') + 1));
    }

    private static String stream(Event event) {
        return event.id().substring(0, event.id().lastIndexOf('-'));
    }

    @Test
    @Requirement({"SSE-009", "SSE-010"})
    void noStreamHasTheNameOfOneBefore() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = durable();
        String id = session(serving);
        Set<String> streams = new HashSet<>();
        for (int process = 0; process < 3; process++) {
            for (int call = 0; call < 2; call++) {
                Wire answer = wire(serving).post(request(call, "tools/call"), SESSION, id);
                answer.head();
                assertThat(streams.add(stream(answer.event()))).isTrue();
            }
            serving = durable();
        }
    }

    @Test
    @Requirement({"SSE-012", "SSE-020"})
    void aCallThatDiedWithTheServerEndsWithAnError() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    never.await();
                });
        HttpServing first = durable();
        String id = session(first);
        Wire wire = wire(first).post(request("\"a\"", "tools/call"), SESSION, id);
        wire.head();
        Event priming = wire.event();
        assertThat(wire.event().data()).contains("\"n\":1");

        HttpServing second = durable();
        for (int attempt = 0; attempt < 2; attempt++) {
            Wire back = resume(second, id, priming);
            assertThat(back.event().data()).contains("\"n\":1");
            assertThat(back.event().data())
                    .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\"," + LOST + "}");
            assertThat(back.event()).isNull();
        }
    }

    @Test
    @Requirement("SSE-020")
    void anAnswerThatWasGivenBeforeIsReplayedAsItWas() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{\"done\":true}"));
                });
        HttpServing first = durable();
        String id = session(first);
        Wire wire = wire(first).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        Event priming = wire.event();
        while (wire.event() != null) {
            assertThat(priming.id()).isNotNull();
        }

        Wire back = resume(durable(), id, priming);
        assertThat(back.event().data()).contains("\"n\":1");
        assertThat(back.event().data()).contains("\"done\":true");
        assertThat(back.event()).isNull();
    }

    @Test
    @Requirement("SSE-004")
    void aServerThatIsClosedAnswersWhatIsUnderWayAndSendsItsListenersAway() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    written.countDown();
                    never.await();
                });
        HttpServing first =
                durable(
                        listener ->
                                TestServers.farewell(
                                        listener.retry(Duration.ofMillis(1234)),
                                        Duration.ofMinutes(2)));
        String id = session(first);
        Wire listening = wire(first).get(SESSION, id);
        listening.head();
        Event priming = listening.event();
        Wire call = wire(first).post(request(7, "tools/call"), SESSION, id);
        call.head();
        call.event();
        call.event();
        written.await(); // so that no other thread writes when the last is written
        first.close();

        assertThat(call.event().data())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32603,\"message\":\"The"
                                + " server was closed before it answered\"}}");
        assertThat(listening.event().retry()).isEqualTo("1234");
        assertThat(listening.event()).isNull();

        HttpServing second = durable();
        host.session();
        Wire back = resume(second, id, priming);
        host.session().context.send(numbered(2));
        assertThat(back.event().data()).contains("\"n\":2");
    }

    @Test
    @Requirement({"HTTP-037", "HTTP-038"})
    void aSessionThatTheClientEndedStaysUnknown() throws Exception {
        HttpServing first = durable();
        String id = session(first);
        String other = session(first);
        assertThat(method(first, "DELETE", SESSION, id).status()).isEqualTo(204);

        HttpServing second = durable();
        assertThat(ping(second, id)).isEqualTo(404);
        assertThat(ping(second, other)).isEqualTo(200);
        assertThat(ping(second, "0".repeat(22))).isEqualTo(404);
        assertThat(ping(second, "nonsense")).isEqualTo(404);
    }

    @Test
    void aSessionThatWasNotUsedForTooLongIsUnknown() throws Exception {
        String id = session(durable());
        UnaryOperator<HttpListener> impatient =
                listener -> listener.sessionIdleTimeout(Duration.ofMillis(1));
        while (ping(durable(impatient), id) != 404) { // that a server starts takes longer
            assertThat(Thread.currentThread().isInterrupted()).isFalse(); // by the time limit
        }
    }

    @Test
    void aSessionIsRestoredOnceHoweverManyRequestsComeAtOnce() throws Exception {
        HttpServing first = durable();
        String id = session(first);
        host.session();
        HttpServing second = durable();
        List<FutureTask<Integer>> pings = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            FutureTask<Integer> ping = new FutureTask<>(() -> ping(second, id));
            pings.add(ping);
            Thread.ofVirtual().start(ping);
        }
        for (FutureTask<Integer> ping : pings) {
            assertThat(ping.get()).isEqualTo(200);
        }

        assertThat(host.session().restored).isEqualTo(1);
        assertThat(host.sessions).isEmpty();
        assertThat(second.sessions()).isEqualTo(1);
    }

    @Test
    void restoredSessionsTakePlacesLikeOthers() throws Exception {
        HttpServing first = durable();
        String id = session(first);
        HttpServing second = durable(listener -> listener.maxSessions(1));
        String own = session(second);
        assertThat(wire(second).get(SESSION, own).head().status()).isEqualTo(200); // in use

        assertThat(ping(second, id)).isEqualTo(503);
        assertThat(method(second, "DELETE", SESSION, own).status()).isEqualTo(204);
        assertThat(ping(second, id)).isEqualTo(200);
    }

    @Test
    void anAnswerThatCannotBeStoredIsSentOnTheOpenConnection() throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    full.await();
                    exchange.send(numbered(2));
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = durable();
        String id = session(serving);
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        wire.event();
        Event stored = wire.event();
        store.full = true;
        full.countDown();

        Event next = wire.event();
        assertThat(next.data()).contains("\"n\":2");
        assertThat(next.id()).isNull();
        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
        store.full = false;
        Wire back = resume(serving, id, stored); // of a client that did not get the last events
        assertThat(back.event().data()).contains(LOST);
        assertThat(back.event()).isNull();
    }

    @Test
    void anAnswerThatCanNeitherBeStoredNorSentIsNotLostSilently() throws Exception {
        CountDownLatch full = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    exchange.disconnect(Duration.ofMillis(1));
                    full.await();
                    exchange.send(result(request, "{}"));
                    answered.countDown();
                });
        HttpServing serving = durable();
        String id = session(serving);
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        Event priming = wire.event();
        wire.event();
        assertThat(wire.event().retry()).isEqualTo("1");
        assertThat(wire.event()).isNull();
        store.full = true;
        full.countDown();
        answered.await();
        assertThat(wire(serving).get(SESSION, id, LAST, priming.id()).head().status())
                .isEqualTo(503);
        assertThat(wire(serving).get(SESSION, id).head().status()).isEqualTo(200);

        store.full = false;
        Wire back = resume(serving, id, priming);
        assertThat(back.event().data()).contains("\"n\":1");
        assertThat(back.event().data()).contains(LOST);
        assertThat(back.event()).isNull();
        assertThat(ping(serving, id)).isEqualTo(200);
    }

    @Test
    void anAnswerWhoseFirstMessageCannotBeStoredIsSentAllTheSame() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    store.full = true;
                    exchange.send(numbered(1));
                    store.full = false;
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = durable();
        String id = session(serving, "2025-06-18"); // which knows no priming event
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);

        assertThat(wire.head().status()).isEqualTo(200);
        assertThat(wire.event().data()).contains("\"n\":1");
        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
    }

    @Test
    void aStreamThatCannotBePrimedIsSentAllTheSame() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    store.full = true;
                    exchange.send(numbered(1));
                    exchange.send(result(request, "{}"));
                    store.full = false;
                });
        HttpServing serving = durable();
        String id = session(serving);
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);

        assertThat(wire.head().status()).isEqualTo(200);
        Event priming = wire.event();
        assertThat(priming.id()).isNull();
        assertThat(wire.event().data()).contains("\"n\":1");
        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
    }

    @Test
    void aResponseThatCannotBeStoredIsSentWhereItIsTheWholeStream() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    store.full = true;
                    exchange.send(result(request, "{}"));
                    store.full = false;
                });
        HttpServing serving = durable();
        String id = session(serving, "2025-06-18");
        Wire wire =
                wire(serving)
                        .post(request(1, "tools/call"), SESSION, id, "Accept", "text/event-stream");

        assertThat(wire.head().status()).isEqualTo(200);
        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
        assertThat(ping(serving, id)).isEqualTo(200);
    }

    @Test
    void aMessageThatCannotBeStoredIsSentOnTheOpenStream() throws Exception {
        HttpServing serving = durable();
        String id = session(serving);
        Scripted session = host.session();
        session.context.send(numbered(1)); // no stream is open yet
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        listening.event();
        assertThat(listening.event().data()).contains("\"n\":1");
        store.full = true;
        session.context.send(numbered(2));
        store.full = false;
        session.context.send(numbered(3));

        assertThat(listening.event().data()).contains("\"n\":2");
        assertThat(listening.event().data()).contains("\"n\":3");
    }

    @Test
    void aServerWhoseStoreIsGoneRefusesSessionsItDoesNotKnow() throws Exception {
        HttpServing first = durable();
        String id = session(first);
        HttpServing second = durable();
        database.close();

        assertThat(ping(second, id)).isEqualTo(503);
        assertThat(ping(first, id)).isEqualTo(200);
    }
}
