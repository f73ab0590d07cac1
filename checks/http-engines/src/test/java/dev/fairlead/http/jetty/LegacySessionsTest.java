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
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The start, the end and the limits of sessions over HTTP+SSE. */
@Timeout(120)
class LegacySessionsTest extends LegacyTest {
    /** Records the events. */
    private static final class RecordingListener implements HttpSessionListener {
        final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void opened(HttpSessionInfo session) {
            events.add("opened");
        }

        @Override
        public void closed(HttpSessionInfo session, Reason reason) {
            events.add("closed: " + reason);
        }

        String next() throws InterruptedException {
            return events.poll(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void itIsOffUnlessItIsSwitchedOn() throws Exception {
        HttpServing serving = serve();

        assertThat(request(serving, "GET", "/sse").status()).isEqualTo(404);
        assertThat(postTo(serving, "/messages", NOTIFICATION).status()).isEqualTo(404);
    }

    @Test
    @Requirement("LEGACY-008")
    void theEndOfTheStreamIsTheEndOfTheSession() throws Exception {
        RecordingListener recorded = new RecordingListener();
        HttpServing serving =
                serveBoth(
                        listener ->
                                listener.sessionListener(recorded)
                                        .heartbeat(Duration.ofMillis(50)));
        Old old = open(serving, "2024-11-05");
        Scripted session = host.session();
        assertThat(recorded.next()).isEqualTo("opened");

        old.stream().close();

        assertThat(recorded.next()).isEqualTo("closed: GONE");
        await().until(() -> session.closed && serving.sessions() == 0);
        assertThat(post(serving, old, request(1, "ping")).status()).isEqualTo(404);
        assertThatThrownBy(() -> session.context.send(numbered(1)))
                .isInstanceOf(ConnectionException.class);
    }

    @Test
    @Requirement("LEGACY-008")
    void aMissingOrUnknownSessionIsRefused() throws Exception {
        HttpServing serving = serveBoth();
        open(serving, "2024-11-05");
        String id = "?sessionId=0123456789012345678901";

        Answer unknown = postTo(serving, "/messages" + id, request(1, "ping"));
        Answer missing = postTo(serving, "/messages?session=1", request(1, "ping"));

        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.body()).contains("There is no such session");
        assertThat(missing.status()).isEqualTo(400);
        assertThat(missing.body()).contains("The parameter sessionId is missing");
    }

    @Test
    void theServerEndsASessionAfterWhatItSent() throws Exception {
        HttpServing serving = serveBoth();
        Old old = open(serving, "2024-11-05");
        Scripted session = host.session();

        session.context.send(numbered(1));
        session.context.close();

        assertThat(old.event().data()).contains("\"n\":1");
        assertThat(old.event()).isNull();
        await().until(() -> serving.sessions() == 0);
    }

    @Test
    void aClientThatOpensAStreamAndNeverSpeaksLosesIt() throws Exception {
        HttpServing serving =
                serveBoth(listener -> listener.sessionIdleTimeout(Duration.ofMillis(50)));

        Old silent = open(serving);

        assertThat(silent.event()).isNull();
        await().until(() -> serving.sessions() == 0);
    }

    @Test
    void aClientThatHasSpokenMayBeSilent() throws Exception {
        Duration timeout = Duration.ofSeconds(1);
        HttpServing serving =
                serveOnTimers(
                        listener ->
                                listener.legacySse()
                                        .sessionIdleTimeout(timeout)
                                        .heartbeat(timeout.dividedBy(2)));
        Old old = open(serving, "2024-11-05");
        open(serving); // never speaks

        for (int beats = 0; beats < 5; beats++) {
            assertThat(lineInTime(timeout, old.stream())).isEqualTo(":");
            assertThat(old.stream().bodyLine()).isEmpty();
        }
        pass(timeout, () -> serving.sessions() == 1);
        assertThat(post(serving, old, request(1, "ping")).status()).isEqualTo(202);
    }

    @Test
    void sessionsOfBothKindsAreBoundedTogether() throws Exception {
        HttpServing serving = serveBoth(listener -> listener.maxSessions(1));
        Old old = open(serving);

        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(503);
        Answer refused = request(serving, "GET", "/sse");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body())
                .contains("Session limit reached (1); raise HttpOptions.maxSessions");
        host.session().context.close();
        assertThat(old.event()).isNull();
        await().until(() -> isOpened(serving)); // its place is free just after its end
        await().until(() -> serving.metrics().requests() == 0); // it is idle just after its answer
        open(serving); // ends the session that is idle
        assertThat(serving.sessions()).isEqualTo(1);
    }

    @Test
    void requestsOfBothKindsAreBoundedTogether() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    over.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serveBoth(listener -> listener.maxRequests(1));
        Old old = open(serving, "2024-11-05");
        await().until(() -> serving.metrics().requests() == 0); // initialize has ended
        assertThat(post(serving, old, request(1, "tools/call")).status()).isEqualTo(202);

