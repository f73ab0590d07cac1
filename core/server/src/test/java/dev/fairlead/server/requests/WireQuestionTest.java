package dev.fairlead.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.tasks.engine.RunQuestion;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class WireQuestionTest {
    private static final JsonObject NAME = schema("name");
    private static final JsonObject AGE = schema("age");

    private static JsonObject schema(String field) {
        JsonObject fields = JsonObject.of(field, JsonObject.of("type", "string"));
        return JsonObject.of("type", "object", "properties", fields);
    }

    private static WireQuestion of(ElicitFormRequest form) {
        Duration limit = Duration.ofMinutes(1);
        return WireQuestion.of(new ClientRequest<>(Methods.ELICIT, form, limit, limit, null, null));
    }

    /** More questions than are kept, so that they take each other's places. */
    @Test
    void eachOfManyQuestionsIsWrittenAsItIs() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1_000; i++) {
                for (JsonObject schema : List.of(NAME, AGE)) {
                    String text = "Question " + i;
                    WireQuestion question = of(new ElicitFormRequest(text, schema));
                    JsonObject params = question.request().params();
                    assertThat(params.string("message")).isEqualTo(text);
                    assertThat(params.get("requestedSchema")).isEqualTo(schema);
                    assertThat(question.digest())
                            .isEqualTo(RunQuestion.digest("elicitation/create", params));
                }
            }
        }
    }

    @Test
    void theSameFormIsWrittenOnce() {
        WireQuestion first = of(new ElicitFormRequest("Name?", NAME));
        assertThat(of(new ElicitFormRequest("Name?", NAME))).isSameAs(first);
        assertThat(of(new ElicitFormRequest("Name?", schema("name")))).isEqualTo(first);
    }

    @Test
    void aFormWithMoreMembersIsNotTakenForAPlainOne() {
        WireQuestion plain = of(new ElicitFormRequest("Name?", NAME));
        JsonObject more = JsonObject.of("x", "y");
        WireQuestion other = of(new ElicitFormRequest("Name?", NAME, null, null, more));
        assertThat(other.request().params().string("x")).isEqualTo("y");
        assertThat(other.digest()).isNotEqualTo(plain.digest());
        WireQuestion attached = of(new ElicitFormRequest("Name?", NAME).withMeta(more));
        assertThat(attached).isEqualTo(plain);
    }
}
