package dev.fairlead.console.workbench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;

import org.junit.jupiter.api.Test;

/** The events that wait for a page that reads slowly. */
class OutboxTest {
    private final Outbox outbox = new Outbox();

    @Test
    void theOldestPassingEventsAreDropped() throws Exception {
        outbox.add(JsonObject.of("type", "question"));
        for (int i = 0; i < 3_000; i++) {
            outbox.addPassing(JsonObject.of("line", i));
        }
        assertThat(outbox.take(0)).isEqualTo("{\"type\":\"question\"}");
        assertThat(outbox.take(0)).isEqualTo("{\"line\":2001}");
        for (int i = 2_002; i < 3_000; i++) {
            assertThat(outbox.take(0)).isEqualTo("{\"line\":" + i + "}");
        }
        assertThat(outbox.take(0)).isEmpty();
    }

    @Test
    void manyBytesAreDroppedToo() throws Exception {
        for (int i = 0; i < 20; i++) {
            outbox.addPassing(JsonObject.of("line", i, "text", "x".repeat(1 << 20)));
        }
        assertThat(outbox.isBehind()).isTrue();
        assertThat(outbox.take(0)).startsWith("{\"line\":13,");
    }

    @Test
    void aClosedOneTakesNothing() throws Exception {
        outbox.add(JsonObject.EMPTY);
        outbox.close();
        outbox.add(JsonObject.EMPTY);
        assertThat(outbox.take(Long.MAX_VALUE)).isEmpty();
    }
}
