package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.face.PerRequestFace;
import dev.fairlead.protocol.mrtr.InputRequest;
import dev.fairlead.tasks.engine.RunQuestion;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A question as its client gets it by the result of a request.
 *
 * @param digest identifies what is asked
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
