package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;

import java.util.List;
import java.util.Optional;

/** On whose behalf a client is asked: a call, a task, or the session itself. */
public interface ClientRequestScope {
    /** The interceptors of the server, outermost first. */
    List<Interceptor> interceptors();

    /** How long answers are awaited where the handler sets no limit. */
    Questions.Limits limits();

    WireFace face();

    /** The session that is asked; empty where that is seen later. */
    Optional<SessionInfo> sessionInfo();

    /** Returns the capabilities that the client declared. */
    ClientCapabilities capabilities();

    /** Asks the client all of this together, and waits for the results, in the same order. */
    List<RawJson> ask(List<ClientRequest<?>> questions) throws InterruptedException;

    /**
     * Reads a result of {@link #ask}.
     *
     * @throws dev.fairlead.protocol.InvalidResultException if it is not a result of the method
     */
    default <R extends Result> R read(Method<?, R> method, RawJson result) {
        return face().readResult(method, result);
    }

    /** The id of a page that a person is led to, unique in this server. */
    String newElicitationId();

    /** Sends a notification that belongs to the question. */
    void notify(JsonRpcNotification notification);
}
