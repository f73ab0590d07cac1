package dev.fairlead.server.call;

import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.mrtr.InputRequiredResult;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.requests.Rounds;

import java.util.concurrent.Callable;

/**
 * Runs the body of a handler that may ask the client, and enters it again where that is how it gets
 * its answers.
 */
public final class AskingBody {
    private AskingBody() {}

    /** What may ask the client before it has a result. */
    @FunctionalInterface
    public interface Body<R> {
        /**
         * @param call what the handler gets
         */
        R run(HandlerCall call) throws Exception;
    }

    /** Runs a body to its end, or up to what its client has to answer first. */
    public static <R> Outcome<R> run(HandlerCall call, Body<R> body) throws Exception {
        call.beforeBody();
        int rounds = 0;
        while (true) {
            call.nextRun();
            R result;
            try {
                result = body.run(call);
            } catch (Throwable failure) {
                if (call.isToStartAgain() && !call.isCancelled()) {
                    call.restart();
                    continue;
                }
                InputRequiredResult input = call.inputRequired(failure);
                if (input != null) {
                    return new Outcome.InputRequired<>(input);
                }
                Callable<Retry> answers = call.reentry(failure);
                if (answers == null) {
                    throw failure;
                }
                Rounds.requireNotMore(++rounds);
                call.retryWith(answers.call());
                continue;
            }
            call.requireNoOpenQuestion();
            return Outcome.complete(result);
        }
    }
}
