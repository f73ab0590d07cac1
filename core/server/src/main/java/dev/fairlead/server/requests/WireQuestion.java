package dev.fairlead.server.requests;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.engine.LogText;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.tasks.engine.RunQuestion;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A question as its client gets it by the result of a request.
 *
 * @param digest identifies the question
 */
record WireQuestion(InputRequest request, String digest) {
    private static final int MAX_MESSAGE = 1_000;

    /** Forms that were asked lately, each at the place of its hash. */
    private static final AtomicReferenceArray<Known> KNOWN = new AtomicReferenceArray<>(64);

    /** The schema of a record is one object, so equal ones need not be compared. */
    private record Known(String message, JsonObject schema, WireQuestion question) {
        boolean isOf(ElicitFormRequest form) {
            return schema == form.requestedSchema() && message.equals(form.message());
        }
    }

    /** Returns the method and how the text of the question starts, on one line of a log. */
    String forLog() {
        String text = text(request.params());
        return text == null
                ? request.method()
                : request.method() + " '" + LogText.clean(text) + "'";
    }

    /** The message of an elicitation, or the first of those to sample with. */
    private static @Nullable String text(@Nullable JsonObject params) {
        if (params == null) {
            return null;
        }
        if (params.get("message") instanceof JsonString message) {
            return message.value();
        }
        return params.get("messages") instanceof JsonArray messages
                        && first(messages) instanceof JsonObject message
                        && first(message.get("content")) instanceof JsonObject content
                        && content.get("text") instanceof JsonString text
                ? text.value()
                : null;
    }

    /** Returns a value that stands alone or first in an array. */
    private static @Nullable JsonValue first(@Nullable JsonValue value) {
        if (!(value instanceof JsonArray array)) {
            return value;
        }
        return array.elements().isEmpty() ? null : array.elements().get(0);
    }

    /**
     * Returns a question as it is sent.
     *
     * @throws IllegalArgumentException if it is against the protocol
     */
    static WireQuestion of(ClientRequest<?> question) {
        return question.params() instanceof ElicitFormRequest form
                        && form.message().length() <= MAX_MESSAGE
                        && form.task() == null
                        && form.meta() == null
                        && form.otherMembers().isEmpty()
                ? known(form, question)
                : written(question);
    }

    private static WireQuestion known(ElicitFormRequest form, ClientRequest<?> question) {
        int hash = 31 * form.message().hashCode() + System.identityHashCode(form.requestedSchema());
        int place = Math.floorMod(hash, KNOWN.length());
        Known known = KNOWN.get(place);
        if (known == null || !known.isOf(form)) {
            known = new Known(form.message(), form.requestedSchema(), written(question));
            KNOWN.set(place, known);
        }
        return known.question();
    }

    private static WireQuestion written(ClientRequest<?> question) {
        InputRequest request = PerRequestFace.inputRequest(question.method(), question.params());
        JsonObject params = request.params();
        return new WireQuestion(
                request,
                RunQuestion.digest(request.method(), params == null ? JsonObject.EMPTY : params));
    }
}
