package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpServing;
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
        HttpServing owner = node();
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
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    answering.await();
                    exchange.send(result(request, "{}"));
                });
        EventStore events = JdbcEvents.on(database);
        HttpServing draining =
                serve(
                        listener ->
                                listener.shutdownGrace(NEVER)
                                        .eventStore(events)
                                        .peers(Peers.listen("127.0.0.1", 0)));
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
    void aSessionGoesToTheNodeThatForwardsItsRequestsInARow() throws Exception {
        HttpServing owner = node();
        HttpServing other = node();
        String id = session(owner);
        for (int i = 0; i < 64; i++) {
            assertThat(post(other, request(i, "ping"), SESSION, id).status()).isEqualTo(200);
        }
        assertThat(other.metrics().forwarded()).isEqualTo(64);
        assertThat(owner.metrics().sessions()).isOne();

        assertThat(post(other, request(64, "ping"), SESSION, id).status()).isEqualTo(200);

        assertThat(owner.metrics().sessions()).isZero();
        assertThat(other.metrics().sessions()).isOne();
        assertThat(post(owner, request(65, "ping"), SESSION, id).status()).isEqualTo(200);
        assertThat(other.metrics().sessions()).isOne();
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
