package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;

class LastingLoopTest {
    private static final String NAME = "dev.fairlead.lasting";
    private static final Logger LOGGER = System.getLogger(NAME);

    private static boolean fails(Iterator<? extends Throwable> failures) throws Exception {
        if (!failures.hasNext()) {
            return false;
        }
        switch (failures.next()) {
            case Error e -> throw e;
            case Exception e -> throw e;
            case Throwable e -> throw new AssertionError(e);
        }
    }

    @Test
    void whateverIsThrownAnotherStepFollows() {
        var failures =
                List.of(
                                new OutOfMemoryError("of the test"),
                                new StackOverflowError(),
                                new AssertionError("of the test"),
                                new IllegalStateException("of the test"),
                                new java.io.IOException("of the test"))
                        .iterator();
        try (Logged logged = new Logged(NAME, Level.INFO)) {
            LastingLoop.run(LOGGER, "", "It failed", () -> fails(failures));
            assertThat(failures.hasNext()).isFalse();
            assertThat(logged.lines()).as("one for all").containsExactly("SEVERE It failed");
        }
    }

    @Test
    void anErrorOfTheLogEndsNothing() {
        Handler failing =
                new Handler() {
                    @Override
                    public void publish(LogRecord entry) {
                        throw new OutOfMemoryError("of the test");
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        java.util.logging.Logger.getLogger(NAME).addHandler(failing);
        try {
            var failures = List.of(new OutOfMemoryError("of the test")).iterator();
            LastingLoop.run(LOGGER, "", "It failed", () -> fails(failures));
            assertThat(failures.hasNext()).isFalse();
        } finally {
            java.util.logging.Logger.getLogger(NAME).removeHandler(failing);
        }
    }

    @Test
    void workThatFailsTenTimesInARowIsReported() {
        String what = "It fails in the test";
        int[] steps = {0};
        List<String> seen = new ArrayList<>();
        LastingLoop.run(
                LOGGER,
                "",
                what,
                () -> {
                    seen.add(String.valueOf(LastingLoop.failing()));
                    if (++steps[0] <= 10) {
                        throw new OutOfMemoryError("of the test");
                    }
                    return steps[0] < 12;
                });
        assertThat(seen.subList(0, 10)).doesNotContain(what);
        assertThat(seen.subList(10, 12)).containsExactly(what, "null");
    }

    @Test
    void workThatEndsWhileItFailsIsNotReported() {
        int failures = 0;
        for (int i = 0; i < 10; i++) {
            failures = LastingLoop.failed(failures, "It fails and ends");
        }
        assertThat(LastingLoop.failing()).isEqualTo("It fails and ends");
        long latest = LastingLoop.failedAt();
        assertThat(LastingLoop.failing(latest + Duration.ofSeconds(29).toNanos())).isNotNull();
        assertThat(LastingLoop.failing(latest + Duration.ofSeconds(30).toNanos())).isNull();
        assertThat(LastingLoop.succeeded(failures, "It fails and ends")).isZero();
        assertThat(LastingLoop.failing()).isNull();
    }

    @Test
    void anInterruptEndsTheLoopAndStays() {
        LastingLoop.run(
                LOGGER,
                "",
                "It failed",
                () -> {
                    throw new InterruptedException();
                });
        assertThat(Thread.interrupted()).isTrue();
    }
}
