package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Method;
import dev.fairlead.server.requeststate.StateContent;
import dev.fairlead.tasks.engine.TaskRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The questions of a body in one round, and the answers so far. Not thread-safe. */
final class RoundQuestions {
    final Map<QuestionIds.Id, RawJson> answers = new LinkedHashMap<>();
    final QuestionIds ids = new QuestionIds();
    final Map<String, WireQuestion> open = new LinkedHashMap<>();
    final Map<String, StateContent.Asked> asked = new LinkedHashMap<>();
    final List<TaskRequest.Answered> given = new ArrayList<>();
    @Nullable JsonObject entry;

    /**
     * Adds a question without an answer.
     *
     * @param method that asks it; null if the handler threw it
     */
    void open(QuestionIds.Id id, WireQuestion question, @Nullable Method<?, ?> method) {
        open.put(id.key(), question);
        String name = method == null ? null : method.name();
        asked.put(id.key(), new StateContent.Asked(id.digest(), name));
    }

    /** Begins another run of the body, which has the same answers. */
    void restart() {
        ids.restart();
        open.clear();
        asked.clear();
        given.clear();
    }
}
