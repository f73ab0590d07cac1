package dev.fairlead.server.requeststate;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.server.notifications.SentReports;
import dev.fairlead.tasks.engine.RunQuestion;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * What a state holds. Its maps are not copied.
 *
 * @param issued when it was sealed, in milliseconds since 1970
 * @param expires when it ends, likewise
 * @param round how many rounds there were, at least 1
 * @param base of the idempotency keys
 * @param answers the results so far, by the identity of their question
 * @param asked the digest of each question that is open, by its key on the wire; with its method
 *     after a space, unless the handler threw the question
 * @param once the recorded values
 * @param own the state of the handler; null for none
 * @param held the id of the call that waits for the retry in a process; null if the handler starts
 *     again
 * @param thrown the questions that the handler threw in this round, by their key on the wire, so
 *     that interceptors see their answers; null for none
 * @param reports the progress and log messages that were sent; null for none
 */
public record StateContent(
        long issued,
        long expires,
        int round,
        String base,
        Map<String, RawJson> answers,
        Map<String, String> asked,
        Map<String, RawJson> once,
        @Nullable JsonValue own,
        @Nullable String held,
        @Nullable Map<String, RunQuestion> thrown,
        SentReports.@Nullable Kept reports) {
    /** The state of the handler, if there is one, by a name for a log. */
    Map<String, RawJson> ofHandler() {
        return own == null ? Map.of() : Map.of("state of the handler", RawJson.of(own));
    }

    /** Returns the same, whose next round repeats its progress and log messages. */
    StateContent withoutReports() {
        return new StateContent(
                issued, expires, round, base, answers, asked, once, own, held, thrown, null);
    }

    StateContent during(long from, long until) {
        return new StateContent(
                from, until, round, base, answers, asked, once, own, held, thrown, reports);
    }
}
