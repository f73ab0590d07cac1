package dev.fairlead.protocol;

import java.time.Duration;

/**
 * The values of which each may be used once, such as the proofs of a key, where several processes
 * share them. Safe for use by several threads.
 */
@FunctionalInterface
public interface OneTimeValues {
    /**
     * Uses a value: of all uses, also at the same time in several processes, one is the first.
     * Blocks for as long as the source takes.
     *
     * @param value of at most 1,000 characters
     * @param kept how long the value must not be used again
     * @return whether this is the first use
     * @throws RuntimeException if the value cannot be stored; it may count as used then
     */
    boolean use(String value, Duration kept);
}
