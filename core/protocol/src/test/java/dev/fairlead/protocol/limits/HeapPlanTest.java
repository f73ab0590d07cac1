package dev.fairlead.protocol.limits;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

/** The shares of the heap in this JVM, and their sum. */
class HeapPlanTest {
    @Test
    void aShareIsItsPartOfTheHeapAndNoMoreThanItsMost() {
        long sum = 0;
        for (HeapPlan share : HeapPlan.values()) {
            assertThat(share.bytes())
                    .isBetween(HeapPlan.LEAST, Math.max(HeapPlan.LEAST, share.most()))
                    .isLessThanOrEqualTo(Math.max(HeapPlan.LEAST, HeapPlan.heap() / share.part()));
            sum += share.bytes();
        }
        assertThat(sum).isLessThanOrEqualTo(HeapPlan.heap() / 32 * 25 + 32);
    }

    @Test
    void aLimitIsNeverLessThanOneMebibyte() {
        assertThat(HeapPlan.atMost(1, 1)).isEqualTo(1 << 20);
        assertThat(HeapPlan.atMost(Long.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(1 << 20);
    }

    @Test
    void theLongestMessageIsAtMostASixteenthOfTheHeap() {
        assertThat(HeapPlan.message())
                .isBetween(1 << 20, 64 << 20)
                .isEqualTo((int) HeapPlan.atMost(64 << 20, 16));
    }

    @Test
    void theDescriptionHasAllSharesAndTheirSum() {
        long sum = Arrays.stream(HeapPlan.values()).mapToLong(HeapPlan::bytes).sum();

        assertThat(HeapPlan.describe()).contains("at most " + (sum >> 20) + " MiB of the heap of ");
        for (HeapPlan share : HeapPlan.values()) {
            assertThat(HeapPlan.describe())
                    .contains(share.contents() + " " + (share.bytes() >> 20) + " MiB");
        }
    }
}
