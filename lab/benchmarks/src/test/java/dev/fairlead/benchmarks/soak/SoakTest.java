package dev.fairlead.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.benchmarks.Report;
import dev.fairlead.benchmarks.soak.Trend.Point;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A soak runs, and would report lost and doubled messages and growth. */
@Timeout(300)
class SoakTest {
    private static SoakOptions options(String line) {
        return SoakOptions.parse(List.of(line.split(" ")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aShortSoakLosesNothingAndLeavesNothingBehind(boolean cutsAll) throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Duration time = Duration.ofSeconds(1);
        Duration forget = Duration.ofSeconds(5); // nobody is forgotten whose thread only waits
        SoakOptions shortly = new SoakOptions(time, Duration.ZERO, 42, 6, cutsAll, forget, 0);

        int status =
                Soak.run(
                        shortly,
                        new Report(new PrintStream(printed, true, StandardCharsets.UTF_8)));

        assertThat(status).as(printed.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> options("--hours 1")).hasMessageContaining("--hours");
        assertThatThrownBy(() -> options("--minutes none")).hasMessageContaining("none");
        assertThatThrownBy(() -> options("--seed")).hasMessageContaining("nothing");
        assertThatThrownBy(() -> options("--cut hair")).hasMessageContaining("hair");
    }

    @Test
    void longSoaksAreLookedAtEachMinuteAndJudgedAfterFive() {
        assertThat(options("--minutes 60").interval()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options("--minutes 60").warmUp()).isEqualTo(Duration.ofMinutes(5));
        assertThat(options("--minutes 0.5").interval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options("--minutes 0.1").interval()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void whatComesAgainOrNotAtAllIsCounted() throws InterruptedException {
        Tally tally = new Tally();
        Numbers numbers = new Numbers();
        tally.sent(Kind.NOTE, 4);
        for (int number : new int[] {1, 2, 2, 4}) {
            tally.came(Kind.NOTE, numbers.take(number));
        }

        assertThat(tally.lost(Kind.NOTE)).isEqualTo(1);
        assertThat(tally.doubled(Kind.NOTE)).isEqualTo(1);
        assertThat(numbers.await(4, Duration.ZERO)).isTrue();
        assertThat(numbers.await(5, Duration.ofNanos(1))).isFalse();
    }

    @Test
    void aRiseIsThatOfTheLineThroughAllLooks() {
        List<Point> series =
                IntStream.range(0, 20)
                        .mapToObj(i -> new Point(Duration.ofMinutes(i), 99 + 0.1 * i + i % 2 * 0.1))
                        .toList();

        assertThat(Trend.of(series).percentInTenMinutes()).isCloseTo(1, Offset.offset(0.05));
    }

    @Test
    void whatIsLeftIsNamed() {
        Footprint before = new Footprint(List.of("a-1", "b"), List.of("socket:[1]"));
        Footprint after = new Footprint(List.of("a-2", "a-3"), List.of("socket:[2]"));

        assertThat(after.isWithin(0, before)).isTrue();
        assertThat(after.difference(before)).isEqualTo("threads {a-N=1, b=-1}, descriptors {}");
    }
}
