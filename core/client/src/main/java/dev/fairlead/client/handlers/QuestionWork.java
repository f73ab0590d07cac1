package dev.fairlead.client.handlers;

import dev.fairlead.client.handlers.QuestionTable.Question;
import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.tasks.TakenTask;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.TaskContext;
import dev.fairlead.tasks.engine.TaskWork;

import java.util.List;
import java.util.Optional;

/**
 * The work of a client's tasks: its handlers answer the server. A refusal by a person is a success,
 * as for a plain request; an exception of a handler is the error of the task.
 */
public record QuestionWork(ClientSettings settings, UrlElicitations visits) implements TaskWork {
    @Override
    public TaskOutcome run(TaskContext context) throws Exception {
        QuestionOrigin origin = QuestionOrigin.read(context.origin());
        String method = context.task().method();
        QuestionTable questions = new QuestionTable(settings, List::of, origin::server, visits);
        return method.equals(Methods.CREATE_MESSAGE.name())
                ? answer(questions.sampling, origin)
                : answer(questions.elicitation, origin);
    }

    private <P extends RequestParams, R extends Result> TaskOutcome answer(
            Question<P, R> question, QuestionOrigin origin) throws Exception {
        Method<P, R> method = question.method();
        P params = NeutralForm.readParams(method, origin.params());
        CallContext context = CallContext.task(Caller.anonymous(), Optional.empty());
        R result =
                InterceptorChain.runTask(
                        settings.inbound,
                        new InterceptedCall(method.name(), params, true, context),
                        method.result(),
                        seen ->
                                Outcome.complete(
                                        question.answer()
                                                .handle(method.params().cast(seen.params()))));
        return new TaskOutcome.Result(NeutralForm.writeResult(method, result), false);
    }

    /** These tasks are never parked. */
    @Override
    public Optional<TaskOutcome> poll(TakenTask parked) {
        return Optional.empty();
    }
}
