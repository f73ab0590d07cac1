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
    QuestionLimits limits();

    WireFace face();

    /** The session that is asked; empty where that is seen later. */
    Optional<SessionInfo> sessionInfo();

    /** Returns the capabilities that the client declared. */
    ClientCapabilities capabilities();

    /**
     * Reads a result that the carrier of a question has given.
     *
     * @throws dev.fairlead.protocol.InvalidResultException if it is not a result of the method
     */
    default <R extends Result> R read(Method<?, R> method, RawJson result) {
        return face().readResult(method, result);
    }

    /**
     * Returns the id of a page that a person is led to, unique in this server.
     *
     * @param page how many there are in this run of the body with it
     */
    String elicitationId(int page);

    /** Sends a notification that belongs to the question. */
    void sendToClient(JsonRpcNotification notification);
}
