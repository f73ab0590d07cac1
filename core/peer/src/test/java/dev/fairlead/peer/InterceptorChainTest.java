package dev.fairlead.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

class InterceptorChainTest {
    private static final MethodCall CALL =
            new InterceptedCall(
                    "tools/call",
                    new CallToolRequest("add", JsonObject.EMPTY),
                    true,
                    CallContext.task(Caller.anonymous(), Optional.empty()));

    private static Outcome<CallToolResult> run(Interceptor... interceptors) throws Exception {
        return InterceptorChain.run(
                List.of(interceptors),
                CALL,
                CallToolResult.class,
                call -> Outcome.complete(CallToolResult.text(name(call))));
    }

    private static String name(MethodCall call) {
        return ((CallToolRequest) call.params()).name();
    }

    @Test
    void theFirstInterceptorIsTheOutermost() throws Exception {
        List<String> order = new ArrayList<>();
        Interceptor first =
                (call, next) -> {
                    order.add("first");
                    return next.proceed(
                            call.withParams(new CallToolRequest("b", JsonObject.EMPTY)));
                };
        Interceptor second =
                (call, next) -> {
                    order.add("second " + name(call));
                    return next.proceed(call);
                };

        assertThat(run(first, second)).isEqualTo(Outcome.complete(CallToolResult.text("b")));
        assertThat(order).containsExactly("first", "second b");
    }

    @Test
    @SuppressWarnings("NullAway") // as an interceptor of a user may do
    void nullFailsTheRequestAndNamesIt() {
        assertThatThrownBy(() -> run((call, next) -> null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("An interceptor returned null for tools/call");
    }

    @Test
    void theResultOfAnotherMethodFailsTheRequestAndNamesBoth() {
        Interceptor wrong = (call, next) -> Outcome.complete(new ListToolsResult(List.of(), null));

        assertThatThrownBy(() -> run(wrong))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "An interceptor returned dev.fairlead.protocol.tools.ListToolsResult for"
                                + " tools/call, whose result is"
                                + " dev.fairlead.protocol.tools.CallToolResult");
    }

    @Test
    void theRunOfATaskGivesNoTask() {
        Instant now = Instant.EPOCH;
        var task = new Task(new TaskId("a"), TaskStatus.WORKING, now, now);
        Interceptor another =
                new Interceptor() {
                    @Override
                    public Outcome<?> intercept(MethodCall call, Next next) throws Exception {
                        return next.proceed(call);
                    }

                    @Override
                    public Outcome<?> interceptRun(MethodCall call, Next next) {
                        return new Outcome.TaskCreated<>(new CreateTaskResult(task));
                    }
                };

        assertThatThrownBy(
                        () ->
                                InterceptorChain.runTask(
                                        List.of(another),
                                        CALL,
                                        CallToolResult.class,
                                        call -> Outcome.complete(CallToolResult.of())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "An interceptor returned a task for tools/call, which did not ask for one");
    }

    @Test
    void parametersOfAnotherClassAreRefused() {
        Interceptor wrong = (call, next) -> next.proceed(call.withParams(JsonObject.EMPTY));

        assertThatThrownBy(() -> run(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "The parameters of tools/call must be"
                                + " dev.fairlead.protocol.tools.CallToolRequest but were ");
    }

    @Test
    void aCheckedExceptionOfAnInterceptorIsTheCauseWhereNoneCanBePassedOn() {
        IOException cause = new IOException("the disk is full");
        Interceptor failing =
                (call, next) -> {
                    throw cause;
                };

        assertThatThrownBy(
                        () ->
                                InterceptorChain.runUnchecked(
                                        List.of(failing),
                                        CALL,
                                        CallToolResult.class,
                                        call -> Outcome.complete(CallToolResult.of())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("An interceptor of tools/call failed")
                .hasCause(cause);
    }
}
