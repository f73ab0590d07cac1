package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.tasks.TaskStoreException;

import org.junit.jupiter.api.Test;

import java.io.IOException;

class SharedReadTest {
    private final SharedRead<Integer> shared = new SharedRead<>();
    private int reads;

    private int get() {
        return shared.get(() -> ++reads);
    }

    @Test
    void aValueIsReadOnceAfterEachChange() {
        assertThat(get()).isEqualTo(1);
        assertThat(get()).isEqualTo(1);
        shared.changed();
        assertThat(get()).isEqualTo(2);
    }

    @Test
    void aReadThatWasBegunBeforeAChangeServesNoneAfterIt() {
        int before =
                shared.get(
                        () -> {
                            shared.changed();
                            return 0;
                        });

        assertThat(before).isZero();
        assertThat(get()).isEqualTo(1);
    }

    @Test
    void aFailureIsNotKept() {
        TaskStoreException failure = new TaskStoreException("down", new IOException("disk full"));

        assertThatThrownBy(
                        () ->
                                shared.get(
                                        () -> {
                                            throw failure;
                                        }))
                .isSameAs(failure);
        assertThat(get()).isEqualTo(1);
    }
}
