package dev.fairlead.server.requeststate;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.server.notifications.SentReports;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * The content of a state. Its collections are not copied.
 *
 * @param issued when it was sealed, in milliseconds since 1970
 * @param expires when it ends, likewise
 * @param round how many rounds there were, at least 1
 * @param base of the idempotency keys
 * @param answers the results so far
 * @param asked the open questions, by their keys on the wire
 * @param once the recorded values
 * @param own the state of the handler; null for none
 * @param held the id of the call that waits for the retry in a process; null if the handler starts
 *     again
 * @param entry the answers to thrown questions with which the handler was entered in a round in
 *     which it then asked, by key; null for none
 * @param reports the progress and log messages that were sent; null for none
 */
public record StateContent(
        long issued,
        long expires,
        int round,
        String base,
        List<Answer> answers,
        Map<String, Asked> asked,
        Map<String, RawJson> once,
        @Nullable JsonValue own,
        @Nullable String held,
        @Nullable JsonObject entry,
        SentReports.@Nullable Kept reports) {
    /** The state before the first round. */
    public static final StateContent NONE =
            new StateContent(0, 0, 0, "", List.of(), Map.of(), Map.of(), null, null, null, null);

    /**
     * An answer of the client.
     *
     * @param key of the question on the wire
     * @param digest of the question
     */
    public record Answer(String key, String digest, RawJson value) {}

    /**
     * An open question.
     *
     * @param digest of the question
     * @param method that asks it; null if the handler threw it and reads the answer itself
     */
    public record Asked(String digest, @Nullable String method) {
        /** Returns whether the handler threw the question. */
        public boolean isThrown() {
            return method == null;
        }
    }

    /** Returns the state of a call that waits in a process. */
    public static StateContent held(String id, int round) {
        return new StateContent(
                0, 0, round, "", List.of(), Map.of(), Map.of(), null, id, null, null);
    }

    /** Returns the same, whose next round repeats its progress and log messages. */
    StateContent withoutReports() {
        return new StateContent(
                issued, expires, round, base, answers, asked, once, own, held, entry, null);
    }

    StateContent during(long from, long until) {
        return new StateContent(
                from, until, round, base, answers, asked, once, own, held, entry, reports);
    }
}
