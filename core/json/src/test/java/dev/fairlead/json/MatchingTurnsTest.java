package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Costly matching on all carrier threads, beside another virtual thread. */
@Timeout(120)
class MatchingTurnsTest {
    private static final String COSTLY = "-a".repeat(400);

    @Test
    void anotherVirtualThreadHasItsTurn() throws Exception {
        BoundedPattern pattern = BoundedPattern.of("(.+)-(.+)-(.+)z");
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> matching = new ArrayList<>();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            matching.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        while (!over.get()) {
                                            match(pattern);
                                        }
                                    }));
        }
        Thread other = Thread.ofVirtual().start(() -> over.set(true));
        other.join();
        for (Thread thread : matching) {
            thread.join();
        }
        assertThat(over).isTrue();
    }

    private static void match(BoundedPattern pattern) {
        assertThatThrownBy(() -> pattern.matches(COSTLY, new MatchingBudget()))
                .isInstanceOf(BoundedPattern.TooCostly.class);
    }
}
