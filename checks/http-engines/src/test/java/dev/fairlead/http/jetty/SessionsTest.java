package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

@Timeout(120)
class SessionsTest extends HttpTest {
    /** The value of a header that is empty on the wire; an empty text leaves the header out. */
    private static final String BLANK = " ";

    @Test
    @Requirement({"HTTP-031", "HTTP-032", "HTTP-033"})
    void everySessionHasALongRandomIdOfVisibleCharacters() throws IOException {
        HttpServing serving = serve();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            ids.add(session(serving));
        }

        assertThat(ids).hasSize(50).allMatch(id -> id.matches("[!-~]{22,}"));
        assertThat(serving.sessions()).isEqualTo(50);
    }

    @Test
    void anEmptySessionIdIsNone() throws IOException {
        HttpServing serving = serve();

        Answer initialized = post(serving, initialize("2025-11-25"), SESSION, BLANK);

        assertThat(initialized.status()).isEqualTo(200);
        assertThat(initialized.header(SESSION)).isNotEmpty();
        assertThat(post(serving, request(1, "ping"), SESSION, BLANK).body())
                .contains("The header MCP-Session-Id is missing");
    }

    @Test
    @Requirement("HTTP-031")
    void onlyTheResultOfInitializeCarriesTheSessionId() throws Exception {
        HttpServing serving = serve();

        Answer refused = post(serving, initialize("1999-01-01"));
        String id = session(serving);
        Answer later = post(serving, request(1, "ping"), SESSION, id);

        assertThat(refused.status()).isEqualTo(200);
        assertThat(refused.body()).contains("\"error\"");
        assertThat(refused.header(SESSION)).isNull();
        assertThat(later.header(SESSION)).isNull();
        Scripted first = host.session();
        await().until(() -> first.closed && serving.sessions() == 1); // just after its answer
    }

    @Test
    @Requirement({"HTTP-036", "ERR-031", "ROOM-045", "ROOM-040"})
    void withoutASessionIdNothingButInitializeIsTaken() throws IOException {
        HttpServing serving = serve();

        Answer answer = post(serving, request(7, "ping"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32600,\"message\":\"The"
                                + " header MCP-Session-Id is missing\"}}");
        assertThat(post(serving, NOTIFICATION).status()).isEqualTo(400);
        assertThat(method(serving, "GET", "Accept", "text/event-stream").status()).isEqualTo(400);
        assertThat(method(serving, "DELETE").status()).isEqualTo(400);
    }

    @Test
    @Requirement({"HTTP-038", "ERR-032", "ROOM-045"})
    void anUnknownSessionIsNotFound() throws IOException {
        HttpServing serving = serve();

        assertThat(post(serving, request(1, "ping"), SESSION, "unknown").status()).isEqualTo(404);
        assertThat(post(serving, initialize("2025-11-25"), SESSION, "unknown").status())
                .isEqualTo(404);
        assertThat(
                        method(serving, "GET", "Accept", "text/event-stream", SESSION, "unknown")
                                .status())
                .isEqualTo(404);
        assertThat(method(serving, "DELETE", SESSION, "unknown").status()).isEqualTo(404);
    }

    @Test
    @Requirement({"HTTP-037", "HTTP-038", "ROOM-058"})
    void deleteEndsTheSession() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);

        Answer answer = method(serving, "DELETE", SESSION, id);

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.body()).isEmpty();
        assertThat(host.session().closed).isTrue();
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(404);
        assertThat(method(serving, "DELETE", SESSION, id).status()).isEqualTo(404);
    }

    @Test
    @Requirement("ERR-003")
    void aSecondInitializeIsTheSessionsToRefuse() throws IOException {
        HttpServing serving = serve();
        String id = session(serving);

        Answer answer = post(serving, initialize("2025-11-25"), SESSION, id);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("-32600");
        assertThat(answer.header(SESSION)).isNull();
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
    }

    @Test
    @Requirement("HTTP-046")
    void namesOfHeadersHaveNoCase() throws IOException {
        HttpServing serving = serve();
        String id = session(serving);

        assertThat(post(serving, request(1, "ping"), "mcp-session-ID", id).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2099-01-01", "x", "2025-11-25, 2025-06-18"})
    @Requirement({"HTTP-045", "ERR-030"})
    void anUnsupportedVersionIsRefused(String version) throws IOException {
        HttpServing serving = serve();
        String id = session(serving);

        assertThat(post(serving, request(1, "ping"), SESSION, id, VERSION, version).status())
                .isEqualTo(400);
        assertThat(post(serving, NOTIFICATION, SESSION, id, VERSION, version).status())
                .isEqualTo(400);
        assertThat(
                        method(
                                        serving,
                                        "GET",
                                        "Accept",
                                        "text/event-stream",
                                        SESSION,
                                        id,
                                        VERSION,
                                        version)
                                .status())
                .isEqualTo(400);
        assertThat(method(serving, "DELETE", SESSION, id, VERSION, version).status())
                .isEqualTo(400);
    }

    @Test
    @Requirement("ROOM-047")
    void initializeIgnoresTheVersionHeader() throws IOException {
        assertThat(post(serve(), initialize("2025-11-25"), VERSION, "2099-01-01").status())
                .isEqualTo(200);
    }

    @Test
    @Requirement({"ROOM-048", "ROOM-049", "VERS-019", "VERS-020", "HTTP-044"})
    void theSessionsOwnVersionCounts() throws Exception {
        HttpServing serving = serve();
        String id = session(serving, "2025-06-18");

        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(post(serving, request(1, "ping"), SESSION, id, VERSION, "2025-11-25").status())
                .isEqualTo(200);
        assertThat(
                        post(
                                        serving,
                                        "[" + request(1, "ping") + "]",
                                        SESSION,
                                        id,
                                        VERSION,
                                        "2025-03-26")
                                .status())
                .isEqualTo(400);
    }

    @Test
    @Requirement("ROOM-048")
    void anotherVersionThanTheSessionsOwnIsLoggedOnce() throws Exception {
        List<String> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("dev.fairlead.http.session.HttpSession");
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord entry) {
                        logged.add(new SimpleFormatter().formatMessage(entry));
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.addHandler(handler);
        try {
            HttpServing serving = serve();
            String id = session(serving, "2025-06-18");
            for (int i = 1; i <= 3; i++) {
                post(serving, request(i, "ping"), SESSION, id, VERSION, "2025-11-25");
            }
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(logged)
                .containsExactly(
                        "A client names 2025-11-25 in a session that agreed on 2025-06-18, which"
                                + " counts");
    }

    @Test
    @Requirement("ROOM-048")
    void aStrictServerRefusesAnotherVersionThanTheSessionsOwn() throws Exception {
        HttpServing serving = serve(HttpListener::strictVersion);
        String id = session(serving, "2025-06-18");

        Answer refused = post(serving, request(1, "ping"), SESSION, id, VERSION, "2025-11-25");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body())
                .contains("The MCP-Protocol-Version of this session is 2025-06-18");
        assertThat(
                        method(
                                        serving,
                                        "GET",
                                        "Accept",
                                        "text/event-stream",
                                        SESSION,
                                        id,
                                        VERSION,
                                        "2025-11-25")
                                .status())
                .isEqualTo(400);
        assertThat(post(serving, request(1, "ping"), SESSION, id, VERSION, "2025-06-18").status())
                .isEqualTo(200);
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
    }

    @Test
    void anAnswerThatIsNoMessageFailsTheQuestion() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        Scripted session = host.session();

        Answer refused = post(serving, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":1}", SESSION, id);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(session.failed.poll(60, TimeUnit.SECONDS)).isEqualTo(RequestId.of(7));
        assertThat(
                        post(
                                        serving,
                                        "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":1}",
                                        SESSION,
                                        "unknown")
                                .status())
                .isEqualTo(400);
        assertThat(session.failed).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Requirement("VERS-032")
    void everyRevisionIsServed(Revision revision) throws Exception {
        HttpServing serving = serve();
        String id = session(serving, revision.date());

        assertThat(post(serving, request("\"a\"", "tools/list"), SESSION, id).body())
                .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{}}");
        assertThat(host.session().revision()).contains(revision);
    }

    @Test
    @Requirement({"HTTP-009", "ERR-028", "HTTP-049"})
    void notificationsAndResponsesAreAccepted() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        Scripted session = host.session();

        Answer notified = post(serving, NOTIFICATION, SESSION, id);
        Answer answered =
                post(serving, "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}", SESSION, id);

        assertThat(notified.status()).isEqualTo(202);
        assertThat(notified.body()).isEmpty();
        assertThat(answered.status()).isEqualTo(202);
        assertThat(session.received.take()).isInstanceOf(JsonRpcNotification.class);
        assertThat(session.received.take()).isInstanceOf(JsonRpcResponse.class);
    }

    @Test
    void oneSessionMoreThanThereMayBeIsRefusedWhereAllAreInUse() throws IOException {
        HttpServing serving = serve(listener -> listener.maxSessions(2));
        String first = session(serving);
        String second = session(serving);
        assertThat(wire(serving).get(SESSION, first).head().status()).isEqualTo(200);
        assertThat(wire(serving).get(SESSION, second).head().status()).isEqualTo(200);

        Answer answer = post(serving, initialize("2025-11-25"));
        method(serving, "DELETE", SESSION, first);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body())
                .contains("Session limit reached (2); raise HttpOptions.maxSessions");
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }

    @Test
    void theSessionThatIsIdleForTheLongestEndsForANewOneWhereThereIsNoPlace() throws Exception {
        BlockingQueue<HttpSessionListener.Reason> ended = new LinkedBlockingQueue<>();
        HttpServing serving =
                serve(
                        listener ->
                                listener.maxSessions(3)
                                        .sessionListener(
                                                new HttpSessionListener() {
                                                    @Override
                                                    public void closed(
                                                            HttpSessionInfo session,
                                                            Reason reason) {
                                                        ended.add(reason);
                                                    }
                                                }));
        String listening = session(serving);
        assertThat(wire(serving).get(SESSION, listening).head().status()).isEqualTo(200);
        String used = session(serving);
        use(serving, used);
        String opened = session(serving);
        awaitIdle(serving);

        String fourth = session(serving);

        assertThat(ended.poll(60, TimeUnit.SECONDS)).isEqualTo(HttpSessionListener.Reason.EVICTED);
        assertThat(post(serving, request(1, "ping"), SESSION, opened).status()).isEqualTo(404);
        for (String id : List.of(listening, used, fourth)) {
            use(serving, id);
        }
        session(serving);
        assertThat(post(serving, request(3, "ping"), SESSION, used).status()).isEqualTo(404);
        assertThat(post(serving, request(3, "ping"), SESSION, listening).status()).isEqualTo(200);
        assertThat(serving.sessions()).isEqualTo(3);
    }

    private void use(HttpServing serving, String session) throws IOException {
        assertThat(post(serving, request(1, "ping"), SESSION, session).status()).isEqualTo(200);
        awaitIdle(serving);
    }

    /** Waits until the session of the last request counts as idle: a moment after the response. */
    private static void awaitIdle(HttpServing serving) {
        await().until(() -> serving.metrics().requests() == 0);
    }

    @Test
    void aHostThatTakesNoSessionsRefusesThem() throws IOException {
        host.full = true;
        HttpServing serving = serve();

        Answer refused = post(serving, initialize("2025-11-25"));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(serving.sessions()).isZero();
    }

    @Test
    void theListenerLearnsOfSessions() throws Exception {
        BlockingQueue<String> events = new LinkedBlockingQueue<>();
        HttpServing serving =
                serve(
                        listener ->
                                listener.sessionListener(
                                        new HttpSessionListener() {
                                            @Override
                                            public void opened(HttpSessionInfo session) {
                                                events.add("opened " + session.name());
                                            }

                                            @Override
                                            public void closed(
                                                    HttpSessionInfo session, Reason reason) {
                                                events.add(reason + " " + session.name());
                                            }
                                        }));
        post(serving, initialize("1999-01-01"));
        String id = session(serving);
        String name = events.take().substring("opened ".length());
        method(serving, "DELETE", SESSION, id);

        assertThat(name).isNotEqualTo(id);
        assertThat(events.poll(60, TimeUnit.SECONDS)).isEqualTo("DELETED " + name);
        assertThat(events).isEmpty();
    }

    @Test
    void aSessionThatIsNotUsedEnds() throws Exception {
        HttpServing serving = serve(listener -> listener.sessionIdleTimeout(Duration.ofMillis(50)));
        String id = session(serving);
        Scripted session = host.session();

        await().until(() -> session.closed);

        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(404);
    }

    @Test
    void aSessionThatIsNotUsedEndsAlthoughTheStoreFailsForAnother() throws Exception {
        FailingStore store = new FailingStore(new InMemoryEventStore(EventLimits.DEFAULT));
        Duration timeout = Duration.ofSeconds(1);
        HttpServing serving =
                serveOnTimers(listener -> listener.sessionIdleTimeout(timeout).eventStore(store));
        store.full = true;
        String id = session(serving, "2025-06-18");
        host.session().context.send(numbered(1)); // cannot be kept
        assertThat(wire(serving).get(SESSION, id).head().status()).isEqualTo(200);
        session(serving);
        Scripted idle = host.session();

        pass(timeout, () -> idle.closed);

        await().until(() -> serving.sessions() == 1); // just after that
    }

    @Test
    void aSessionThatEndsLeavesNoRequestOpenAlthoughTheStoreFails() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        host.on("tools/call", (request, exchange, session) -> over.await());
        FailingStore store = new FailingStore(new InMemoryEventStore(EventLimits.DEFAULT));
        HttpServing serving = serve(listener -> listener.eventStore(store));
        String id = session(serving);
        await().until(() -> serving.metrics().requests() == 0);
        Wire call =
                wire(serving)
                        .post(request(1, "tools/call"), SESSION, id, "Accept", "text/event-stream");
        await().until(() -> serving.metrics().requests() == 1);
        store.broken = true;

        assertThat(method(serving, "DELETE", SESSION, id).status()).isLessThan(300);

        await().until(() -> serving.metrics().requests() == 0);
        assertThat(call.head().status()).isEqualTo(500);
        over.countDown();
    }

    @Test
    void aSessionWithAStreamIsInUse() throws Exception {
        Duration timeout = Duration.ofSeconds(1);
        HttpServing serving =
                serveOnTimers(
                        listener ->
                                listener.sessionIdleTimeout(timeout)
                                        .withoutEventStore()
                                        .heartbeat(timeout.dividedBy(2)));
        Wire stream = wire(serving).get(SESSION, session(serving));
        assertThat(stream.head().status()).isEqualTo(200);
        for (int i = 0; i < 5; i++) {
            assertThat(lineInTime(timeout, stream)).isEqualTo(":");
            assertThat(stream.bodyLine()).isEmpty();
        }
        session(serving);
        host.session();
        Scripted idle = host.session();

        pass(timeout, () -> idle.closed);

        await().until(() -> serving.sessions() == 1); // just after that
    }

    @Test
    @Requirement({"HTTP-016", "HTTP-037", "HTTP-038"})
    void theServerMayEndASession() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        Wire stream = wire(serving).get(SESSION, id);
        stream.head();
        stream.event();
        host.session().context.close();

        assertThat(stream.event()).isNull();
        assertThat(post(serving, request(1, "ping"), SESSION, id).status()).isEqualTo(404);
    }
}
