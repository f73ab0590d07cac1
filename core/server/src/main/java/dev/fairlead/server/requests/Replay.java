package dev.fairlead.server.requests;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.tasks.engine.RunQuestion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Starts the body of a call again after every answer that it gets, with the answers so far: for the
 * test kit, which simulates a crash or a revision without sessions. For use by the thread of the
 * call.
 */
public final class Replay implements QuestionCarrier {
    private final QuestionCarrier carrier;
    private final List<Exchanged> exchanges = new ArrayList<>();
    private int next; // of the exchanges
    private int number; // of the questions before that
    private boolean disabled;
    private volatile boolean due; // whether the body is to start again

    /** Questions that were asked together, and their answers or the error in place of them. */
    private record Exchanged(
            List<Asked> questions, List<RawJson> answers, @Nullable JsonRpcException error) {}

    private record Asked(String method, JsonValue params) {
        static Asked of(ClientRequest<?> question) {
            return new Asked(
                    question.method().name(), RunQuestion.asked(question.neutral().value()));
        }
    }

    public Replay(QuestionCarrier carrier) {
        this.carrier = carrier;
    }

    /** Unwinds a body that is to start again; no exception, so that no handler mistakes it. */
    public static final class Again extends Error {
        private static final long serialVersionUID = 1;

        private Again() {
            super("the body starts again", null, false, false);
        }
    }

    /**
     * Returns the answers that the body got before at this place; or has them sent for, after which
     * the body starts again.
     *
     * @throws JsonRpcException if the body asked something else at this place before, or the answer
     *     was an error
     */
    @Override
    public List<RawJson> ask(List<ClientRequest<?>> questions) throws InterruptedException {
        if (disabled) {
            return carrier.ask(questions);
        }
        List<Asked> asked = questions.stream().<Asked>map(Asked::of).toList();
        if (next == exchanges.size()) {
            exchanges.add(exchange(questions, asked));
            due = true;
            throw new Again();
        }
        Exchanged before = exchanges.get(next++);
        requireSame(before.questions(), asked);
        number += asked.size();
        if (before.error() != null) {
            throw before.error().withCallerStack();
        }
        return before.answers();
    }

    private Exchanged exchange(List<ClientRequest<?>> questions, List<Asked> asked)
            throws InterruptedException {
        try {
            return new Exchanged(asked, carrier.ask(questions), null);
        } catch (JsonRpcException e) {
            return new Exchanged(asked, List.of(), e);
        }
    }

    private void requireSame(List<Asked> before, List<Asked> asked) {
        if (before.equals(asked)) {
            return;
        }
        int index = 0;
        while (index < asked.size() - 1
                && index < before.size()
                && before.get(index).equals(asked.get(index))) {
            index++;
        }
        throw new JsonRpcException(
                ErrorCode.INTERNAL_ERROR,
                "Question "
                        + (number + index + 1)
                        + " ("
                        + asked.get(index).method()
                        + ") is not the one that an earlier run asked at its place");
    }

    /** Returns whether {@link Again} was thrown, which threads of the body may have wrapped. */
    public boolean isDue() {
        return due;
    }

    /** Has the body run only once: its questions go to the client without a record. */
    public void disable() {
        disabled = true;
    }

    /** The body starts again. */
    public void restart() {
        due = false;
        next = 0;
        number = 0;
    }
}
