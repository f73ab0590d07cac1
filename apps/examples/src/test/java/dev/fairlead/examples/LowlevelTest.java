package dev.fairlead.examples;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

@EachEra
class LowlevelTest {
    @Parameter private Revision revision;

    @Test
    void theToolTheMethodAndTheNotificationShareOneTotal() throws Exception {
        try (McpTest test = McpTest.of(Lowlevel.server())) {
            McpClient client = test.revision(revision).client();
            assertThat(
                            client.callTool("count_words", JsonObject.of("text", "to be or not"))
                                    .structuredContent())
                    .isEqualTo(JsonObject.of("words", 4));
            assertThat(client.callTool("count_words", JsonObject.of("text", " ")).text())
                    .isEqualTo("{\"words\":0}");
            assertThat(client.request(Lowlevel.TOTAL, JsonObject.EMPTY))
                    .isEqualTo(JsonObject.of("words", 4));

            client.notify(Lowlevel.RESET, JsonObject.EMPTY);

            await("the total is reset")
                    .until(
                            () ->
                                    client.request(Lowlevel.TOTAL, JsonObject.EMPTY)
                                            .equals(JsonObject.of("words", 0)));
        }
    }

    @Test
    void argumentsThatBreakTheSchemaAreAFailure() throws Exception {
        try (McpTest test = McpTest.of(Lowlevel.server())) {
            assertThat(
                            test.revision(revision)
                                    .client()
                                    .callTool("count_words", JsonObject.of("txt", "to be"))
                                    .isError())
                    .isTrue();
        }
    }
}
