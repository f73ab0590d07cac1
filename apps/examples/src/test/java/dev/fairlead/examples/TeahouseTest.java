package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.examples.Teahouse.Kind;
import dev.fairlead.examples.Teahouse.Tea;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

@EachEra
class TeahouseTest {
    @Parameter private Revision revision;

    @Test
    void thePersonChoosesTheTeaAndTheModelWritesTheHaiku() throws Exception {
        try (McpTest test = McpTest.of(Teahouse.server()).revision(revision)) {
            McpClient client =
                    test.client(
                            McpClient.named("test", "1")
                                    .onElicitForm(
                                            form -> Answer.accept(JsonObject.of("kind", "green")))
                                    .onSample(
                                            request -> CreateMessageResult.text("model", "Steam")));

            assertThat(client.tool("order_tea", JsonObject.class, Tea.class).call(JsonObject.EMPTY))
                    .isEqualTo(new Tea(Kind.green, 0));
            assertThat(client.callTool("haiku", JsonObject.EMPTY).text()).isEqualTo("Steam");
        }
    }
}
