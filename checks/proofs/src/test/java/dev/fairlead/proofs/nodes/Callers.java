package dev.fairlead.proofs.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;

/** Clients that answer each form of the fixtures, and calls whose results are known. */
final class Callers {
    /** The answers, by the names of fields. */
    private static final JsonObject FIELDS =
            JsonObject.of(
                    "a", "one", "b", "two", "ok", true, "name", "Ada", "color", "blue", "context",
                    "rain", "confirm", true);

    private Callers() {}

    static McpClient.Builder of(Revision revision) {
        return McpClient.named("caller", "1")
                .revisions(revision, revision)
                .onElicitForm(Callers::answer);
    }

    private static Answer<?> answer(ElicitForm form) {
        JsonObject content = JsonObject.EMPTY;
        for (String field : form.schema().object("properties").names()) {
            content = content.with(field, FIELDS.get(field));
        }
        return Answer.accept(content);
    }

    /** Makes a call that reports progress on its stream. */
    static void callInSteps(McpClient client, int ms) throws InterruptedException {
        JsonObject steps = JsonObject.of("ms", ms, "steps", 2);
        assertThat(client.withProgress(progress -> {}).callTool("interop_slow", steps).text())
                .isEqualTo("slept " + ms);
    }

    /** Makes a call that asks twice. */
    static void callAndAnswer(McpClient client) throws InterruptedException {
        JsonObject seen =
                (JsonObject)
                        client.callTool("interop_rounds", JsonObject.EMPTY).structuredContent();
        assertThat(seen.string("a") + " " + seen.string("b")).isEqualTo("one two");
    }
}
