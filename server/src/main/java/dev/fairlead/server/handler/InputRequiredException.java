package dev.fairlead.server.handler;

import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A handler needs answers of the client before it can go on, and is to be entered again with them:
 * {@link Call#retry}. The explicit form of {@link ServerRequests#ask}, for handlers that pass on
 * what others ask. It unwinds the handler, so it must not be caught on the way.
 *
 * <p>Under revision 2026-07-28 the request is answered with {@code input_required}; under older
 * ones the client is asked by requests, at most 16 times for one request.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public final class InputRequiredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Question<?>> questions;
    private final transient @Nullable JsonValue state;

    /**
     * @param questions each with a key, unique among them; none only if there is a state
     * @param state what the handler gets back with the answers; null for nothing
     * @throws IllegalArgumentException if a key is missing or there twice, or there is nothing at
     *     all
     */
    public InputRequiredException(List<Question<?>> questions, @Nullable JsonValue state) {
        super("the handler needs input of the client", null, false, false);
        this.questions = List.copyOf(questions);
        this.state = state;
        if (questions.isEmpty() && state == null) {
            throw new IllegalArgumentException("there must be questions or a state");
        }
        if (questions.stream().anyMatch(question -> question.key() == null)) {
            throw new IllegalArgumentException("each question must have a key");
        }
        if (questions.stream().map(Question::key).distinct().count() < questions.size()) {
            throw new IllegalArgumentException("the keys of the questions must be unique");
        }
    }

    /** Returns what the client is asked. */
    public List<Question<?>> questions() {
        return questions;
    }

    /** Returns what the handler gets back; null for nothing. */
    public @Nullable JsonValue state() {
        return state;
    }
}
