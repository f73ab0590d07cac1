package dev.fairlead.http.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How soon it is noticed over HTTP/1.1 that the client of a request without a session has left,
 * with the default settings and a clock that the test moves.
 */
class LeavingClientTest {
    private static final Settings DEFAULTS = new Settings();
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final Duration STEP = Duration.ofMillis(Scale.of(100, 50));
    private static final Duration LONGEST = Duration.ofSeconds(14);
    private static final Duration LIMIT = Duration.ofSeconds(6);

    /** A connection of HTTP/1.1: the first write after its client has left still succeeds. */
    private static final class Http1 implements ResponseStream {
        private boolean left;
        private boolean reset;
        private int comments;

        @Override
        public void write(ByteBuffer bytes, Completion completion) {
            comments += bytes.remaining() <= OutgoingEvent.HEARTBEAT.length ? 1 : 0;
            completion.done(reset ? new IOException("connection reset") : null);
            reset = left;
        }

        @Override
        public void end() {}

        @Override
        public void abort() {}
    }

    /**
     * One request, from its start at zero; rounds are due a while after that, and then regularly.
     */
    private static final class Request {
        private final ManualTimers timers = new ManualTimers();
        private final Instant started = timers.clock().instant();
        private final StreamWriters writers =
                new StreamWriters(
                        DEFAULTS.retry,
                        DEFAULTS.heartbeat,
                        timers.clock(),
                        new StreamWriter.Probes(timers, Runnable::run));
        private final Http1 connection = new Http1();
        private final EventStream stream =
                new EventStream(new EventStore.Stream("none", "p1", List.of()), null, 1 << 20);
        private boolean streaming;
        private Instant gone;

        Request(Duration firstRound) {
            stream.onGivenUp(() -> gone = timers.clock().instant());
            timers.schedule(firstRound, this::round);
        }

        private void round() {
            writers.beat();
            boolean due = !elapsed().minus(DEFAULTS.streamAfter).isNegative();
            if (due && !streaming) {
                begin();
            }
            timers.schedule(ROUND, this::round);
        }

        private Duration elapsed() {
            return Duration.between(started, timers.clock().instant());
        }

        private void begin() {
            streaming = true;
            StreamWriter writer =
                    writers.connect(stream, null, () -> connection, true, unwritten -> {});
            stream.open(writer);
            writer.greet();
        }

        /** Sends an event at regular times, as a handler does that reports progress. */
        void sendEvery(Duration interval) {
            timers.schedule(
                    interval,
                    () -> {
                        stream.add(
                                OutgoingEvent.of(
                                        new JsonRpcNotification("notifications/progress", null)));
                        if (streaming) {
                            stream.wake();
                        } else {
                            begin();
                        }
                        sendEvery(interval);
                    });
        }

        /** Returns how long after the client has left that was noticed. */
        Duration noticedAfter(Duration leaving) {
            timers.advance(leaving);
            Instant left = timers.clock().instant();
            connection.left = true;
            for (int i = 0; i < 600 && gone == null; i++) {
                timers.advance(Duration.ofMillis(20));
            }
            return gone == null ? Duration.ofDays(1) : Duration.between(left, gone);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 150, 700, 2_600, 3_900, 4_900, 7_300})
    @Requirement("N26-HTTP-011")
    void theLeavingOfAClientIsNoticedInTimeWhateverTheHandlerSends(int interval) {
        for (Duration round = Duration.ZERO; round.compareTo(ROUND) < 0; round = round.plus(STEP)) {
            for (Duration leaving = Duration.ZERO;
                    leaving.compareTo(LONGEST) < 0;
                    leaving = leaving.plus(STEP)) {
                Request request = new Request(round);
                if (interval > 0) {
                    request.sendEvery(Duration.ofMillis(interval));
                }
                assertThat(request.noticedAfter(leaving))
                        .as("left after %s, first round after %s", leaving, round)
                        .isLessThanOrEqualTo(LIMIT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3_900})
    @Requirement("N26-HTTP-010")
    void aClientThatStaysGetsTwoCommentsEveryFiveSeconds(int interval) {
        Request request = new Request(ROUND);
        if (interval > 0) {
            request.sendEvery(Duration.ofMillis(interval));
        }
        request.timers.advance(Duration.ofSeconds(10));
        int before = request.connection.comments;

        request.timers.advance(Duration.ofSeconds(50));

        assertThat(request.connection.comments - before).isEqualTo(20);
        assertThat(request.gone).isNull();
    }
}
