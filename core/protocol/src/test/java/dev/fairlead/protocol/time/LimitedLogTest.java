package dev.fairlead.protocol.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

class LimitedLogTest {
    private static final String NAME = "dev.fairlead.limited";
    private static final System.Logger LOGGER = System.getLogger(NAME);

    private final AtomicLong now = new AtomicLong();
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final LimitedLog log = new LimitedLog(now::get, later::add);
    private final Logged logged = new Logged(NAME, java.util.logging.Level.INFO);

    @AfterEach
    void close() {
        logged.close();
    }

    private void warn(String peer, Object parameter) {
        log.add(LOGGER, Level.WARNING, peer, null, "{0} is wrong", parameter);
    }

    private void aMinutePasses() {
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        for (int i = later.size(); i > 0; i--) {
            later.remove().run();
        }
    }

    @Test
    void numbersHaveTheSameDigitsInEveryLanguage() {
        warn("a", 1_048_576);
        assertThat(logged.lines()).containsExactly("WARNING 1048576 is wrong");
    }

    @Test
    void aFloodIsOneLineAndOneWithTheNumberOfTheOthers() {
        for (int i = 0; i < 5_000; i++) {
            warn("a", "line " + i);
        }
        assertThat(logged.lines()).containsExactly("WARNING line 0 is wrong");
        aMinutePasses();
        assertThat(logged.lines())
                .containsExactly(
                        "WARNING line 0 is wrong",
                        "WARNING line 4999 is wrong (and 4998 more like it)");
        aMinutePasses();
        aMinutePasses();
        assertThat(later).as("nothing is left to be done").isEmpty();
        assertThat(logged.lines()).hasSize(2);
    }

    @Test
    void aLineThatComesAfterTheMinuteNamesTheNumberOfThoseBefore() {
        warn("a", 1);
        warn("a", 2);
        warn("a", 3);
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        warn("a", 4);
        assertThat(logged.lines())
                .containsExactly("WARNING 1 is wrong", "WARNING 4 is wrong (and 2 more like it)");
    }

    @Test
    void eachKindAndPeerHasItsOwnLine() {
        warn("a", 1);
        warn("b", 2);
        log.add(LOGGER, Level.WARNING, "a", null, "{0} is late", 3);
        assertThat(logged.lines()).hasSize(3);
    }

    @Test
    void whatIsLeftOutIsLoggedAtDebug() {
        try (Logged all = new Logged(NAME, java.util.logging.Level.FINE)) {
            warn("a", 1);
            warn("a", 2);
            assertThat(all.lines()).containsExactly("WARNING 1 is wrong", "FINE 2 is wrong");
        }
    }

    @Test
    void manyKindsShareALine() {
        for (int i = 0; i < 3 * LimitedLog.MAX_KINDS; i++) {
            warn("peer " + i, i);
        }
        assertThat(logged.lines()).hasSize(LimitedLog.MAX_KINDS + 1);
    }

    @Test
    void manyKindsHideNoFaultThatIsLoggedElsewhere() {
        for (int i = 0; i < 3 * LimitedLog.MAX_KINDS; i++) {
            warn("peer " + i, i);
        }
        log.add(LOGGER, Level.ERROR, "", null, "The database is gone");
        log.add(System.getLogger(NAME + ".other"), Level.WARNING, "", null, "The disk is full");
        assertThat(logged.lines())
                .contains("SEVERE The database is gone", "WARNING The disk is full");
    }

    /** Simulates a handler without memory. */
    @Test
    void anErrorOfAHandlerReachesNoCaller() {
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
        Logger.getLogger(NAME).addHandler(failing);
        try {
            warn("a", 1);
            warn("a", 2);
            aMinutePasses();
        } finally {
            Logger.getLogger(NAME).removeHandler(failing);
        }
        aMinutePasses();
        warn("a", 3);
        assertThat(logged.lines()).contains("WARNING 3 is wrong");
    }
}
