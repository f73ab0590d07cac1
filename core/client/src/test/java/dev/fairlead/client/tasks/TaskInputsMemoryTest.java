package dev.fairlead.client.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.link.InputAnswers;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.time.ManualTimers;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;

class TaskInputsMemoryTest {
    private final TaskInputs inputs = new TaskInputs(new Accepting(), new ManualTimers());
    private int sent;

    private static final class Accepting implements InputAnswers {
        @Override
        public Map<String, RawJson> answer(
                Map<String, InputRequest> requests,
                Revision revision,
                @Nullable JsonObject inherited) {
            Map<String, RawJson> answers = new HashMap<>();
            requests.keySet().forEach(key -> answers.put(key, RawJson.EMPTY_OBJECT));
            return answers;
        }

        @Override
        public void require(Map<String, InputRequest> requests, Revision revision) {}
    }

    private void look(int task) throws Exception {
        String text =
                "{\"taskId\":\"%s\",\"status\":\"input_required\",\"createdAt\":\"2026-07-28T00:00:00Z\","
                    + "\"lastUpdatedAt\":\"2026-07-28T00:00:00Z\",\"ttlMs\":null,\"inputRequests\":{\"%s\":"
                    + "{\"method\":\"roots/list\",\"params\":{}}}}";
        DetailedTask asking =
                JsonCodec.of(DetailedTask.class)
                        .read(RawJson.parse(text.formatted(task, "k".repeat(1_000_000))));
        inputs.answer(asking, Revision.V2026_07_28, (id, answers) -> sent++);
    }

    /** Tasks that never end are never forgotten for their end. */
    @Test
    void ofManyTasksWithLongKeysTheEldestAreForgotten() throws Exception {
        for (int task = 0; task < 20; task++) {
            look(task);
        }
        assertThat(sent).isEqualTo(20);
        look(19);
        assertThat(sent).as("answered once").isEqualTo(20);
        look(0);
        assertThat(sent).as("forgotten, and so answered again").isEqualTo(21);
    }
}
