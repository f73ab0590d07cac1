package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clients that open streams and do not read. */
@Timeout(120)
class StalledReaderTest extends HttpTest {
    private static final int STREAMS = 20;
    private static final int MESSAGES = 400;
    private static final JsonRpcNotification LARGE =
            notification("notifications/message", "{\"data\":\"" + "x".repeat(64 << 10) + "\"}");

    @Test
    @Requirement("SSE-022")
    void stalledStreamsDoNotBlockOthersAndAreBoundedInMemory() throws Exception {
        HttpServing serving =
                serve(listener -> listener.withoutEventStore().streamBuffer(256 << 10));
        List<SessionContext> stalled = stall(serving);
        long before = used();

        // 20 streams of 25 MiB each, half a gigabyte in all, which would never fit.
        for (int i = 0; i < MESSAGES; i++) {
            for (SessionContext context : stalled) {
                sendOrDrop(context);
            }
        }

        // What waits: a buffer for each stream, then the queue of the session, 1 MiB.
        await().until(() -> used() - before < STREAMS * (2L << 20)); // other garbage may go late
        assertThat(post(serving, request(1, "ping"), SESSION, session(serving)).status())
                .isEqualTo(200);
    }

    private static void sendOrDrop(SessionContext context) {
        try {
            context.send(LARGE);
        } catch (dev.fairlead.jsonrpc.ConnectionException e) {
            assertThat(e).hasMessageContaining("no room is left");
        }
    }

    @Test
    @Requirement({"SSE-022", "SSE-019"})
    void theEventStoreIsBoundedAndKeepsWhatOthersStillNeed() throws Exception {
        InMemoryEventStore store =
                new InMemoryEventStore(
                        new EventLimits(1000, 1 << 20, 64 << 20, Duration.ofMinutes(5)));
        HttpServing serving =
                serve(
                        listener ->
                                listener.eventStore(store)
                                        .streamBuffer(256 << 10)
                                        .clientTimeout(Duration.ofMinutes(2)));
        List<SessionContext> stalled = stall(serving);
        String id = session(serving);
        SessionContext quiet = host.session().context;
        Wire reader = wire(serving).get(SESSION, id);
        reader.head();
        String first = reader.event().id();
        quiet.send(ScriptedHost.numbered(1));
        reader.close();
        long before = used();

        for (int i = 0; i < MESSAGES; i++) {
            for (SessionContext context : stalled) {
                context.send(LARGE);
            }
        }

        await().until(() -> used() - before < STREAMS * (3L << 20));
        Wire back = wire(serving).get(SESSION, id, "Last-Event-ID", first);
        back.head();
        assertThat(back.event().data()).contains("\"n\":1");
    }

    @Test
    @Requirement("SSE-022")
    void aReaderThatIsOnlySlowGetsEverythingFromTheStore() throws Exception {
        HttpServing serving = serve(listener -> listener.streamBuffer(64 << 10));
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    for (int i = 0; i < 900; i++) {
                        exchange.send(
                                notification(
                                        "x",
                                        "{\"n\":" + i + ",\"x\":\"" + "x".repeat(2000) + "\"}"));
                    }
                    exchange.send(result(request, "{}"));
                });
        Wire wire = new Wire(serving.port(), 4096);
        wire.post(request(1, "tools/call"), SESSION, session(serving));
        host.session().received.take();
        wire.head();
        wire.event();
        for (int i = 0; i < 900; i++) {
            assertThat(wire.event().data()).contains("{\"n\":" + i + ",");
        }

        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
        wire.close();
    }

    @Test
    void requestsThatAStalledClientNeverGotFail() throws Exception {
        HttpServing serving =
                serve(listener -> listener.withoutEventStore().streamBuffer(256 << 10));
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(notification("x", "{\"data\":\"" + "x".repeat(16 << 20) + "\"}"));
                    exchange.send(new JsonRpcRequest(RequestId.of(9), "roots/list", null));
                    for (int i = 0; i < 10; i++) {
                        exchange.send(LARGE);
                    }
                });
        String id = session(serving);
        ScriptedHost.Scripted session = host.session();
        try (Wire wire = new Wire(serving.port(), 4096)) {
            wire.post(request(1, "tools/call"), SESSION, id);
            assertThat(session.failed.take()).isEqualTo(RequestId.of(9));
        }
    }

    private List<SessionContext> stall(HttpServing serving)
            throws IOException, InterruptedException {
        List<SessionContext> stalled = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            String id = session(serving);
            stalled.add(host.session().context);
            Wire wire = new Wire(serving.port(), 4096);
            wire.get(SESSION, id).head();
            opened.add(wire);
        }
        return stalled;
    }

    private final List<Wire> opened = new ArrayList<>();

    @org.junit.jupiter.api.AfterEach
    void closeStalled() throws IOException {
        for (Wire wire : opened) {
            wire.close();
        }
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
