package dev.fairlead.server.requests;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * Gives the questions of one run of a handler their identities, from how often the same was asked
 * before. Not thread-safe.
 */
final class QuestionIds {
    private static final int DIGEST_IN_KEY = 16;

    private final Map<Same, Integer> asked = new HashMap<>();

    /**
     * The identity of a question.
     *
     * @param key on the wire
     * @param digest of the question
     */
    record Id(String key, String digest) {}

    private record Same(@Nullable String key, String digest) {}

    /**
     * Returns the identity of the next question. Without a key from the author, its key is made
     * from the question, so that an answer never fits another one.
     */
    Id next(@Nullable String key, String digest) {
        int before = asked.merge(new Same(key, digest), 1, Integer::sum) - 1;
        return new Id(wireKey(key, digest, before), digest);
    }

    /** Returns the identity of a question that is asked once. */
    static Id of(@Nullable String key, String digest) {
        return new Id(wireKey(key, digest, 0), digest);
    }

    private static String wireKey(@Nullable String key, String digest, int before) {
        if (key == null) {
            return digest.substring(0, DIGEST_IN_KEY) + "-" + before;
        }
        return before == 0 ? key : key + "~" + before;
    }

    /** Begins a new run. */
    void restart() {
        asked.clear();
    }
}
