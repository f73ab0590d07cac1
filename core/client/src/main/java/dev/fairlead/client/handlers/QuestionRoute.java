package dev.fairlead.client.handlers;

import dev.fairlead.client.handlers.QuestionTable.Question;
import dev.fairlead.json.RawJson;
import dev.fairlead.peer.ProtocolRoute;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.tasks.TaskAugmentedRequest;
import dev.fairlead.tasks.engine.TaskRequest;

/**
 * Answers a sampling or elicitation request of the server, as a task if the server asks for one and
 * the client has declared that capability.
 *
 * @param takesTasks whether the client has declared tasks for this method
 * @param rerunAfterCrash whether a task runs again after a crash
 */
record QuestionRoute<P extends TaskAugmentedRequest, R extends Result>(
        Question<P, R> question, boolean takesTasks, boolean rerunAfterCrash)
        implements ProtocolRoute<P, R, ClientCall> {
    @Override
    public Method<P, R> method() {
        return question.method();
    }

    @Override
    public P params(ClientCall call) {
        return takesTasks
                ? call.face().readParams(method(), call.request().params()).params()
                : ProtocolRoute.super.params(call);
    }

    @Override
    public Outcome<R> run(P params, ClientCall call) throws Exception {
        if (params.task() == null) {
            return Outcome.complete(question.answer().handle(params));
        }
        question.check().accept(params);
        return new Outcome.TaskCreated<>(
                call.createdTasks().create(taskRequest(params, call), null));
    }

    /** Returns the task to create. */
    private TaskRequest taskRequest(P asked, ClientCall call) {
        RawJson params = NeutralForm.writeParams(method(), asked);
        return new TaskRequest(
                method().name(),
                "",
                new QuestionOrigin(params, call.session().server().serverInfo()).write(),
                call.meta().progressToken(),
                TaskRequest.ttl(asked.task()),
                rerunAfterCrash);
    }

    @Override
    public RawJson write(Outcome<R> outcome, ClientCall call) {
        if (outcome instanceof Outcome.Complete<R> complete) {
            R related = call.related(method().result(), complete.result());
            return ProtocolRoute.super.write(Outcome.complete(related), call);
        }
        return ProtocolRoute.super.write(outcome, call);
    }
}
