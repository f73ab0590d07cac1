package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** The examples of the page about asking work. */
@Timeout(60)
final class AskingSnippetsTest {
    /** Answers neither question before it has both, as often as that is wanted. */
    private static McpClient.Builder client(int together) {
        CyclicBarrier both = new CyclicBarrier(together);
        return McpClient.named("reader", "1")
                .onElicitForm(
                        form -> {
                            both.await(30, TimeUnit.SECONDS);
                            return Answer.accept(new AskingSnippets.Name("Ada"));
                        })
                .onSample(
                        request -> {
                            both.await(30, TimeUnit.SECONDS);
                            return CreateMessageResult.text("tiny-1", "Good morning,");
                        });
    }

    @Test
    void aSessionAsksBothAtTheSameTime() throws Exception {
        try (McpServer server = AskingSnippets.together();
                McpClient client = client(2).connect(server.inProcess())) {
            assertThat(client.callTool("welcome", JsonObject.EMPTY).text())
                    .isEqualTo("Good morning, Ada");
        }
    }

    @Test
    void aTaskHasBothOpen() throws Exception {
        try (McpServer server = AskingSnippets.together();
                McpClient client = client(1).connect(server.inProcess())) {
            assertThat(
                            client.tool("welcome", JsonObject.class, String.class)
                                    .start(JsonObject.EMPTY)
                                    .await(Duration.ofSeconds(30)))
                    .isEqualTo("Good morning, Ada");
        }
    }

    @Test
    void aThrownQuestionComesBackWithItsState() throws Exception {
        try (McpServer server = AskingSnippets.thrown();
                McpClient client = client(1).connect(server.inProcess())) {
            assertThat(client.callTool("welcome", JsonObject.EMPTY).text())
                    .startsWith("\"first step\": ")
                    .contains("{\"name\":\"Ada\"}");
        }
    }
}
