package dev.fairlead.protocol.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

class ChecksTest {
    @Test
    void theSmallestPositiveValuePasses() {
        assertThat(Checks.positive(1, "pages")).isEqualTo(1);
        assertThat(Checks.positive(1L, "bytes")).isEqualTo(1);
        assertThat(Checks.positive(Duration.ofNanos(1), "wait")).isEqualTo(Duration.ofNanos(1));
    }

    @Test
    void theMessageNamesOptionAndValue() {
        assertThatThrownBy(() -> Checks.positive(0, "pages"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pages must be positive but was 0");
        assertThatThrownBy(() -> Checks.positive(-1L, "bytes"))
                .hasMessage("bytes must be positive but was -1");
        assertThatThrownBy(() -> Checks.positive(Duration.ZERO, "wait"))
                .hasMessage("wait must be positive but was 0 ms");
    }

    /** A user who wants no limit sets the longest one that there is. */
    @Test
    void foreverFitsIntoNanoseconds() {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        assertThat(Checks.positive(forever, "wait").multipliedBy(4).toNanos()).isPositive();
    }
}
