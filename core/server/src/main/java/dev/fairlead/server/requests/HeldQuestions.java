package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.mrtr.InputRequest;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The questions that a held call asks together, with the answers so far. Immutable and thread-safe.
 */
public final class HeldQuestions {
    /** No questions. */
    public static final HeldQuestions NONE = of(List.of());

    private final List<ClientRequest<?>> questions;
    private final List<String> keys; // on the wire, in the order of the questions
    private final @Nullable RawJson[] answers; // never changed

    private HeldQuestions(
            List<ClientRequest<?>> questions, List<String> keys, @Nullable RawJson[] answers) {
        this.questions = questions;
        this.keys = keys;
        this.answers = answers;
    }

    /**
     * Returns questions without answers.
     *
     * @throws IllegalArgumentException if one of them is against the protocol
     */
    public static HeldQuestions of(List<ClientRequest<?>> questions) {
        List<String> keys = new ArrayList<>(questions.size());
        QuestionIds ids = new QuestionIds();
        for (ClientRequest<?> question : questions) {
            keys.add(ids.next(question.key(), WireQuestion.of(question).digest()).key());
        }
        return new HeldQuestions(
                questions, List.copyOf(keys), new @Nullable RawJson[questions.size()]);
    }

    /**
     * Returns the same questions with the answers among responses. Other responses are ignored.
     *
     * @throws dev.fairlead.jsonrpc.JsonRpcException {@code -32602} if a response is not an answer
     *     to its question
     */
    HeldQuestions answeredBy(InputResponses responses) {
        @Nullable RawJson[] more = Arrays.copyOf(answers, answers.length);
        for (int i = 0; i < more.length; i++) {
            String key = keys.get(i);
            if (more[i] == null && responses.has(key)) {
                more[i] = responses.answer(key, questions.get(i).method());
            }
        }
        return new HeldQuestions(questions, keys, more);
    }

    /** Returns the same, whose answers keep nothing of the requests that they came in. */
    public HeldQuestions detached() {
        @Nullable RawJson[] own = Arrays.copyOf(answers, answers.length);
        for (int i = 0; i < own.length; i++) {
            own[i] = own[i] == null ? null : own[i].detached();
        }
        return new HeldQuestions(questions, keys, own);
    }

    /** Returns how many bytes the answers so far have. */
    public long size() {
        long size = 0;
        for (RawJson answer : answers) {
            size += answer == null ? 0 : answer.size();
        }
        return size;
    }

    /** Returns whether each question has its answer. */
    public boolean isAnswered() {
        return Arrays.stream(answers).allMatch(Objects::nonNull);
    }

    /** Returns the answers in the order of the questions, once each has one. */
    public List<RawJson> answers() {
        List<RawJson> all = new ArrayList<>(answers.length);
        for (RawJson answer : answers) {
            all.add(Objects.requireNonNull(answer, "a question has no answer"));
        }
        return all;
    }

    /** Returns the questions without an answer, by their keys on the wire. */
    Map<String, InputRequest> open() {
        Map<String, InputRequest> open = new LinkedHashMap<>();
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] == null) {
                open.put(keys.get(i), WireQuestion.of(questions.get(i)).request());
            }
        }
        return open;
    }

    /**
     * Checks that a client which is asked again still declares the capabilities of the open
     * questions.
     *
     * @throws CapabilityException if it does not
     */
    public void requireDeclared(ClientCapabilities declared) {
        for (int i = 0; i < answers.length; i++) {
            if (answers[i] == null) {
                RequiredCapabilities.check(
                        declared, true, questions.get(i).method(), questions.get(i).params());
            }
        }
    }
}
