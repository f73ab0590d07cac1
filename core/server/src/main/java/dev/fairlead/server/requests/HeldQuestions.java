package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.mrtr.InputRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The questions that a held call asks together, with the answers so far. Immutable and thread-safe.
 */
public record HeldQuestions(List<Held> all) {
    public static final HeldQuestions NONE = of(List.of());

    /**
     * A question.
     *
     * @param key on the wire
     * @param answer null for none yet
     */
    record Held(ClientRequest<?> question, String key, @Nullable RawJson answer) {
        Held with(@Nullable RawJson given) {
            return new Held(question, key, given);
        }
    }

    /** Returns questions without answers. Equal ones get different keys. */
    public static HeldQuestions of(List<ClientRequest<?>> questions) {
        QuestionIds ids = new QuestionIds();
        List<Held> all = new ArrayList<>(questions.size());
        for (ClientRequest<?> question : questions) {
            String digest = WireQuestion.of(question).digest();
            all.add(new Held(question, ids.next(question.key(), digest).key(), null));
        }
        return new HeldQuestions(all);
    }

    private HeldQuestions each(UnaryOperator<Held> change) {
        return new HeldQuestions(all.stream().map(change).toList());
    }

    /**
     * Returns the same questions with the answers among responses.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if one is not an answer
     */
    HeldQuestions answeredBy(InputResponses responses) {
        return each(
                held ->
                        held.answer() == null && responses.has(held.key())
                                ? held.with(responses.answer(held.key(), held.question().method()))
                                : held);
    }

    /** Returns the same, whose answers keep nothing of the requests that they came in. */
    public HeldQuestions detached() {
        return each(held -> held.answer() == null ? held : held.with(held.answer().detached()));
    }

    private Stream<Held> withoutAnswer() {
        return all.stream().filter(held -> held.answer() == null);
    }

    /** Returns how many bytes the answers so far have. */
    public long size() {
        return all.stream()
                .mapToLong(held -> held.answer() == null ? 0 : held.answer().size())
                .sum();
    }

    /** Returns whether each question has its answer. */
    public boolean isAnswered() {
        return withoutAnswer().findAny().isEmpty();
    }

    /** Returns the answers in the order of the questions, once each has one. */
    public List<RawJson> answers() {
        return all.stream()
                .map(held -> Objects.requireNonNull(held.answer(), "a question has no answer"))
                .toList();
    }

    /** Returns the questions without an answer, by their keys on the wire. */
    Map<String, InputRequest> open() {
        Map<String, InputRequest> open = new LinkedHashMap<>();
        withoutAnswer()
                .forEach(held -> open.put(held.key(), WireQuestion.of(held.question()).request()));
        return open;
    }

    /**
     * Checks that a client which is asked again still declares the capabilities of the open
     * questions: each request declares its own.
     */
    public void requireDeclared(ClientCapabilities declared) {
        withoutAnswer()
                .map(Held::question)
                .forEach(
                        question ->
                                RequiredCapabilities.check(
                                        declared, true, question.method(), question.params()));
    }
}
