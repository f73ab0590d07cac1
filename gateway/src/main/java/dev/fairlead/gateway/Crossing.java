package dev.fairlead.gateway;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.tasks.RelatedTask;
import dev.fairlead.server.handler.Call;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Where requests cross the gateway, for one server: those to it are noted, so that what it asks
 * meanwhile finds its way, and what it asks is asked of the client behind the gateway. Tasks are
 * between the gateway and the server: the client knows none that a question could belong to.
 */
record Crossing(String server, CallsUnderWay underWay, Log log) {
    /** The log messages of a server. */
    @FunctionalInterface
    interface Log {
        /** Waits a little for those that came before now to be passed on. */
        void await(String server) throws InterruptedException;
    }

    /** A request to the server. */
    Outcome<?> send(MethodCall method, Interceptor.Next next) throws Exception {
        Call call = underWay.enter(server);
        try {
            Outcome<?> outcome = next.proceed(method);
            awaitLog(call);
            return outcome;
        } catch (JsonRpcException e) {
            awaitLog(call);
            throw e;
        } finally {
            underWay.leave(server, call);
        }
    }

    /** The answer ends the call, with which the log messages before it go out. */
    private void awaitLog(@Nullable Call call) throws InterruptedException {
        if (call != null) {
            log.await(server);
        }
    }

    /** Has what the server asks asked of the client, with nothing lost. */
    void ask(ClientCapabilities able, McpClient.Builder client) {
        if (able.samplingTools()) {
            client.sampleTools();
        }
        if (able.samplingContext()) {
            client.sampleContext();
        }
        if (able.experimental() != null) {
            able.experimental()
                    .members()
                    .forEach(
                            (name, value) -> {
                                if (value instanceof JsonObject object) {
                                    client.experimental(name, object);
                                }
                            });
        }
        client.interceptInbound(this::answer);
    }

    private Outcome<?> answer(MethodCall method, Interceptor.Next next) throws Exception {
        try {
            return switch (method.params()) {
                case ElicitFormRequest form ->
                        Outcome.complete(
                                underWay.asking(server)
                                        .elicit(form.withMeta(RelatedTask.remove(form.meta()))));
                case ElicitUrlRequest page -> visit(page, method, next);
                case CreateMessageRequest request ->
                        Outcome.complete(
                                underWay.asking(server)
                                        .sample(
                                                request.withMeta(
                                                        RelatedTask.remove(request.meta()))));
                default ->
                        method.name().equals(Methods.LIST_ROOTS.name())
                                ? Outcome.complete(new ListRootsResult(roots()))
                                : next.proceed(method);
            };
        } catch (JsonRpcException e) {
            throw e;
        } catch (CallException e) {
            throw new JsonRpcException(
                    ErrorCode.INTERNAL_ERROR,
                    "The client behind the gateway gave no answer: " + e.getMessage());
        } catch (IllegalArgumentException e) { // the question is against the protocol
            throw JsonRpcException.invalidParams(String.valueOf(e.getMessage()));
        }
    }

    private List<Root> roots() throws InterruptedException {
        return underWay.asking(server).roots();
    }

    /** After consent, this side goes on as if it had consented, and so hears when it is done. */
    private Outcome<?> visit(ElicitUrlRequest page, MethodCall method, Interceptor.Next next)
            throws Exception {
        ElicitResult result =
                underWay.asking(server).elicit(page.withMeta(RelatedTask.remove(page.meta())));
        if (result.action() == ElicitAction.ACCEPT) {
            next.proceed(method);
        }
        return Outcome.complete(result);
    }
}
