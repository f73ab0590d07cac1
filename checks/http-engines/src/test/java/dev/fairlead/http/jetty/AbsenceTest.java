package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.jetty.ScriptedHost.Script;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Event;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Owner;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Reports to a session about a client that connects, leaves a stream and stays away. */
@Timeout(60)
class AbsenceTest extends HttpTest {
    private static final String LAST = "Last-Event-ID";
    private static final Duration SOON = Duration.ofMillis(200);

    private final CountDownLatch gone = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    private static JsonRpcRequest question(int id) {
        return new JsonRpcRequest(RequestId.of(id), "roots/list", null);
    }

    private static RequestId failed(Scripted session) throws InterruptedException {
        return session.failed.poll(60, TimeUnit.SECONDS);
    }

    private static Exchange exchange(Scripted session) throws InterruptedException {
        session.exchanges.take(); // of initialize
        return session.exchanges.take();
    }

    /** A request that runs until the test ends it. */
    private Script underWay(Script before) {
        return (request, exchange, session) -> {
            exchange.onGone(gone::countDown);
            before.run(request, exchange, session);
            end.await();
            exchange.send(result(request, "{}"));
        };
    }

    /** Sends the client away before it asks, so that nothing of the question is written. */
    private static void askBehind(Exchange exchange) {
        assertThat(exchange.disconnect(Duration.ofMillis(1))).isTrue();
        exchange.send(question(77));
    }

    @Test
    void aQuestionToAnAbsentClientFailsAndTheHandlerIsNotified() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        host.on(
                "tools/call",
                underWay(
                        (request, exchange, session) -> {
                            askBehind(exchange);
                            asked.countDown();
                        }));
        HttpServing serving = serveOnTimers(listener -> listener.resumeWithin(SOON));
        String id = session(serving);
        Scripted session = host.session();
        wire(serving).post(request(1, "tools/call"), SESSION, id);
        asked.await();
        Exchange exchange = exchange(session);

