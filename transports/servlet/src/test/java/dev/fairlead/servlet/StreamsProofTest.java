package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Streams of events through containers that are impatient. */
@Tag("proof")
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(120)
class StreamsProofTest extends TalkingTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    /**
     * Returns the result of the first attempt that is in time: an impatient container may close the
     * connection of a client on a slow machine before it has sent anything.
     */
    private static <T> T inTime(Callable<T> attempt) throws Exception {
        while (true) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            try {
                T made = attempt.call();
                if (made != null) {
                    return made;
                }
            } catch (IOException e) {
                // too late
            }
        }
    }

    /** The connection of a call that was taken. */
    private Wire taken(Running running, String id) throws Exception {
        return inTime(
                () -> {
                    long before = servlet.metrics().orElseThrow().requestsTaken();
                    Wire wire = wire(running);
                    wire.send("POST", "/mcp", call(1, "talk", "{}"), SESSION, id);
                    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
                    while (servlet.metrics().orElseThrow().requestsTaken() == before) {
                        if (System.nanoTime() > end) {
                            return null;
                        }
                        TimeUnit.MILLISECONDS.sleep(10);
                    }
                    return wire;
                });
    }

    @Test
    void silenceMayLastLongerThanTheLimitsOfTheContainer() throws Exception {
        Running running =
                serve(ENDPOINT.jsonAnswers().heartbeat(SHORT.multipliedBy(5).dividedBy(2)), SHORT);
        String id = inTime(() -> session(running, "/mcp"));
        Wire answer = taken(running, id);
        Wire stream = inTime(() -> listen(running, id));
        stream.event();

        assertThat(stream.bodyLine()).startsWith(":");
        mayEnd.countDown();
        assertThat(answer.answer().body()).contains("\"result\"");
    }

    @Test
    @Requirement("SSE-022")
    void aStalledReaderBlocksNoOtherRequestAndLosesItsConnection() throws Exception {
        Running running = serve(ENDPOINT, SHORT.multipliedBy(2));
        for (int i = 0; i < 5; i++) {
            String body = call(i, "flood", "{}");
            String id = inTime(() -> session(running, "/mcp"));
            inTime(
                    () -> {
                        Wire wire = closedLater(new Wire(running.port(), 4096));
                        return wire.send("POST", "/mcp", body, SESSION, id).head();
                    });
        }

        String other = inTime(() -> session(running, "/mcp"));
        Answer answer = inTime(() -> post(running, "/mcp", call(1, "echo", "{}"), SESSION, other));
        assertThat(answer.status()).isEqualTo(200);
        awaitMetrics(metrics -> metrics.streams() == 0);
    }
}
