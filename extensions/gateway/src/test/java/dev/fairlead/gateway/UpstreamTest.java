package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** Connections to servers that cannot be opened, or do not end well. */
@Timeout(60)
final class UpstreamTest {
    private static final Implementation GATEWAY = new Implementation("gateway", "1");

    private final AtomicBoolean failing = new AtomicBoolean();
    private final Timers timers = new FailingTimers(Timers.system("test-timers"));
    private final McpServer server =
            McpServer.named("web", "1")
                    .tool("fetch", "Fetches", NoInput.class, String.class)
                    .handle((none, call) -> "fetched")
                    .build();
    private final UpstreamSettings settings = new UpstreamSettings();

    /** Timers that fail as without memory, on the thread that opens the connections. */
    private final class FailingTimers implements Timers {
        private final Timers working;

        FailingTimers(Timers working) {
            this.working = working;
        }

        @Override
        public Clock clock() {
            return working.clock();
        }

        @Override
        public Timer schedule(Duration delay, Runnable action) {
            if (Thread.currentThread().getName().equals("mcp-gateway-open")
                    && failing.compareAndSet(true, false)) {
                throw new OutOfMemoryError("expected by this test");
            }
            return working.schedule(delay, action);
        }

        @Override
        public void close() {
            working.close();
        }
    }

    @AfterEach
    void close() {
        server.close();
        timers.close();
    }

    private static Downstream client(String owner) {
        return new Downstream(owner, null, ClientCapabilities.NONE, null);
    }

    private void serve(Remote remote) {
        settings.servers = List.of(new UpstreamSettings.Server("web", remote, options -> {}));
    }

    @Test
    void connectionsThatCouldNotBeOpenedAreOpenedByTheNextRequest() throws Exception {
        serve(server.inProcess());
        Leases leases = leases();
        try (Upstream upstream =
                new Upstream(
                        GATEWAY,
                        settings,
                        timers,
                        leases,
                        client("ann"),
                        ConcurrentHashMap.newKeySet())) {
            failing.set(true);
            assertThatThrownBy(upstream::servers).hasStackTraceContaining("expected by this test");

            assertThat(upstream.servers().tools()).hasSize(1);
        }
    }

    @Test
    void aConnectionThatDoesNotEndWellGivesItsPlaceBack() throws Exception {
        serve(
                host -> {
                    Link link = server.inProcess().connect(host);
                    return () -> {
                        link.close();
                        throw new IllegalStateException("expected by this test");
                    };
                });
        settings.maxCallConnections = 1;
        Leases leases = leases();
        leases.giveBack(take(leases, "ann"));
        Lease evicting = take(leases, "bob");

        assertThat(leases.size()).isOne();
        leases.giveBack(evicting);
        leases.close();
        assertThat(leases.size()).isZero();
    }

    @Test
    void aCallThatWouldNeedOneConnectionMoreThanACallerMayHaveIsRefused() throws Exception {
        serve(server.inProcess());
        settings.maxCallConnectionsPerOwner = 1;
        settings.connectWait = Duration.ofMillis(1);
        Leases leases = leases();
        Lease first = take(leases, "ann");

        assertThatThrownBy(() -> take(leases, "ann"))
                .isInstanceOf(JsonRpcException.class)
                .hasMessageContaining("Connection limit of the caller reached (1)");

        leases.giveBack(first);
        leases.close();
    }

    private Leases leases() {
        return new Leases(settings, timers, new ReentrantLock(), owner -> null);
    }

    private Lease take(Leases leases, String owner) throws InterruptedException {
        Leases.Key key = new Leases.Key(client(owner), "web", Era.HANDSHAKE);
        return Objects.requireNonNull(
                leases.take(key, () -> false, () -> Lease.open(GATEWAY, settings, timers, key)));
    }
}
