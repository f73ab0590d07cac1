package dev.fairlead.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.Side;
import dev.fairlead.protocol.engine.Connection;
import dev.fairlead.protocol.engine.ConnectionHandler;
import dev.fairlead.protocol.engine.ConnectionLimits;
import dev.fairlead.protocol.engine.PreparedRequest;
import dev.fairlead.protocol.face.HandshakeFace;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.time.Timers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

class PeerSessionTest {
    private record Agreed(WireFace face) implements PeerSession.Negotiated {}

    private static final Agreed OLD = new Agreed(HandshakeFace.of(Revision.V2024_11_05));
    private static final Agreed NEW = new Agreed(HandshakeFace.of(Revision.V2025_11_25));

    private final Timers timers = Timers.system("test");
    private final List<String> events = new ArrayList<>();
    private final PeerSession<Agreed> session = session();

    private PeerSession<Agreed> session() {
        SessionContext context = new Nowhere();
        Connection connection =
                new Connection(context, new Deaf(), ConnectionLimits.DEFAULT, timers);
        Interceptor interceptor = new Ends(events);
        return new PeerSession<>(Side.SERVER, context, connection, List.of(interceptor), timers);
    }

    @AfterEach
    void close() {
        session.close(null);
        timers.close();
    }

    @Test
    void whatWasNegotiatedFirstStays() {
        assertThat(session.negotiated()).isEmpty();
        assertThat(session.negotiate(OLD)).isTrue();
        assertThat(session.negotiate(NEW)).isFalse();
        assertThat(session.revision()).contains(Revision.V2024_11_05);
    }

    @Test
    void aSessionBecomesReadyOnceAndNotBeforeTheNegotiation() {
        assertThat(session.ready()).isFalse();
        session.negotiate(NEW);
        assertThat(session.isReady()).isFalse();
        assertThat(session.ready()).isTrue();
        assertThat(session.ready()).isFalse();
        assertThat(session.isReady()).isTrue();
    }

    @Test
    void aClosedSessionDoesNotBecomeReady() {
        session.negotiate(NEW);
        session.close(null);
        assertThat(session.ready()).isFalse();
        assertThat(session.isClosed()).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void whatWasNegotiatedIsKnownAfterTheEnd() {
        session.negotiate(NEW);
        session.ready();
        session.close(null);
        assertThat(session.negotiated()).contains(NEW);
        assertThat(session.isReady()).isTrue();
    }

    @Test
    void theEndRunsActionsInOrderAndThenNotifiesInterceptorsOnce() {
        session.negotiate(NEW);
        session.ready();
        session.onClose(() -> events.add("first"));
        session.onClose(
                () -> {
                    throw new IllegalStateException("an action that fails");
                });
        session.onClose(() -> events.add("last"));
        assertThat(session.close(new ConnectionException("lost"))).isTrue();
        assertThat(session.close(null)).isFalse();
        session.onClose(() -> events.add("late"));
        assertThat(events).containsExactly("first", "last", "ended 2025-11-25", "late");
    }

    @Test
    void ofThreadsThatEndASessionOneIsTheFirst() throws Exception {
        AtomicInteger firsts = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        session.onClose(runs::incrementAndGet);
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        awaitStart(start);
                                        session.onClose(runs::incrementAndGet);
                                        if (session.close(null)) {
                                            firsts.incrementAndGet();
                                        }
                                    }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(firsts).hasValue(1);
        assertThat(runs).hasValue(51);
    }

    @Test
    void waitersForTheHandshakeContinueWhenItIsComplete() throws Exception {
        session.negotiate(NEW);
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        session.awaitReady(Duration.ofMinutes(5));
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        session.ready();
        assertThat(waiting.join(Duration.ofSeconds(30))).isTrue();
    }

    private static void awaitStart(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records the ends of sessions. */
    private record Ends(List<String> events) implements Interceptor {
        @Override
        public Outcome<?> intercept(MethodCall call, Next next) throws Exception {
            return next.proceed(call);
        }

        @Override
        public void sessionEnded(SessionInfo session, Duration lasted) {
            events.add("ended " + session.revision().date());
        }
    }

    /** A transport whose peer receives nothing. */
    private record Nowhere() implements SessionContext {
        @Override
        public void send(JsonRpcMessage message) {}

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }

        @Override
        public String transport() {
            return "memory";
        }

        @Override
        public void close() {}
    }

    /** Handles nothing. */
    private record Deaf() implements ConnectionHandler {
        @Override
        public PreparedRequest prepare(JsonRpcRequest request, Exchange exchange) {
            return PreparedRequest.answered(RawJson.EMPTY_OBJECT);
        }

        @Override
        public void handle(JsonRpcNotification notification, Exchange exchange) {}
    }
}
