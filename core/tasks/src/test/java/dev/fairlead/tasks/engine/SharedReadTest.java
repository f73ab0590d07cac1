package dev.fairlead.tasks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.tasks.TaskStoreException;
import dev.fairlead.test.support.Awaiting;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

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

    @Test
    void anErrorOfTheReaderEndsTheWaitOfTheOthers() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Thread other = new Thread(() -> assertThatThrownBy(this::get).isNotNull());
        try (ExecutorService reader = Executors.newSingleThreadExecutor()) {
            Future<Integer> read = reader.submit(() -> shared.get(() -> failing(reading, go)));
            reading.await();
            other.start();
            Awaiting.await().until(() -> other.getState() == Thread.State.WAITING);
            go.countDown();

            assertThatThrownBy(read::get).hasCauseInstanceOf(AssertionError.class);
        }
        other.join();
        assertThat(reads).as("the other has not read").isZero();
    }

    private static int failing(CountDownLatch reading, CountDownLatch go) {
        reading.countDown();
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        throw new AssertionError("a broken store");
    }
}
