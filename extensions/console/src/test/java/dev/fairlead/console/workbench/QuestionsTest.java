package dev.fairlead.console.workbench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Questions that wait for the person at a page. */
@Timeout(120)
class QuestionsTest {
    private static final String REFUSED = Questions.MAX + " questions wait for the person already";

    record NoInput() {}

    record Sure(boolean ok) {}

    private final Outbox outbox = new Outbox();
    private final Questions questions = new Questions(outbox);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final McpServer server =
            McpServer.named("harbour", "1.0")
                    .tool("ask", "Asks the person", NoInput.class, String.class)
                    .handle((none, call) -> call.elicit("Sure?", Sure.class).toString())
                    .build();
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        McpClient.Builder builder = McpClient.named("page", "1.0");
        questions.handledBy(builder);
        client = builder.connect(server.inProcess());
    }

    @AfterEach
    void close() {
        callers.shutdownNow();
        client.close();
        server.close();
    }

    private Future<CallToolResult> ask() {
        return callers.submit(() -> client.callTool("ask", JsonObject.EMPTY));
    }

    private JsonObject event(String type) throws InterruptedException {
        JsonObject event = (JsonObject) JsonValue.parse(outbox.take(Long.MAX_VALUE));
        assertThat(event.string("type")).isEqualTo(type);
        return event;
    }

    @Test
    void moreThanWaitForThePersonAreRefusedUntilOneIsAnswered() throws Exception {
        Deque<Future<CallToolResult>> calls = new ArrayDeque<>();
        Deque<String> open = new ArrayDeque<>();
        while (open.size() < Questions.MAX) {
            calls.add(ask());
            open.add(event("question").string("question"));
        }

        assertThatThrownBy(ask()::get).hasMessageContaining(REFUSED);

        questions.answer(JsonObject.of("question", open.remove(), "action", "decline"));
        assertThat(calls.remove().get().text()).contains("Declined");
        event("question-over");
        calls.add(ask());
        open.add(event("question").string("question"));
        for (String question : open) {
            questions.answer(JsonObject.of("question", question, "action", "decline"));
        }
        for (Future<CallToolResult> call : calls) {
            assertThat(call.get().text()).contains("Declined");
        }
    }

    @Test
    void aPageThatHasNotReadItsEventsIsNotAsked() throws Exception {
        while (!outbox.isBehind()) {
            outbox.add(JsonObject.of("type", "answer"));
        }
        assertThatThrownBy(ask()::get).hasMessageContaining(REFUSED);
    }
}
