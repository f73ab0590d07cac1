package dev.fairlead.server.handler;

import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Thrown by a handler that needs answers of the client and is then entered again with them, see
 * {@link Call#retry}. It is the explicit form of {@link ServerRequests#ask}, for handlers that pass
 * on the questions of something else: raw tools, prompts, resources, sources and delegates. Use one
 * of the two forms in a handler. The exception must leave the handler: do not catch it.
 *
 * <p>Under revision 2026-07-28 the request is answered with {@code input_required}. Under older
 * revisions, and in a task, the client is asked by requests, all at the same time, and the handler
 * is entered again at most 16 times for a call; then the call fails with {@code -32603}. A question
 * that the client cannot be asked fails the call as {@link ServerRequests#ask} does.
 *
 * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr Multi
 *     round-trip requests
 */
public final class InputRequiredException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Question<?>> questions;
    private final transient @Nullable JsonValue state;

    /**
     * @param questions each with a key that is unique among them; empty only with a state, which
     *     has the client try again at once or later
     * @param state returned to the handler with the answers; null for none. A client of revision
     *     2026-07-28 carries it, sealed
     * @throws IllegalArgumentException if a question has no key, two have the same, or there are
     *     neither questions nor a state
     */
    public InputRequiredException(List<Question<?>> questions, @Nullable JsonValue state) {
        super("The handler needs input of the client", null, false, false);
        this.questions = List.copyOf(questions);
        this.state = state;
        if (questions.isEmpty() && state == null) {
            throw new IllegalArgumentException("There must be questions or a state");
        }
        if (questions.stream().anyMatch(question -> question.key() == null)) {
            throw new IllegalArgumentException("Each question must have a key");
        }
        if (questions.stream().map(Question::key).distinct().count() < questions.size()) {
            throw new IllegalArgumentException("The keys of the questions must be unique");
        }
    }

    /** Returns the questions for the client. */
    public List<Question<?>> questions() {
        return questions;
    }

    /** Returns the state for the next entry; null for none. */
    public @Nullable JsonValue state() {
        return state;
    }
}
