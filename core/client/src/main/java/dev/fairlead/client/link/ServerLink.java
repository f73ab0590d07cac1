package dev.fairlead.client.link;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.ProgressToken;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.TaskSupport;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The agreed way to send requests to a server: in a session, or each request with all that the
 * server must know. Callers do not ask which of the two it is. Thread-safe.
 */
public sealed interface ServerLink permits SessionLink, RequestLink {
    /** Returns the connection of the link. */
    LinkChannel channel();

    /** Returns the server's description of itself. */
    default InitializeResult server() {
        return channel().server();
    }

    /** Returns the face of the agreed revision. */
    default WireFace face() {
        return channel().face();
    }

    /** Returns whether the connection is gone. */
    default boolean hasEnded() {
        return channel().hasEnded();
    }

    // ---- requests

    /** Sends a request and waits for its result. */
    <P extends RequestParams, R extends Result> R call(
            Method<P, R> method, P params, CallOptions options) throws InterruptedException;

    /** Sends a request as it is. */
    JsonObject callRaw(String method, JsonObject params, CallOptions options)
            throws InterruptedException;

    /** Returns whether the server may answer a request with questions, in several rounds. */
    boolean hasRounds();

    /**
     * Sends one round of a request, whose questions the caller gets. Without rounds the request is
     * sent to its end.
     *
     * @throws dev.fairlead.jsonrpc.ConnectionException if the link cannot continue the request
     */
    <P extends RequestParams, R extends Result> Outcome<R> round(
            Method<P, R> method, P params, Round round, CallOptions options)
            throws InterruptedException;

    /** Returns the request that makes sure that the server answers. */
    Method<EmptyParams, ? extends Result> pingMethod();

    // ---- tools as tasks

    /** Returns whether a tool may be called as a task. */
    boolean takesTaskCalls();

    /**
     * Makes sure that a tool may be called as a task.
     *
     * @param support as its definition states it; empty if that is unknown
     * @throws dev.fairlead.protocol.CapabilityException if not
     */
    void requireTaskSupport(String tool, Optional<TaskSupport> support);

    /**
     * Returns whether a tool is called as a task from the start.
     *
     * @param support as its definition states it; empty if that is unknown
     */
    boolean startsAsTask(CallToolRequest call, Optional<TaskSupport> support);

    /** The meaning of a refusal for a call that did not allow a task. */
    enum TaskNeed {
        /** It has another reason. */
        NONE,
        /** The call must allow a task. */
        ALWAYS,
        /** The call must allow a task if the definition of the tool requires one. */
        IF_REQUIRED,
        /** The same if the definition does not forbid one. */
        IF_ALLOWED
    }

    /** Returns whether a call was refused because it did not allow a task. */
    TaskNeed taskNeed(JsonRpcException refusal);

    /** Returns a call as the server wants those that may become tasks. */
    CallToolRequest allowingTask(CallToolRequest call);

    /**
     * Calls a tool as a task, and waits for the answer up to the maximum, also where no caller
     * waits any more.
     *
     * @param token receives the token under which progress comes; null where there is no listener
     * @throws dev.fairlead.protocol.CapabilityException if the server takes no such calls
     */
    Outcome<RawJson> callAsTask(
            CallToolRequest call, CallOptions options, @Nullable Consumer<ProgressToken> token)
            throws InterruptedException;

    // ---- the state of the server's side

    /** Sets the level of log messages. */
    void setLevel(LoggingLevel level, Caller caller) throws InterruptedException;

    /** Asks for the changes of a resource, and waits for the consent of the server. */
    void watch(String uri, Caller caller, Duration timeout) throws InterruptedException;

    /** Asks for the changes of a resource no more. */
    void unwatch(String uri, Caller caller) throws InterruptedException;

    /** Other changes may be wanted now. Returns at once. */
    void changesWanted();

    /** Returns whether changes of the server are wanted that come on a stream of their own. */
    boolean wantsChanges();

    /** Ends the stream of changes, if there is one. */
    void stopListening();

    /** Notifies the server that the roots changed, if it does not ask for them anyway. */
    void rootsChanged();

    /** Gives the server the state that it had by the link before. */
    void restore() throws InterruptedException;

    /** Returns whether another link can take the place of this one after its connection is lost. */
    boolean isReplaceable();

    /** Returns whether arguments of tools are repeated in headers. */
    boolean repeatsArguments();
}
