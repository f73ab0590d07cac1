package dev.fairlead.auth.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The log while tokens cannot be verified. */
class OutageTest {
    private final SetClock clock = new SetClock();
    private final Outage outage = new Outage(clock);
    private final List<LogRecord> heard = new CopyOnWriteArrayList<>();
    private final Logger logger = Logger.getLogger(ResourceServer.class.getName());
    private final Handler ear =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    if (record.getLevel().intValue()
                            >= java.util.logging.Level.WARNING.intValue()) {
                        heard.add(record);
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        logger.addHandler(ear);
    }

    @AfterEach
    void leave() {
        logger.removeHandler(ear);
    }

    private void meet(int times) {
        for (int i = 0; i < times; i++) {
            outage.isMet(new IOException("no answer within PT10S"));
        }
    }

    @Test
    void isSaidOnceAMinuteAndWithoutAStack() {
        meet(100);
        clock.advance(Duration.ofSeconds(59));
        meet(100);
        assertThat(heard).hasSize(1);

        clock.advance(Duration.ofSeconds(1));
        meet(100);
        assertThat(heard)
                .hasSize(2)
                .allMatch(record -> record.getThrown() == null)
                .allMatch(
                        record ->
                                List.of(record.getParameters()).contains("no answer within PT10S"));
    }
}
