package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawSession;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Large numbers of idle sessions and streams. */
@Tag("proof")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class AttackByNumbersTest {
    private static final int SESSIONS = Scale.of(300, 10_000);
    private static final int STREAMS = Scale.of(100, 5_000);

    /** The bytes that may stay in caches of the JVM and the engine, with any number. */
    private static final long LEFT = 8 << 20;

    private static McpServer server() {
        return McpServer.named("numbers", "1")
                .tool("greet", "Greets", NoInput.class, String.class)
                .handle((none, call) -> "Hello")
                .build();
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void assertServes(HttpServing serving) throws InterruptedException {
        try (McpClient client =
                McpClient.named("desk", "1") // with a session, of which this is about
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                        .connect(Http.to(serving.uri()))) {
            assertThat(client.callTool("greet", JsonObject.EMPTY).text()).isEqualTo("Hello");
        }
    }

    @Test
    @Requirement("HTTP-037")
    void sessionsThatAreOpenedAndAbandonedEndAndLeaveNothing() throws Exception {
        try (McpServer server = server()) {
            HttpServing serving =
                    server.serve(
                            Http.port(0)
                                    .maxSessions(SESSIONS + 10)
                                    .sessionIdleTimeout(Duration.ofSeconds(2)));
            assertServes(serving);
            Map<String, Integer> threads = Threads.count();
            long before = used();

            for (int i = 0; i < SESSIONS; i++) {
                RawSession.open(serving.port());
            }

            // one for each, and those of the client above: a slow one has to open another
            assertThat(serving.metrics().sessionsOpened()).isGreaterThan(SESSIONS);
            await().untilAsserted(
                            () ->
                                    assertThat(serving.sessions() == 0 && server.sessions() == 0)
                                            .as(() -> serving.sessions() + " sessions are left")
                                            .isTrue());
            assertServes(serving);
            Threads.awaitNoMoreThan(threads);
            await("bytes that are left").until(() -> used() - before, found -> found < LEFT);
            System.out.printf(
                    Locale.ROOT,
                    "abandoned sessions: %,d, then %,d KiB more%n",
                    SESSIONS,
                    (used() - before) >> 10);
        }
    }

    @Test
    void oneSessionTooManyIsRefusedWhereAllAreInUse() throws Exception {
        List<RawSession.Stream> streams = new ArrayList<>();
        try (McpServer server = server()) {
            HttpServing serving = server.serve(Http.port(0).maxSessions(20));
            List<RawSession> sessions = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawSession session = RawSession.open(serving.port());
                RawSession.Stream stream = session.listen();
                stream.lineWith("id: ");
                sessions.add(session);
                streams.add(stream);
            }

            HttpAnswer refused = RawSession.initialize(serving.port());

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body())
                    .contains("Session limit reached (20); raise HttpOptions.maxSessions");
            for (RawSession session : sessions) {
                assertThat(session.post(RawSession.call(1, "greet")).body()).contains("Hello");
            }
        } finally {
            closeAll(streams);
        }
    }

    @Test
    @Requirement({"SSE-022", "HTTP-029"})
    void idleStreamsUseNoThreadAndEachReceivesNotifications() throws Exception {
        List<RawSession.Stream> streams = new ArrayList<>();
        try (McpServer server = server()) {
            HttpServing serving = server.serve(Http.port(0).heartbeat(Duration.ofMillis(500)));
            assertServes(serving);
            Map<String, Integer> threads = Threads.count();
            long before = used();
            for (int i = 0; i < STREAMS; i++) {
                RawSession.Stream stream = RawSession.open(serving.port()).listen();
                stream.lineWith("id: ");
                streams.add(stream);
            }
            // that of the client above may be about to end
            await("streams that are open")
                    .until(() -> serving.metrics().streams(), found -> found == STREAMS);
            long each = (used() - before) / STREAMS;
            Threads.awaitNoMoreThan(threads);
            assertServes(serving);

            server.update(
                    changes ->
                            changes.tool("new", "Is new", NoInput.class, String.class)
                                    .handle((none, call) -> "new"));
            for (RawSession.Stream stream : streams) {
                stream.lineWith("tools/list_changed");
            }
            closeAll(streams);

            await("streams that are left")
                    .until(() -> serving.metrics().streams(), found -> found == 0);
            System.out.printf(
                    Locale.ROOT,
                    "idle streams: %,d, %,d bytes of heap each, this side's included%n",
                    STREAMS,
                    each);
        } finally {
            closeAll(streams);
        }
    }

    private static void closeAll(List<RawSession.Stream> streams) throws IOException {
        for (RawSession.Stream stream : streams) {
            stream.close();
        }
        streams.clear();
    }
}
