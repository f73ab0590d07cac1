package dev.fairlead.server.features;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.EmptyResult;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.subscriptions.NotificationFilter;
import dev.fairlead.server.call.HeldCalls;
import dev.fairlead.server.call.PipeListener;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Delegate;
import dev.fairlead.server.handler.SubscriptionStream;
import dev.fairlead.server.notifications.Announcements;
import dev.fairlead.server.tools.ToolMethods;

/** The features of a delegate, which become no tasks. */
public record DelegatedFeatures(Delegate delegate, HeldCalls heldCalls) implements FeatureProvider {
    @Override
    public ServerCapabilities capabilities() {
        return delegate.capabilities().withTasks(null);
    }

    @Override
    public void addTo(ServedMethods methods) {
        methods.addList(
                Methods.LIST_TOOLS,
                (params, call) ->
                        ToolMethods.withoutTasks(delegate.listTools(params, call.call())));
        methods.add(
                Methods.CALL_TOOL,
                new DelegatedRoute<>(Methods.CALL_TOOL, delegate, heldCalls, delegate::callTool));
        methods.addList(
                Methods.LIST_RESOURCES,
                (params, call) -> delegate.listResources(params, call.call()));
        methods.addList(
                Methods.LIST_RESOURCE_TEMPLATES,
                (params, call) -> delegate.listResourceTemplates(params, call.call()));
        methods.add(
                Methods.READ_RESOURCE,
                new DelegatedRoute<>(
                        Methods.READ_RESOURCE, delegate, heldCalls, delegate::readResource));
        methods.addList(
                Methods.LIST_PROMPTS, (params, call) -> delegate.listPrompts(params, call.call()));
        methods.add(
                Methods.GET_PROMPT,
                new DelegatedRoute<>(Methods.GET_PROMPT, delegate, heldCalls, delegate::getPrompt));
        methods.add(Methods.COMPLETE, (params, call) -> delegate.complete(params, call.call()));
        addSessionMethods(methods);
    }

    private void addSessionMethods(ServedMethods methods) {
        methods.sessions().add(Methods.SUBSCRIBE, (params, call) -> subscribe(params.uri(), call));
        methods.sessions()
                .add(
                        Methods.UNSUBSCRIBE,
                        (params, call) -> {
                            call.requireSession().announcements().unsubscribe(params.uri());
                            delegate.unsubscribe(params.uri(), call.call());
                            return EmptyResult.EMPTY;
                        });
        methods.sessions()
                .add(
                        Methods.SET_LEVEL,
                        (params, call) -> {
                            call.requireSession().announcements().setLevel(params.level());
                            delegate.setLoggingLevel(params.level(), call.call());
                            return EmptyResult.EMPTY;
                        });
    }

    private EmptyResult subscribe(String uri, ServerCall call) throws Exception {
        Announcements announcements = call.requireSession().announcements();
        boolean done = announcements.watches(uri);
        announcements.subscribe(uri);
        try {
            delegate.subscribe(uri, call.call());
            done = true;
        } finally {
            if (!done) {
                announcements.unsubscribe(uri);
            }
        }
        return EmptyResult.EMPTY;
    }

    @Override
    public NotificationFilter listen(
            NotificationFilter filter, SubscriptionStream stream, ServerCall call)
            throws Exception {
        return delegate.listen(filter, stream, call.call());
    }

    /** Returns true: a reported change is sent to all clients that watch the resource. */
    @Override
    public boolean isVisible(String uri, Caller caller) {
        return true;
    }

    /** Returns false: the state that a delegate keeps for a session is unknown. */
    @Override
    public boolean hasMovableSessions() {
        return false;
    }

    @Override
    public void rootsChanged(ClientSession session) {
        delegate.rootsChanged(session);
    }

    @Override
    public void pipeEnded(Object peer) {
        if (delegate instanceof PipeListener listener) {
            listener.pipeEnded(peer);
        }
    }
}
