package dev.fairlead.protocol.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;

/** The cost of masking hostile frames, in time of the processor. */
@Tag("proof")
class SecretMaskProofTest {
    private static void assertIsQuick(Runnable work) {
        long before = cpuNanos();
        work.run();
        assertThat((cpuNanos() - before) / 1_000_000).isLessThan(20_000);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\\", "\"token\":\"", "\\u0074", "\",\"", "token", "\"inputResponses\":"})
    void aLongFrameThatIsMadeToBeSlowIsNot(String part) {
        String frame = "\"token\":\"" + part.repeat(300_000);
        assertIsQuick(() -> SecretMask.mask(frame));
    }

    @Test
    void aFrameThatIsMadeToBeSlowIsNot() {
        String hostile = "\\".repeat(2_000) + "\"token" + " ".repeat(2_000) + "\\\"";
        assertIsQuick(
                () -> {
                    for (int i = 0; i < 10; i++) {
                        SecretMask.mask(hostile);
                    }
                });
    }
}
