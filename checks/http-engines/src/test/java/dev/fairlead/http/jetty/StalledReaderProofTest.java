package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How much memory clients take that open streams and do not read. */
@Tag("proof")
@Timeout(120)
class StalledReaderProofTest extends HttpTest {
    private static final int STREAMS = 20;
    private static final int MESSAGES = 400;
    private static final JsonRpcNotification LARGE =
            notification("notifications/message", "{\"data\":\"" + "x".repeat(64 << 10) + "\"}");

    private final List<Wire> opened = new ArrayList<>();

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

        // The pending bytes: a buffer for each stream, then the queue of the session, 1 MiB.
        await().until(() -> used() - before < STREAMS * (2L << 20)); // other garbage may go late
        assertThat(post(serving, request(1, "ping"), SESSION, session(serving)).status())
                .isEqualTo(200);
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

    private static void sendOrDrop(SessionContext context) {
        try {
            context.send(LARGE);
        } catch (dev.fairlead.jsonrpc.ConnectionException e) {
            assertThat(e).hasMessageContaining("no room is left");
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
