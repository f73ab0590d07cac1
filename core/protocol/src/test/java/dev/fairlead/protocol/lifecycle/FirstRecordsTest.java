package dev.fairlead.protocol.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.Icon;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.PaginatedRequest;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Records with code that makes them: each component gets its own value. */
class FirstRecordsTest {
    private static final Implementation CLIENT =
            new Implementation(
                    "n", "v", "t", "d", "w", List.of(new Icon("data:,")), JsonObject.of("o", 1));
    private static final ClientCapabilities CAPABILITIES =
            new ClientCapabilities(
                    new ListCapability(true, JsonObject.EMPTY),
                    new ClientCapabilities.Sampling(null, JsonObject.of("s", 1)),
                    new ClientCapabilities.Elicitation(null, JsonObject.of("e", 1)),
                    new TasksCapability().listing(),
                    JsonObject.of("x", JsonObject.EMPTY),
                    JsonObject.of("y", JsonObject.EMPTY),
                    JsonObject.of("o", 2));

    @Test
    void areReadAsTheyWereWritten() {
        assertSame(Implementation.class, CLIENT);
        assertSame(ClientCapabilities.class, CAPABILITIES);
        assertSame(
                InitializeRequest.class,
                new InitializeRequest(
                        "2025-11-25",
                        CAPABILITIES,
                        CLIENT,
                        JsonObject.of("m", 1),
                        JsonObject.of("o", 3)));
        assertSame(
                PaginatedRequest.class,
                new PaginatedRequest("c", JsonObject.of("m", 2), JsonObject.of("o", 4)));
        assertSame(
                EmptyParams.class, new EmptyParams(JsonObject.of("m", 3), JsonObject.of("o", 5)));
    }

    private static <T> void assertSame(Class<T> type, T value) {
        JsonCodec<T> codec = JsonCodec.of(type);
        assertThat(codec.read(codec.write(value))).isEqualTo(value);
    }
}