        Answer refused = post(serving, old, request(2, "tools/list"));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body())
                .contains("Request limit reached (1); raise HttpOptions.maxRequests");
        assertThat(post(serving, old, request(3, "ping")).status()).isEqualTo(202);
        assertThat(old.event().data()).contains("\"id\":3");
        assertThat(post(serving, old, NOTIFICATION).status()).isEqualTo(202);
        over.countDown();
        assertThat(old.event().data()).contains("\"id\":1");
        await().until(() -> isAccepted(serving, old));
    }

    @Test
    void whatIsCancelledOrLostLeavesItsPlace() throws Exception {
        host.on("cancelled", (request, exchange, session) -> exchange.abandon(request.id()));
        CountDownLatch over = new CountDownLatch(1);
        host.on(
                "running",
                (request, exchange, session) -> {
                    over.await();
                    exchange.abandon(request.id());
                });
        HttpServing serving = serveBoth(listener -> listener.maxRequests(1));
        Old old = open(serving, "2024-11-05");
        await().until(() -> serving.metrics().requests() == 0); // initialize has ended
        Old other = open(serving, "2024-11-05");
        Scripted session = host.session();

        await().until(() -> serving.metrics().requests() == 0);
        post(serving, old, request(1, "cancelled"));
        await().until(() -> isAccepted(serving, other));
        await().until(() -> serving.metrics().requests() == 0);
        post(serving, old, request(2, "running"));
        session.context.close();

        assertThat(isAccepted(serving, other)).as("while its handler runs").isFalse();
        over.countDown();
        await().until(() -> isAccepted(serving, other));
    }

    private boolean isOpened(HttpServing serving) {
        try {
            return post(serving, initialize("2025-11-25")).status() == 200;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private boolean isAccepted(HttpServing serving, Old old) {
        try {
            return post(serving, old, request(9, "tools/list")).status() == 202;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    @Requirement("SSE-022")
    void aClientThatDoesNotReadLosesItsSession() throws Exception {
        JsonRpcNotification large =
                notification("x", "{\"data\":\"" + "x".repeat(64 << 10) + "\"}");
        HttpServing serving = serveBoth(listener -> listener.streamBuffer(256 << 10));
        try (Wire stalled = new Wire(serving.port(), 4096)) {
            get(stalled, "/sse").head();
            Scripted session = host.session();

            assertThatThrownBy(
                            () -> {
                                while (true) { // until more waits than may
                                    session.context.send(large);
                                }
                            })
                    .isInstanceOf(ConnectionException.class)
                    .hasMessage("The client's connection is gone");

            await().until(() -> session.closed && serving.sessions() == 0);
        }
    }

    @Test
    void closingWaitsForWhatIsUnderWayAndTakesNothingNew() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    over.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serveBoth(listener -> listener.shutdownGrace(Duration.ofMinutes(2)));
        Old old = open(serving, "2024-11-05");
        Scripted session = host.session();
        post(serving, old, request(1, "tools/call"));
        session.received.take();

        Thread closing = Thread.ofVirtual().start(serving::close);
        await().until(() -> serving.metrics().draining());
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(503);
        assertThat(get(wire(serving), "/sse").answer().status()).isEqualTo(503);
        over.countDown();

        assertThat(old.event().data()).contains("\"id\":1");
        assertThat(old.event().retry()).isEqualTo("1000");
        assertThat(old.event()).isNull();
        closing.join();
        assertThat(session.closed).isTrue();
    }

    @Test
    void thePathsAreNextToThatOfTheServerOrWhereTheyAreWished() throws Exception {
        HttpServing next = serveBoth(listener -> listener.path("/api/mcp"));
        HttpServing wished = serve(listener -> listener.legacySse("/old/events", "/old/post"));
        Wire stream = wire(next);
        Wire other = wire(wished);

        get(stream, "/api/sse").head();
        get(other, "/old/events").head();

        assertThat(stream.event().data()).startsWith("/api/messages?sessionId=");
        String endpoint = other.event().data();
        assertThat(endpoint).startsWith("/old/post?sessionId=");
        assertThat(postTo(wished, endpoint, initialize("2024-11-05")).status()).isEqualTo(202);
        assertThat(next.uri().getPath()).isEqualTo("/api/mcp");
    }

    @Test
    void pathsThatAreThereTwiceAreRefused() {
        assertThatThrownBy(() -> port(0).legacySse("/old", "/old"))
                .hasMessage(
                        "the paths of HTTP+SSE and of MCP must differ but one is there twice:"
                                + " /old");
        assertThatThrownBy(() -> serve(listener -> listener.legacySse("/old", "/mcp")))
                .hasMessageEndingWith("twice: /mcp");
        assertThatThrownBy(() -> port(0).legacySse("old", "/post"))
                .hasMessage("a path must start with / but was old");
    }
}
