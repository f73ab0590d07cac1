package dev.fairlead.console.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.ServerOperator.CallState;
import dev.fairlead.protocol.ServerOperator.CallStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** Memory and precision of the recorded calls. */
class BoundsTest {
    private static final Query ALL = new Query("", "", Set.of());

    private final Figures figures = new Figures();
    private final CallObserver observer = new CallObserver(List::of, figures, new Refusals());
    private long calls;

    private void call(String name) {
        ended(name, CallState.COMPLETED, "");
    }

    private void ended(String method, CallState state, String error) {
        observer.ended(
                new CallStatus(
                        ++calls,
                        method,
                        "",
                        "client",
                        "",
                        "",
                        "http",
                        state,
                        error,
                        Instant.EPOCH,
                        Duration.ofMillis(1),
                        null));
    }

    @Test
    void aRingKeepsTheLatest() {
        Ring<Integer> ring = new Ring<>(3);
        IntStream.range(0, 10).forEach(ring::add);
        assertThat(ring.latest()).containsExactly(9, 8, 7);
    }

    @Test
    void aViewKeepsTheFirstOfManyRows() {
        List<Integer> shuffled = new ArrayList<>(IntStream.range(0, 10_000).boxed().toList());
        Collections.shuffle(shuffled, new Random(1));
        FirstRows<Integer> rows = new FirstRows<>(Integer::compare);
        shuffled.forEach(rows::add);
        Snapshot snapshot = rows.snapshot(i -> new Snapshot.Row(i.toString(), JsonObject.EMPTY));
        assertThat(snapshot.total()).isEqualTo(10_000);
        assertThat(snapshot.rows())
                .extracting(Snapshot.Row::id)
                .containsExactlyElementsOf(
                        IntStream.range(0, Snapshot.MAX_ROWS).mapToObj(Integer::toString).toList());
    }

    @Test
    void callsAndNamesAreBounded() {
        for (int i = 0; i < 5_000; i++) {
            call("method-" + i);
        }
        assertThat(observer.calls()).hasSize(400);
        Snapshot snapshot = figures.snapshot(ALL);
        assertThat(snapshot.rows()).hasSize(Snapshot.MAX_ROWS);
        assertThat(snapshot.total()).isEqualTo(501);
        assertThat(snapshot.rows().getFirst().id()).isEqualTo("all others");
        assertThat(snapshot.rows().getFirst().fields().get("calls")).hasToString("4500");
    }

    @Test
    void failedCallsStayWhenOthersFollow() {
        ended("broken", CallState.FAILED, "-32601 Method not found");
        for (int i = 0; i < 1_000; i++) {
            call("fine");
        }
        Snapshot snapshot = new CallsView(observer).snapshot(ALL);
        assertThat(snapshot.rows().getFirst().fields().string("method")).isEqualTo("broken");
        assertThat(snapshot.rows().getFirst().fields().string("error")).startsWith("-32601 ");
        assertThat(snapshot.rows()).hasSize(Snapshot.MAX_ROWS);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 4, 7, 8, 100, 999, 12_345, 1_000_000, 3_600_000_000L})
    void aQuantileIsAtMostAQuarterTooHigh(long micros) {
        Histogram histogram = new Histogram();
        for (int i = 0; i < 100; i++) {
            histogram.add(micros * 1_000);
        }
        assertThat(histogram.quantile(0.5)).isBetween(micros, micros + micros / 4);
        assertThat(histogram.quantile(0.99)).isEqualTo(histogram.quantile(0.5));
    }

    @Test
    void quantilesSeparateFastCallsFromSlowOnes() {
        Histogram histogram = new Histogram();
        for (int i = 0; i < 95; i++) {
            histogram.add(10_000);
        }
        for (int i = 0; i < 5; i++) {
            histogram.add(1_000_000_000);
        }
        assertThat(histogram.quantile(0.5)).isBetween(10L, 13L);
        assertThat(histogram.quantile(0.99)).isBetween(1_000_000L, 1_250_000L);
    }

    @Test
    void textsOfPeersAreShortAndHarmless() {
        assertThat(Texts.shortened("a\u202Eb\u001Bc\nd")).doesNotContain("\u202E", "\u001B", "\n");
        assertThat(Texts.shortened("x".repeat(10_000_000))).hasSize(161);
        assertThat(Texts.shortened("x".repeat(159) + "😀")).endsWith("…");
    }
}
