package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.TestServers;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** Three nodes that share a database, and a client whose requests reach any of them. */
@Timeout(120)
class ForwardingTest extends HttpTest {
    private static final String LAST = "Last-Event-ID";

    @TempDir Path folder;

    private Database database;

    @BeforeEach
    void open() {
        database = closedLater(Database.sqlite(folder.resolve("shared.db")));
    }

    private HttpServing node() throws IOException {
        return node(Peers.listen("127.0.0.1", 0));
    }

    private HttpServing node(Peers peers) throws IOException {
        EventStore events = JdbcEvents.on(database);
        return serve(listener -> listener.eventStore(events).peers(peers));
    }

    @Test
    void aRequestIsAnsweredByTheOwnerOfItsSession() throws Exception {
        HttpServing owner = node();
        HttpServing other = node();
        HttpServing third = node();
        String id = session(owner);
        Scripted session = host.session();

        for (HttpServing each : new HttpServing[] {other, third, owner, other}) {
            var answer = post(each, request(1, "ping"), SESSION, id);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Fairlead-Peer")).as("signature of the owner").isNull();
        }

        assertThat(session.received).hasSize(4);
        assertThat(host.sessions).as("copies of the session").isEmpty();
        assertThat(other.metrics().sessions()).isZero();
    }

    @Test
    void theHeadersOfAClientReachTheOwnerWithoutThoseOfTheConnection() throws Exception {
        HttpServing owner = node();
        HttpServing other = node();
        String id = session(owner);
        Scripted session = host.session();

        post(
                other,
                request(1, "ping"),
                SESSION,
                id,
                "X-Tenant",
                "north",
                "Fairlead-Peer",
                "forged",
                "X-Forwarded-For",
                "203.0.113.9");

        session.exchanges.take(); // of initialize
        var seen = session.exchanges.take();
        assertThat(seen.header("x-tenant")).containsExactly("north");
        assertThat(seen.header("Fairlead-Peer")).isEmpty();
        assertThat(seen.header("X-Forwarded-For")).isEmpty();
        assertThat(seen.address().orElseThrow().isLoopbackAddress()).isTrue();
    }

    @Test
    void aStreamOfACallComesThroughAnotherNode() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    seen.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing owner = node();
        HttpServing other = node();
        String id = session(owner);

        Wire call = wire(other).post(request(7, "tools/call"), SESSION, id);