        pass(SOON, () -> gone.getCount() == 0);
        assertThat(failed(session)).isEqualTo(RequestId.of(77));
        assertThat(exchange.isOpen()).isFalse();
        assertThatThrownBy(() -> exchange.send(question(78)))
                .isInstanceOf(ConnectionException.class);
        CountDownLatch at = new CountDownLatch(1);
        exchange.onGone(at::countDown);
        at.await();
        end.countDown();
    }

    @Test
    void aClientThatWasGivenUpStillGetsItsResponse() throws Exception {
        host.on("tools/call", underWay((request, exchange, session) -> exchange.disconnect(SOON)));
        HttpServing serving = serve(listener -> listener.resumeWithin(SOON));
        String id = session(serving);
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        Event priming = wire.event();
        gone.await();

        Wire back = wire(serving).get(SESSION, id, LAST, priming.id());
        assertThat(back.head().status()).isEqualTo(200);
        assertThat(exchange(host.session()).isOpen()).isTrue();
        end.countDown();
        assertThat(back.event().data()).contains("\"result\"");
    }

    @Test
    void aQuestionReachesAClientThatComesBackInTime() throws Exception {
        host.on("tools/call", underWay((request, exchange, session) -> askBehind(exchange)));
        HttpServing serving = serve();
        String id = session(serving);
        Scripted session = host.session();
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        Event priming = wire.event();
        assertThat(wire.event().retry()).isEqualTo("1");

        Wire back = wire(serving).get(SESSION, id, LAST, priming.id());
        back.head();
        assertThat(back.event().data()).contains("\"id\":77");
        assertThat(exchange(session).isOpen()).isTrue();
        end.countDown();
        assertThat(back.event().data()).contains("\"result\"");
        assertThat(back.event()).isNull();
        assertThat(session.failed).isEmpty();
        assertThat(gone.getCount()).isOne();
    }

    @Test
    void aQuestionThatWasReadIsStillWaitedForWhenItsReaderStaysAway() throws Exception {
        host.on(
                "tools/call",
                underWay((request, exchange, session) -> exchange.send(question(77))));
        HttpServing serving =
                serve(listener -> listener.resumeWithin(SOON).heartbeat(Duration.ofMillis(20)));
        String id = session(serving);
        Scripted session = host.session();
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        wire.event();
        assertThat(wire.event().data()).contains("\"id\":77");
        assertThat(wire.bodyLine()).startsWith(":"); // a heartbeat: all before it is written
        wire.close();

        gone.await();
        assertThat(session.failed).isEmpty();
        end.countDown();
    }

    @Test
    void aQuestionWhoseEventIsNoLongerKeptFailsAtOnce() throws Exception {
        host.on(
                "tools/call",
                underWay(
                        (request, exchange, session) -> {
                            askBehind(exchange);
                            for (int i = 0; i < 5; i++) {
                                exchange.send(numbered(i));
                            }
                        }));
        HttpServing serving =
                serve(
                        listener ->
                                listener.eventStore(
                                                new InMemoryEventStore(
                                                        new EventLimits(
                                                                3,
                                                                1 << 20,
                                                                1 << 20,
                                                                Duration.ofMinutes(1))))
                                        .resumeWithin(Duration.ofHours(1)));
        String id = session(serving);
        wire(serving).post(request(1, "tools/call"), SESSION, id);

        assertThat(failed(host.session())).isEqualTo(RequestId.of(77));
        gone.await();
        end.countDown();
    }

    @Test
    void withoutAnEventStoreAClientIsGoneWithItsConnection() throws Exception {
        host.on("tools/call", underWay((request, exchange, session) -> exchange.send(numbered(1))));
        HttpServing serving =
                serve(listener -> listener.withoutEventStore().heartbeat(Duration.ofMillis(20)));
        String id = session(serving);
        Scripted session = host.session();
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        wire.event();
        Exchange exchange = exchange(session);
        assertThat(exchange.isOpen()).isTrue();
        wire.close();

        gone.await();
        assertThat(exchange.isOpen()).isFalse();
        end.countDown();
    }

    @Test
    void anAnsweredExchangeIsNotReportedAsGone() throws Exception {
        end.countDown();
        host.on("tools/call", underWay((request, exchange, session) -> exchange.send(numbered(1))));
        HttpServing serving = serve(listener -> listener.withoutEventStore());
        String id = session(serving);
        Wire wire = wire(serving).post(request(1, "tools/call"), SESSION, id);
        wire.head();
        wire.event();
        wire.event();
        assertThat(wire.event()).isNull();

        Exchange exchange = exchange(host.session());
        assertThat(exchange.isOpen()).isFalse();
        exchange.onGone(gone::countDown);
        assertThat(gone.getCount()).isOne();
    }

    @Test
    void aSessionIsNotifiedWhenItsClientOpensAStream() throws Exception {
        HttpServing serving = serve(listener -> listener.heartbeat(Duration.ofMillis(20)));
        String id = session(serving);
        Scripted session = host.session();
        assertThat(session.context.isReachable()).isFalse();

        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        assertThat(session.reachable.take()).isTrue();
        String last = listening.event().id();
        listening.close();
        await().until(() -> !session.context.isReachable());

        wire(serving).get(SESSION, id, LAST, last).head();
        assertThat(session.reachable.take()).isTrue();
        assertThat(method(serving, "DELETE", SESSION, id).status()).isEqualTo(204);
        assertThat(session.context.isReachable()).isFalse();
    }

    @Test
    void theOwnerOfASessionDoesNotRevealItsId() throws Exception {
        HttpServing serving = serve();
        String id = session(serving);
        session(serving);
        Owner owner = host.session().context.owner();
        Owner other = host.session().context.owner();

        assertThat(owner).isEqualTo(Owner.Anonymous.ofSession(id)).isNotEqualTo(other);
        assertThat(owner.key()).doesNotContain(id);
        assertThat(owner.access()).isEqualTo(other.access());
    }

    @Test
    void withoutSessionsNoClientCanBeReachedAndTheAddressIsTheOwner() throws Exception {
        HttpServing serving = serve(listener -> listener.stateless());
        post(serving, request(1, "tools/list"), VERSION, "2025-11-25");
        Scripted session = host.session();

        assertThat(session.context.isReachable()).isFalse();
        assertThat(session.context.owner()).isEqualTo(Owner.Anonymous.ofLoopback("127.0.0.1"));
    }
}
