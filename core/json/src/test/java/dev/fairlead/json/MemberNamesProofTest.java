package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.StringJoiner;

/** The cost of names that collide, in time of the processor. */
@Tag("proof")
class MemberNamesProofTest {
    private static final int NAMES = 200_000;

    @Test
    void namesThatCollideCostNoMoreThanOthers() {
        byte[] colliding = MemberNamesTest.colliding(1, NAMES);
        StringJoiner members = new StringJoiner(",", "{", "}");
        for (int i = 0; i < NAMES; i++) {
            members.add("\"" + "n".repeat(42) + (100_000 + i) + "\":0");
        }
        byte[] others = members.toString().getBytes(UTF_8);
        cost(others); // compiles the parser
        assertThat(cost(colliding)).isLessThan(20 * cost(others)); // 100 times in a table of lists
        assertThat(((JsonObject) RawJson.parse(colliding).value()).members()).hasSize(NAMES);
    }

    private static long cost(byte[] text) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        RawJson.parse(text);
        return threads.getCurrentThreadCpuTime() - before;
    }
}