        assertThat(call.head().status()).isEqualTo(200);
        assertThat(call.event().id()).isNotNull(); // the priming event
        assertThat(call.event().data()).contains("\"n\":1");
        seen.countDown();
        assertThat(call.event().data()).contains("\"id\":7");
        assertThat(call.event()).isNull();
    }

    @Test
    @Requirement({"SSE-004", "SSE-012"})
    void aStreamIsResumedAtAnotherNodeWhileItsCallRuns() throws Exception {
        CountDownLatch resumed = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    resumed.await();
                    exchange.send(numbered(2));
                    exchange.send(result(request, "{}"));
                });
        HttpServing owner = node();
        HttpServing other = node();
        String id = session(owner);
        Event first;
        try (Wire call = Wire.to(owner).post(request(7, "tools/call"), SESSION, id)) {
            call.head();
            first = call.event();
        }

        Wire back = wire(other).get(SESSION, id, LAST, first.id());

        assertThat(back.head().status()).isEqualTo(200);
        assertThat(back.event().data()).contains("\"n\":1");
        resumed.countDown();
        assertThat(back.event().data()).contains("\"n\":2");
        assertThat(back.event().data()).contains("\"id\":7");
        assertThat(back.event()).isNull();
    }

    @Test
    void aQuestionGoesOverAStreamOfAnotherNodeAndItsAnswerThroughAThird() throws Exception {
        HttpServing owner = node();
        HttpServing other = node();
        HttpServing third = node();
        String id = session(owner);
        Wire listening = wire(other).get(SESSION, id);
        assertThat(listening.head().status()).isEqualTo(200);
        listening.event(); // the priming event
        Scripted session = reachable();

        session.context.send(new JsonRpcRequest(RequestId.of(5), "roots/list", null));
        assertThat(listening.event().data()).contains("roots/list");
        String answer = "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"roots\":[]}}";
        assertThat(post(third, answer, SESSION, id).status()).isEqualTo(202);

        assertThat(session.received.take()).isInstanceOf(JsonRpcResponse.class);
    }

    @Test
    void deleteAtAnotherNodeEndsTheSession() throws Exception {
        HttpServing owner = node();
        HttpServing other = node();
        String id = session(owner);
        Scripted session = host.session();

        assertThat(method(other, "DELETE", SESSION, id).status()).isEqualTo(204);

        assertThat(session.closed).isTrue();
        for (HttpServing each : new HttpServing[] {other, owner}) {
            assertThat(post(each, request(1, "ping"), SESSION, id).status()).isEqualTo(404);
        }
    }

    @Test
    void aSessionOfANodeThatEndsIsContinuedByTheNextThatItReaches() throws Exception {
        HttpServing owner = node();
        HttpServing other = node();
        HttpServing third = node();
        String id = session(owner);
        assertThat(post(other, request(1, "ping"), SESSION, id).status()).isEqualTo(200);

        owner.close();

        assertThat(post(third, request(2, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(post(other, request(3, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(third.metrics().sessions()).isOne();
        assertThat(other.metrics().sessions()).isZero();
    }

    @Test
    void aStreamOfGetEndsWithItsOwner() throws Exception {
        EventStore events = JdbcEvents.on(database);
        HttpServing owner =
                serve(
                        listener ->
                                TestServers.farewell(listener, NEVER)
                                        .eventStore(events)
                                        .peers(Peers.listen("127.0.0.1", 0)));
        HttpServing other = node();
        String id = session(owner);
        Wire listening = wire(other).get(SESSION, id);
        assertThat(listening.head().status()).isEqualTo(200);
        Event primed = listening.event();
        reachable();

        owner.close();

        Event last = listening.event();
        assertThat(last == null || last.retry() != null).isTrue();
        Wire back = wire(other).get(SESSION, id, LAST, primed.id());
        assertThat(back.head().status()).isEqualTo(200);
        await().until(() -> host.sessions.stream().anyMatch(each -> each.restored == 1));
    }

    @Test
    void anIdleSessionOfANodeThatDrainsGoesToAnotherAtOnceAndABusyOneIsServed() throws Exception {
        CountDownLatch answering = new CountDownLatch(1);
        answerAfter(answering, answering);
        HttpServing draining = patientNode();
        HttpServing other = node();
        String busy = session(draining);
        Scripted working = host.session();
        String idle = session(draining);
        Wire listening = wire(draining).get(SESSION, idle);
        assertThat(listening.head().status()).isEqualTo(200);
        listening.event(); // the priming event
        Wire call = wire(draining).post(request(7, "tools/call"), SESSION, busy);
        working.received.take();
        Thread closing = Thread.ofVirtual().start(draining::close);

        assertThat(listening.event().retry()).isNotNull();
        for (String id : new String[] {idle, busy}) {
            Answer last = post(draining, request(1, "ping"), SESSION, id);
            assertThat(last.status()).isEqualTo(200);
            assertThat(last.header("Connection")).isEqualTo("close");
            assertThat(post(other, request(2, "ping"), SESSION, id).status()).isEqualTo(200);
        }
        assertThat(other.metrics().sessions()).isOne();
        answering.countDown();
        Answer last = call.answer();
        assertThat(last.status()).isEqualTo(200);
        assertThat(last.header("Connection")).isEqualTo("close");
        closing.join();
        assertThat(post(other, request(3, "ping"), SESSION, busy).status()).isEqualTo(200);
    }

    @Test
    void aBusySessionOfANodeThatDrainsGoesToAnotherWhenItsCallIsAnswered() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch second = new CountDownLatch(1);
        answerAfter(first, second);
        HttpServing draining = patientNode();
        HttpServing other = node();
        String id = session(draining);
        Scripted one = host.session();
        String busy = session(draining);
        Scripted two = host.session();
        Wire call = wire(draining).post(request(1, "tools/call"), SESSION, id);
        Wire running = wire(draining).post(request(2, "tools/call"), SESSION, busy);
        one.received.take();
        two.received.take();
        Thread closing = Thread.ofVirtual().start(draining::close);
        await().until(() -> draining.metrics().draining());

        first.countDown();

        assertThat(call.answer().status()).isEqualTo(200);
        await().until(() -> one.closed);
        assertThat(post(draining, request(3, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(other.metrics().sessions()).isOne();
        second.countDown();
        assertThat(running.answer().status()).isEqualTo(200);
        closing.join();
    }

    @Test
    void aRequestWhoseSessionMovesWhileItsBodyComesIsForwarded() throws Exception {
        CountDownLatch second = new CountDownLatch(1);
        answerAfter(second, second);
        HttpServing draining = patientNode();
        HttpServing other = node();
        String id = session(draining);
        host.session();
        String busy = session(draining);
        Scripted working = host.session();
        Wire running = wire(draining).post(request(2, "tools/call"), SESSION, busy);
        working.received.take();
        String body = request(3, "ping");
        Wire slow =
                wire(draining)
                        .post(
                                "",
                                SESSION,
                                id,
                                "Expect",
                                "100-continue",
                                "Content-Length",
                                "" + body.length());
        assertThat(slow.head().status()).isEqualTo(100); // its body is awaited
        Thread closing = Thread.ofVirtual().start(draining::close);
        await().until(() -> draining.metrics().draining());
        assertThat(post(other, request(4, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(other.metrics().sessions()).isOne();

        slow.raw(body);

        assertThat(slow.answer().status()).isEqualTo(200);
        second.countDown();
        assertThat(running.answer().status()).isEqualTo(200);
        closing.join();
    }

    @Test
    void aNodeThatClosesTakesNoMoreConnectionsAndPassesOnTheAnswersUnderWay() throws Exception {
        CountDownLatch answering = new CountDownLatch(1);
        answerAfter(answering, answering);
        HttpServing owner = node();
        HttpServing between = patientNode();
        String id = session(owner);
        Scripted working = host.session();
        Wire call = wire(between).post(request(1, "tools/call"), SESSION, id);
        working.received.take();
        Thread closing = Thread.ofVirtual().start(between::close);

        await().until(() -> isRefused(between));
        answering.countDown();

        assertThat(call.answer().status()).isEqualTo(200);
        closing.join();
    }

    private static boolean isRefused(HttpServing serving) throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }

    /** Answers the call with id 1 after the first event, and others after the second. */
    private void answerAfter(CountDownLatch first, CountDownLatch second) {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    (request.id().equals(RequestId.of(1)) ? first : second).await();
                    exchange.send(result(request, "{}"));
                });
    }

    /** A node that waits for requests under way as long as they take when it closes. */
    private HttpServing patientNode() throws IOException {
        EventStore events = JdbcEvents.on(database);
        return serve(
                listener ->
                        listener.shutdownGrace(NEVER)
                                .eventStore(events)
                                .peers(Peers.listen("127.0.0.1", 0)));
    }

    @Test
    void aSessionGoesToTheNodeThatForwardsItsRequestsInARow() throws Exception {
        HttpServing owner = node();
        HttpServing other = node();
        String id = session(owner);
        for (int i = 0; i < 64; i++) {
            assertThat(post(other, request(i, "ping"), SESSION, id).status()).isEqualTo(200);
        }
        assertThat(other.metrics().forwarded()).isEqualTo(64);
        assertThat(owner.metrics().sessions()).isOne();
        await().until(() -> owner.metrics().requests() == 0); // a busy session is not given away

        assertThat(post(other, request(64, "ping"), SESSION, id).status()).isEqualTo(200);

        assertThat(owner.metrics().sessions()).isZero();
        assertThat(other.metrics().sessions()).isOne();
        assertThat(post(owner, request(65, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(other.metrics().sessions()).isOne();
    }

    /**
     * The state after a pause longer than the lease, if a session returns while all of them end.
     */
    @Test
    void aSessionThatItsOwnerHasNoLongerInMemoryIsServedThereAgain() throws Exception {
        HttpServing first = node();
        String id = session(first);
        HttpServing other = node();
        EventStore events = JdbcEvents.on(database);
        HttpServing owner =
                serve(
                        listener ->
                                listener.eventStore(events)
                                        .peers(Peers.listen("127.0.0.1", 0))
                                        .maxSessions(1));
        String placeholder = session(owner);
        Wire listening = wire(owner).get(SESSION, placeholder); // keeps it from being evicted
        assertThat(listening.head().status()).isEqualTo(200);
        first.close();
        assertThat(post(owner, request(1, "ping"), SESSION, id).status())
                .as("a session that is taken over, for which there is no place")
                .isEqualTo(503);
        assertThat(method(owner, "DELETE", SESSION, placeholder).status()).isEqualTo(204);

        assertThat(post(other, request(2, "ping"), SESSION, id).status()).isEqualTo(200);

        assertThat(owner.metrics().sessions()).isOne();
    }

    @Test
    void aSessionWhoseRequestsComeThroughSeveralNodesStays() throws Exception {
        HttpServing owner = node();
        HttpServing[] others = {node(), node()};
        String id = session(owner);

        for (int i = 0; i < 140; i++) {
            HttpServing next = others[i % 2];
            assertThat(post(next, request(i, "ping"), SESSION, id).status()).isEqualTo(200);
        }

        assertThat(owner.metrics().sessions()).isOne();
    }

    @Test
    void aSessionWithACallUnderWayStays() throws Exception {
        CountDownLatch answering = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    answering.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing owner = node();
        HttpServing other = node();
        String id = session(owner);
        Scripted session = host.session();
        Wire call = wire(other).post(request(7, "tools/call"), SESSION, id);
        session.received.take();
        for (int i = 0; i < 70; i++) {
            assertThat(post(other, request(i, "ping"), SESSION, id).status()).isEqualTo(200);
        }
        assertThat(owner.metrics().sessions()).isOne();
        answering.countDown();
        assertThat(call.answer().status()).isEqualTo(200);
    }

    @Test
    void aNodeForwardsNoMoreThanItsLimit() throws Exception {
        HttpServing owner = node();
        HttpServing other = node(Peers.listen("127.0.0.1", 0).maxForwarded(1));
        String id = session(owner);
        Wire listening = wire(other).get(SESSION, id);
        assertThat(listening.head().status()).isEqualTo(200);

        var refused = post(other, request(1, "ping"), SESSION, id);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(post(owner, request(1, "ping"), SESSION, id).status()).isEqualTo(200);
    }

    @Test
    void anUnknownSessionIsUnknownEverywhere() throws Exception {
        HttpServing owner = node();
        String id = session(owner);
        HttpServing other = node();
        String guessed = id.substring(1) + (id.endsWith("a") ? "b" : "a");

        assertThat(post(other, request(1, "ping"), SESSION, guessed).status()).isEqualTo(404);
        assertThat(post(other, request(1, "ping")).status()).isEqualTo(400);
    }

    @Test
    void peersNeedAStoreThatKeepsSessions() {
        assertThatThrownBy(() -> serve(listener -> listener.peers(Peers.listen("127.0.0.1", 0))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HttpOptions.eventStore(JdbcEvents.on(database))");
    }
}
