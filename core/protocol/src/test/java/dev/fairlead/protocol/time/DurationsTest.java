package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.5S, 500 ms",
        "PT1.5S, 1.5 s",
        "PT30S, 30 s",
        "PT60S, 60 s",
        "PT90S, 90 s",
        "PT5M, 5 min",
        "PT1H, 1 h",
        "P1D, 24 h",
        "PT2562047788015215H30M7S, 2562047788015215 h",
        "PT-2562047788015215H, -2562047788015215 h"
    })
    void theLargestWholeUnitIsTaken(Duration duration, String text) {
        assertThat(Durations.text(duration)).isEqualTo(text);
    }
}
