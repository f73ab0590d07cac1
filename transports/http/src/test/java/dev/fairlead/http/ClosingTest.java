package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.RequestSource;
import dev.fairlead.http.spi.EngineSettings.Tls;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.streamable.StreamableEndpoint;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.time.Timers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

@Timeout(30)
class ClosingTest {
    private final List<String> steps = new ArrayList<>();

    private final Listening listening =
            new Listening() {
                @Override
                public int port() {
                    return 1;
                }

                @Override
                public void stopAccepting(Duration limit) {
                    steps.add("stop accepting");
                }

                @Override
                public void renew(Tls tls) {}

                @Override
                public void awaitAnswered(Duration limit) {
                    steps.add("await answers");
                }

                @Override
                public void close() {
                    steps.add("close, interrupted: " + Thread.currentThread().isInterrupted());
                }
            };

    private final Timers timers =
            new Timers() {
                @Override
                public Clock clock() {
                    return Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
                }

                @Override
                public Timer schedule(Duration delay, Runnable action) {
                    return () -> {};
                }

                @Override
                public void close() {
                    steps.add("timers");
                }
            };

    /** A session that fails when it is to end. */
    private static final class Stubborn implements Session {
        @Override
        public void accept(JsonRpcMessage message, Exchange exchange) {}

        @Override
        public void fail(RequestId request, CallException cause) {}

        @Override
        public Optional<Revision> revision() {
            return Optional.empty();
        }

        @Override
        public void close() {
            throw new IllegalStateException("it does not end");
        }
    }

    @Test
    void anInterruptThatEndsTheGraceDoesNotReachTheEngine() {
        HttpMount mount = new HttpMount(HttpOptions.defaults(), context -> new Stubborn(), timers);
        HttpServing serving = new HttpServing(mount, listening, "http", new PortSettings());

        Thread.currentThread().interrupt();
        serving.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(steps)
                .containsExactly(
                        "stop accepting", "timers", "await answers", "close, interrupted: false");
    }

    @Test
    void aSessionThatDoesNotEndWellLeavesNoOtherOpen() {
        StreamableEndpoint endpoint =
                new StreamableEndpoint(
                        EndpointContext.of(
                                HttpOptions.defaults(), context -> new Stubborn(), timers));
        endpoint.sessions().open(new RequestSource("test", null, false), Caller.anonymous());
        endpoint.sessions().open(new RequestSource("test", null, false), Caller.anonymous());

        endpoint.close();

        assertThat(endpoint.sessions().size()).isZero();
    }
}
