package dev.fairlead.server;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.RequestParams;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;

import java.util.Optional;

/**
 * A question to the client as interceptors see it.
 *
 * @param session empty in the run of a task, which asks whichever session there is
 */
record OutboundMethod(
        String name, RequestParams params, Revision agreed, Optional<SessionInfo> session)
        implements MethodCall {
    @Override
    public MethodCall withParams(Object changed) {
        if (changed.getClass() != params.getClass()) {
            throw new IllegalArgumentException(
                    "the parameters must stay "
                            + params.getClass().getName()
                            + " but were "
                            + changed.getClass().getName());
        }
        return new OutboundMethod(name, (RequestParams) changed, agreed, session);
    }

    @Override
    public boolean isInbound() {
        return false;
    }

    @Override
    public boolean isRequest() {
        return true;
    }

    @Override
    public Caller caller() {
        return Caller.anonymous();
    }

    @Override
    public Optional<Revision> revision() {
        return Optional.of(agreed);
    }
}
