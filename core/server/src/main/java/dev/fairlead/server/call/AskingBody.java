package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.requests.Rounds;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Runs the body of a handler that may ask the client, and enters it again where that is how it gets
 * its answers.
 */
public final class AskingBody {
    /** The most exceptions around a thrown question that are removed. */
    private static final int MAX_WRAPPERS = 10;

    private AskingBody() {}

    /** The part of a call that may ask the client before it has a result. */
    @FunctionalInterface
    public interface Body<R> {
        R run(HandlerCall call) throws Exception;
    }

    /** Runs a body to its end, or until its client has to answer first. */
    public static <R> Outcome<R> run(HandlerCall call, Body<R> body) throws Exception {
        Rounds rounds = call.scope().rounds();
        if (rounds != null) {
            return round(call, rounds, body);
        }
        boolean refused = false;
        for (int entries = 1; ; ) { // inline: each frame of a thread that waits is kept in memory
            call.scope().nextRun();
            R result;
            try {
                result = body.run(call);
            } catch (Throwable failure) {
                if (call.isToStartAgain() && !call.isCancelled()) {
                    call.restart();
                    continue;
                }
                Throwable thrown = thrown(failure);
                InputRequiredException needed = refused ? null : needed(thrown, call);
                if (needed == null) {
                    throw failure;
                }
                Rounds.requireNotMore(entries++);
                Retry retry = call.askThrown(needed.questions(), needed.state());
                refused = thrown != needed && isRefused(retry);
                call.retryWith(retry);
                continue;
            }
            call.requireNoOpenQuestion();
            return Outcome.complete(result);
        }
    }

    /**
     * Returns the failure of a body without the exceptions that threads and reflection put around
     * it: a question may be thrown there as well.
     */
    private static Throwable thrown(Throwable failure) {
        Throwable inner = failure;
        for (int i = 0; i < MAX_WRAPPERS && isWrapper(inner) && inner.getCause() != null; i++) {
            inner = inner.getCause();
        }
        return inner;
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof ExecutionException
                || failure instanceof CompletionException
                || failure instanceof InvocationTargetException
                || failure instanceof UndeclaredThrowableException;
    }

    /**
     * Returns the questions that a body has thrown; null for another failure. Pages to visit are an
     * error of their own up to revision 2025-11-25, and questions since then; once one was refused
     * they are not asked again.
     */
    private static @Nullable InputRequiredException needed(Throwable failure, HandlerCall call) {
        if (failure instanceof UrlElicitationRequiredException pages
                && call.revision().era() == Era.PER_REQUEST) {
            List<Question<?>> questions = new ArrayList<>();
            for (ElicitUrlRequest page : pages.elicitations()) {
                questions.add(Question.elicit(page).as("page_" + (questions.size() + 1)));
            }
            return new InputRequiredException(questions, null);
        }
        return failure instanceof InputRequiredException needed ? needed : null;
    }

    private static boolean isRefused(Retry visited) {
        return visited.answers().values().stream().anyMatch(AskingBody::isRefusal);
    }

    /** Returns whether an answer means that the person does not want to visit a page. */
    private static boolean isRefusal(JsonValue answer) {
        return answer instanceof JsonObject object
                && object.get("action") instanceof JsonString action
                && !action.value().equals("accept");
    }

    // ---- rounds

    /** Runs a body in one round. If it throws while questions are open, it is answered by those. */
    private static <R> Outcome<R> round(HandlerCall call, Rounds rounds, Body<R> body)
            throws Exception {
        ServerCall request = (ServerCall) call.scope();
        request.reopen();
        rounds.restart();
        request.nextRun();
        R result;
        try {
            result = body.run(call);
        } catch (Throwable failure) {
            Optional<JsonValue> state = open(thrown(failure), call, rounds);
            if (!rounds.hasOpenQuestions() && state.isEmpty()) {
                throw failure;
            }
            return new Outcome.InputRequired<>(request.result(rounds, state.orElse(null)));
        }
        request.requireNoOpenQuestion();
        return Outcome.complete(result);
    }

    /** Opens the questions that a body has thrown; returns the state of the handler. */
    private static Optional<JsonValue> open(Throwable failure, HandlerCall call, Rounds rounds)
            throws InterruptedException {
        if (failure instanceof InputRequiredException needed) {
            rounds.open(call.leaving(needed.questions()));
            return Optional.ofNullable(needed.state());
        }
        if (failure instanceof UrlElicitationRequiredException pages
                && rounds.responsesToPages().stream()
                        .map(RawJson::value)
                        .noneMatch(AskingBody::isRefusal)) {
            List<Question<?>> questions = new ArrayList<>();
            pages.elicitations().forEach(page -> questions.add(Question.elicit(page)));
            rounds.open(call.leaving(questions));
            return Optional.empty();
        }
        return rounds.hasOpenQuestions() ? keepEntry(call, rounds) : Optional.empty();
    }

    /**
     * Keeps the answers with which the handler was entered after it threw questions: its next run
     * needs the same.
     *
     * @return the state that it threw
     */
    private static Optional<JsonValue> keepEntry(HandlerCall call, Rounds rounds) {
        // without a state the answers may be to anything
        Optional<Retry> entry = rounds.number() == 1 ? Optional.empty() : call.retry();
        entry.ifPresent(known -> rounds.keepEntry(known.answers()));
        return entry.map(Retry::state);
    }
}
