package dev.fairlead.server.requests;

import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.QuestionDigest;

import java.util.ArrayList;
import java.util.List;

/**
 * Has the body of a call start again after every answer that it gets, with the answers so far: for
 * the test kit, which shows so what a crash or a revision without sessions would do. For use by the
 * thread of the call.
 */
public final class Replay {
    private final List<Exchanged> answers = new ArrayList<>();
    private int next;

    /** A question that was answered. */
    private record Exchanged(String method, JsonValue params, TaskOutcome answer) {}

    /** Unwinds a body that is to start again; no exception, so that no handler mistakes it. */
    public static final class Again extends Error {
        private static final long serialVersionUID = 1;

        private Again() {
            super("the body starts again", null, false, false);
        }
    }

    /** Sends a question. */
    @FunctionalInterface
    public interface Sending {
        RawJson send() throws InterruptedException;
    }

    /**
     * The answer that the body got before at this place, or a new one, after which it starts again.
     *
     * @throws JsonRpcException if the body asked something else at this place before, or the answer
     *     was an error
     */
    public RawJson ask(String method, RawJson params, Sending question)
            throws InterruptedException {
        JsonValue asked = QuestionDigest.asked(params.value());
        if (next == answers.size()) {
            answers.add(new Exchanged(method, asked, answer(question)));
            throw new Again();
        }
        Exchanged before = answers.get(next++);
        if (!before.method().equals(method) || !before.params().equals(asked)) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "ClientRequest "
                            + next
                            + " ("
                            + method
                            + ") is not the one that an earlier run asked at its place");
        }
        return switch (before.answer()) {
            case TaskOutcome.Result result -> result.value();
            case TaskOutcome.Error error -> throw new JsonRpcException(error.error(), null);
        };
    }

    private static TaskOutcome answer(Sending question) throws InterruptedException {
        try {
            return new TaskOutcome.Result(question.send(), false);
        } catch (JsonRpcException e) {
            return new TaskOutcome.Error(e.error());
        }
    }

    /** The body starts again. */
    public void restart() {
        next = 0;
    }
}
