package dev.fairlead.server;

import dev.fairlead.protocol.CallToolRequest;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Revision;

import java.util.Optional;

/** A call of a tool as interceptors see it while it runs as a task. */
record TaskMethod(CallToolRequest params, TaskCall call) implements MethodCall {
    @Override
    public String name() {
        return call.method();
    }

    @Override
    public MethodCall withParams(Object changed) {
        if (!(changed instanceof CallToolRequest request)) {
            throw new IllegalArgumentException(
                    "the parameters must stay "
                            + CallToolRequest.class.getName()
                            + " but were "
                            + changed.getClass().getName());
        }
        return new TaskMethod(request, call);
    }

    @Override
    public boolean isInbound() {
        return true;
    }

    @Override
    public boolean isRequest() {
        return true;
    }

    @Override
    public Caller caller() {
        return call.caller();
    }

    @Override
    public Optional<Revision> revision() {
        return Optional.of(call.revision());
    }
}
