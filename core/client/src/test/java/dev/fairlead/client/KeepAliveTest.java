package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.peer.KeepAlive;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Timers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Pings, when the code of users that observes them throws. */
@Timeout(60)
final class KeepAliveTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final ManualTimers timers = new ManualTimers();
    private final BlockingQueue<Duration> pings = new LinkedBlockingQueue<>();

    @Test
    void pingsFollowOneThatFailedUnexpectedly() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        KeepAlive.Ping ping =
                new KeepAlive.Ping() {
                    @Override
                    public void send(Duration limit) {
                        pings.add(limit);
                        if (failures.getAndIncrement() == 0) {
                            throw new IllegalStateException("expected by this test");
                        }
                        throw new LinkageError("expected by this test");
                    }

                    @Override
                    public void lost(ConnectionException why) {
                        throw new AssertionError(why);
                    }
                };
        KeepAlive keepAlive = new KeepAlive("server", INTERVAL, 1, timers, ping);
        keepAlive.start();
        for (int i = 1; i <= 3; i++) {
            timers.awaitTimers(1);
            timers.advance(INTERVAL);
            assertThat(pings.poll(30, TimeUnit.SECONDS)).isEqualTo(INTERVAL);
        }
        keepAlive.stop();
    }

    /** Timers that find no memory for each second timer. */
    private final class ScarceTimers implements Timers {
        private final AtomicInteger calls = new AtomicInteger();

        @Override
        public Clock clock() {
            return timers.clock();
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            if (calls.incrementAndGet() % 2 == 0) {
                throw new OutOfMemoryError("of the test");
            }
            return timers.schedule(delay, action);
        }

        @Override
        public void close() {}
    }

    @Test
    void pingsFollowAlthoughThereWasNoMemoryToScheduleOne() throws Exception {
        KeepAlive.Ping ping =
                new KeepAlive.Ping() {
                    @Override
                    public void send(Duration limit) {
                        pings.add(limit);
                    }

                    @Override
                    public void lost(ConnectionException why) {
                        throw new AssertionError(why);
                    }
                };
        KeepAlive keepAlive = new KeepAlive("server", INTERVAL, 1, new ScarceTimers(), ping);
        keepAlive.start();
        for (int i = 1; i <= 3; i++) {
            timers.awaitTimers(1);
            timers.advance(INTERVAL);
            assertThat(pings.take()).isEqualTo(INTERVAL);
        }
        keepAlive.stop();
    }

    @Test
    void aServerThatWasStartedAgainIsPingedToo() throws Exception {
        FakeServer server = new FakeServer();
        String discovered =
                """
                {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                 "capabilities": {"tools": {}}}\
                """;
        server.on("server/discover", discovered).on("tools/list", "{\"tools\": []}");
        try (McpClient client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .keepAlive(INTERVAL, 1)
                        .connect(server, timers)) {
            for (int processes = 1; processes <= 3; processes++) {
                assertThat(client.tools()).isEmpty();
                assertThat(server.connections).hasValue(processes);
                server.closed.drainPermits(); // the process before is closed once more
                server.keep("server/discover");
                timers.awaitTimers(1);
                timers.advance(INTERVAL);
                server.next("server/discover");
                timers.awaitTimers(1);
                timers.advance(INTERVAL); // the process hangs
                server.next("notifications/cancelled");
                assertThat(server.closed.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                server.on("server/discover", discovered);
            }
        }
    }
}
