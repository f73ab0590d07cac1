package dev.fairlead.client;

import dev.fairlead.json.RawJson;
import dev.fairlead.peer.Route;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Result;
import dev.fairlead.protocol.TaskAugmentedRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.tasks.engine.TaskRequest;

import java.util.Objects;

/**
 * Answers a question of the server, or makes a task of it where that was declared (TASK-009,
 * TASK-020).
 *
 * @param check finds the faults that are to be told before it becomes a task (TASK-026)
 * @param takesTasks whether the server was told that it can ask for a task (TASK-004)
 * @param rerunTasks whether a task may run again after a crash
 */
record QuestionRoute<P extends TaskAugmentedRequest, R extends Result>(
        Method<P, R> method,
        Check<P> check,
        Answer<P, R> answer,
        boolean takesTasks,
        boolean rerunTasks)
        implements Route<P, R, ClientCall> {
    @FunctionalInterface
    interface Check<P> {
        void require(P params);
    }

    @FunctionalInterface
    interface Answer<P, R> {
        R to(P params) throws Exception;
    }

    @Override
    public P params(ClientCall call) {
        WireFace face = call.face();
        return (takesTasks
                        ? face.readParams(method, call.request().params())
                        : face.readPlainParams(method, call.request().params()))
                .params();
    }

    @Override
    public Class<R> resultType() {
        return method.result();
    }

    @Override
    public Outcome<R> run(P params, ClientCall call) throws Exception {
        if (params.task() == null) {
            return Outcome.complete(answer.to(params));
        }
        check.require(params);
        return new Outcome.TaskCreated<>(
                call.createdTasks().create(taskRequest(params, call), null));
    }

    /** What is stored of a question that was found to be without fault. */
    private TaskRequest taskRequest(P asked, ClientCall call) {
        RawJson params =
                Objects.requireNonNull(call.face().writeParams(method, asked, null), "params");
        return new TaskRequest(
                method.name(),
                "",
                new QuestionOrigin(params, call.session().server().serverInfo()).write(),
                call.meta().progressToken(),
                TaskRequest.ttl(asked.task()),
                rerunTasks);
    }

    @Override
    public RawJson write(Outcome<R> outcome, ClientCall call) {
        return switch (outcome) {
            case Outcome.Complete<R> complete ->
                    call.face()
                            .writeOutcome(
                                    method,
                                    Outcome.complete(
                                            call.related(method.result(), complete.result())));
            case Outcome.TaskCreated<R> created -> {
                RawJson written = call.face().writeOutcome(method, created);
                call.createdTasks().answered(created.task());
                yield written;
            }
        };
    }
}
