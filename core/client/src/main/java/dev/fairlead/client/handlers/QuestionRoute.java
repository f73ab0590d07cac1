package dev.fairlead.client.handlers;

import dev.fairlead.client.handlers.QuestionTable.Question;
import dev.fairlead.json.RawJson;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.face.WireFace;
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
        implements Route<P, R, ClientCall> {
    private Method<P, R> method() {
        return question.method();
    }

    @Override
    public P params(ClientCall call) {
        WireFace face = call.face();
        return (takesTasks
                        ? face.readParams(method(), call.request().params())
                        : face.readPlainParams(method(), call.request().params()))
                .params();
    }

    @Override
    public Class<R> resultType() {
        return method().result();
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
        return switch (outcome) {
            case Outcome.Complete<R> complete ->
                    call.face()
                            .writeOutcome(
                                    method(),
                                    Outcome.complete(
                                            call.related(method().result(), complete.result())));
            case Outcome.TaskCreated<R> created -> {
                RawJson written = call.face().writeOutcome(method(), created);
                call.createdTasks().answered(created.task());
                yield written;
            }
            case Outcome.InputRequired<R> required -> call.face().writeOutcome(method(), required);
        };
    }
}
