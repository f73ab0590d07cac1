package dev.fairlead.server.call;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionInfo;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.server.handler.ClientSession;
import dev.fairlead.server.handler.Retry;
import dev.fairlead.server.notifications.HandlerNotifier;
import dev.fairlead.server.requests.ClientRequestScope;
import dev.fairlead.server.requests.QuestionLimits;
import dev.fairlead.server.requests.Rounds;
import dev.fairlead.tasks.engine.TaskContext;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * The surroundings of a call: a request, a task, or the requests over which a call is held. How the
 * client is asked is left to a {@link dev.fairlead.server.requests.QuestionCarrier}. Thread-safe.
 */
public interface CallScope extends ClientRequestScope {
    ServerSettings settings();

    /** Returns the client, as the request or the task names it. */
    RequestContext client();

    @Override
    default List<Interceptor> interceptors() {
        return settings().interceptors;
    }

    @Override
    default QuestionLimits limits() {
        return settings().questionLimits();
    }

    @Override
    default WireFace face() {
        return client().face();
    }

    default Revision revision() {
        return face().revision();
    }

    default Caller caller() {
        return client().caller();
    }

    @Override
    default ClientCapabilities capabilities() {
        return client().capabilities();
    }

    /**
     * Returns the key by which the limits of callers count the call: the issuer and subject of the
     * caller, or for an anonymous one where the call comes from; in a task, its owner.
     */
    Object callerKey();

    /**
     * Returns the key by which limits count all sessions of a caller together: the {@link
     * #callerKey}, but for an anonymous caller with a session where the session comes from.
     */
    default Object countedFor() {
        return callerKey();
    }

    String method();

    default Optional<ClientSession> session() {
        return Optional.empty();
    }

    @Override
    default Optional<SessionInfo> sessionInfo() {
        return Optional.empty();
    }

    default List<String> headers(String name) {
        return List.of();
    }

    /** Returns the {@code _meta} of the request without the members of the protocol. */
    JsonObject meta();

    /** Returns whether the client wants progress. */
    boolean wantsProgress();

    Instant deadline();

    boolean isCancelled();

    Optional<String> cancellationReason();

    /** Returns whether the call waits in this process while its client is asked by the results. */
    default boolean isHeld() {
        return false;
    }

    /** Returns the rounds in which the client is asked; null where the body waits for answers. */
    default @Nullable Rounds rounds() {
        return null;
    }

    /** Begins a run of the body, which repeats no log message and no progress. */
    default void nextRun() {}

    /** Sends something to the client; nothing where no notification can reach it. */
    void send(Consumer<HandlerNotifier> action);

    @Override
    default void sendToClient(JsonRpcNotification notification) {
        send(notifier -> notifier.notify(notification));
    }

    /** Runs an action that an interrupt of the call does not hit. */
    <T extends @Nullable Object> T uninterrupted(Callable<T> action) throws Exception;

    default boolean disconnect(Duration retryAfter) {
        return false;
    }

    /** Returns the value under a key, computed unless there is one. */
    RawJson recorded(String key, Callable<RawJson> compute) throws Exception;

    /** Returns a text that is unique, and the same each time for the same key. */
    String idempotencyKey(String key);

    /** {@inheritDoc} It is the same in every run, since it is part of a question. */
    @Override
    default String elicitationId(int page) {
        return idempotencyKey("elicitation " + page);
    }

    /** Returns the answers with which the handler is entered first; empty for none. */
    default Optional<Retry> entry() {
        return Optional.empty();
    }

    /** Returns the run of the task that the call is; null for none. */
    default @Nullable TaskContext task() {
        return null;
    }

    /** Parks the task on an outside job; see {@link dev.fairlead.server.handler.Call#park}. */
    default void park(String job) {
        throw new IllegalStateException("only a task can be parked, and this call is none");
    }

    /** Returns whether the handler has parked its task, so that its result does not count. */
    default boolean isParked() {
        return false;
    }

    /** Unwinds the handler by a {@link TaskStart} where its call can become a task. */
    default void startTask() {}

    /** Returns whether the body has ended because the call becomes a task. */
    default boolean startsTask() {
        return false;
    }
}
