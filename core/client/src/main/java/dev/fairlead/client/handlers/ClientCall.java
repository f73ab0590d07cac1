package dev.fairlead.client.handlers;

import dev.fairlead.client.link.LinkChannel;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.AttachedMeta;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.CreatedTasks;
import dev.fairlead.peer.IncomingCall;
import dev.fairlead.peer.SessionTasks;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.engine.IncomingRequest;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.tasks.RelatedTask;

import org.jspecify.annotations.Nullable;

/** A request of the server that is being answered. */
public final class ClientCall implements IncomingCall {
    private final LinkChannel session;
    private final IncomingRequest request;
    private final @Nullable SessionTasks tasks;
    private final Owner owner;
    private final CreatedTasks createdTasks = new CreatedTasks(this);

    /**
     * @param tasks null if the client has none
     * @param owner the server, the only requestor
     */
    public ClientCall(
            LinkChannel session,
            IncomingRequest request,
            @Nullable SessionTasks tasks,
            Owner owner) {
        this.session = session;
        this.request = request;
        this.tasks = tasks;
        this.owner = owner;
    }

    public LinkChannel session() {
        return session;
    }

    @Override
    public IncomingRequest request() {
        return request;
    }

    @Override
    public WireFace face() {
        return session.face();
    }

    @Override
    public CallContext context() {
        return CallContext.inbound(request.exchange().caller(), request.id(), session.info());
    }

    @Override
    public Owner owner() {
        return owner;
    }

    @Override
    public SessionTasks tasks() {
        if (tasks == null) {
            throw JsonRpcException.methodNotFound(request.method());
        }
        return tasks;
    }

    /** The tasks that this call becomes. */
    public CreatedTasks createdTasks() {
        return createdTasks;
    }

    @Override
    public void answered(Outcome<?> outcome) {
        if (outcome instanceof Outcome.TaskCreated<?> created) {
            createdTasks.answered(created.task());
        }
    }

    public AttachedMeta meta() {
        return AttachedMeta.of(request.params());
    }

    /** Adds the related-task metadata of the request to its result. */
    public <R extends Result> R related(Class<R> type, R result) {
        return RelatedTask.of(meta().rest())
                .map(task -> result.withMeta(RelatedTask.add(result.meta(), task)))
                .map(type::cast)
                .orElse(result);
    }
}
