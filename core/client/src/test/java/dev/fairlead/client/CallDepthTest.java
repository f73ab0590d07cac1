package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.engine.Connection;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** A call takes few steps, so that a stack trace of a user can be read. */
final class CallDepthTest {
    @ParameterizedTest
    @CsvSource({"V2025_11_25, 8", "V2026_07_28, 9"})
    void fewFramesStandBetweenACallOfAToolAndTheConnection(Revision revision, int most)
            throws Exception {
        AtomicReference<List<StackTraceElement>> stack = new AtomicReference<>(List.of());
        FakeServer server =
                new FakeServer()
                        .on("tools/list", "{\"tools\": []}")
                        .on(
                                "server/discover",
                                """
                                {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                                 "capabilities": {"tools": {}}}\
                                """)
                        .on(
                                "tools/call",
                                params -> {
                                    stack.set(Arrays.asList(new Throwable().getStackTrace()));
                                    return "{\"resultType\": \"complete\", \"content\": []}";
                                });
        try (McpClient client =
                McpClient.named("desk", "1").revisions(revision, revision).connect(server)) {
            client.callTool("t", JsonObject.EMPTY);
        }

        List<StackTraceElement> frames = stack.get();
        int connection = last(frames, Connection.class, "request");
        int call = last(frames, Requests.class, "callTool");
        assertThat(connection).isNotNegative();
        assertThat(frames.subList(connection, call + 1)).hasSizeLessThanOrEqualTo(most);
    }

    private static int last(List<StackTraceElement> frames, Class<?> type, String method) {
        for (int i = frames.size() - 1; i >= 0; i--) {
            StackTraceElement frame = frames.get(i);
            if (frame.getClassName().equals(type.getName())
                    && frame.getMethodName().equals(method)) {
                return i;
            }
        }
        return -1;
    }
}
