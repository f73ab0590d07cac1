package dev.fairlead.http.legacy;

import dev.fairlead.http.endpoint.OpenExchanges;
import dev.fairlead.http.endpoint.PostRequest;
import dev.fairlead.http.endpoint.Reply;
import dev.fairlead.http.endpoint.RequestPermits;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;

import java.util.ArrayList;
import java.util.List;

/** The requests of one POST, which are answered on the stream of their session. */
final class LegacyExchange implements Exchange, OpenExchanges.Open {
    private final PostRequest post;
    private final LegacySession session;
    private final OpenExchanges open;
    private final RequestPermits.Held permits;
    private final Runnable onAgreed;
    private final List<RequestId> unanswered; // guarded by itself

    /**
     * @param open holds this exchange as long as it is not answered
     * @param permits given back when all requests have ended
     * @param onAgreed called when {@code initialize} succeeds
     */
    LegacyExchange(
            PostRequest post,
            LegacySession session,
            OpenExchanges open,
            RequestPermits.Held permits,
            Runnable onAgreed) {
        this.post = post;
        this.session = session;
        this.open = open;
        this.permits = permits;
        this.onAgreed = onAgreed;
        this.unanswered = new ArrayList<>(post.requests());
    }

    @Override
    public void send(JsonRpcMessage message) {
        try {
            respondEarly(message);
        } finally {
            RequestId answered = Reply.answeredBy(message);
            if (answered != null) {
                permits.ended(answered);
            }
        }
    }

    @Override
    public void respondEarly(JsonRpcMessage message) {
        if (message instanceof JsonRpcResponse && post.initializes()) {
            onAgreed.run();
        }
        try {
            session.send(message);
        } finally {
            RequestId answered = Reply.answeredBy(message);
            if (answered != null) {
                settle(answered);
            }
        }
    }

    @Override
    public void abandon(RequestId request) {
        permits.ended(request);
        settle(request);
    }

    @Override
    public void ended(RequestId request) {
        permits.ended(request);
    }

    private void settle(RequestId request) {
        boolean all;
        synchronized (unanswered) {
            unanswered.remove(request);
            all = unanswered.isEmpty();
        }
        if (all) {
            answered();
        }
    }

    /** Does nothing if it did so before. */
    private void answered() {
        session.end(this);
        open.remove(this);
    }

    @Override
    public void sessionClosed() {
        synchronized (unanswered) {
            unanswered.clear();
        }
        answered();
    }

    @Override
    public boolean isOpen() {
        synchronized (unanswered) {
            return !unanswered.isEmpty() && session.isReachable();
        }
    }

    @Override
    public void checkConnected() {
        session.checkReachable();
    }

    @Override
    public Caller caller() {
        return post.caller();
    }

    @Override
    public List<String> header(String name) {
        return post.http().headers(name);
    }
}
