package dev.fairlead.server.handler;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One call of a handler. It contains the data of the request, sends progress, log messages and
 * notifications to the client, and, as {@link ServerRequests}, asks the client. Not for
 * implementation by users.
 *
 * <p>A call that runs as a {@link #task} continues without its request, after a crash also in
 * another process: it has no headers, and its session is the one where the requestor can be reached
 * at the moment. Its questions wait for an answer as long as the task lives, without other time
 * limits. Notifications that it sends take the best connection to the requestor at that moment, and
 * are dropped where there is none.
 *
 * <p>Safe for use by several threads, but only the thread of the call is interrupted when the call
 * is cancelled. In a task the questions of several threads are sent one after the other, those that
 * are asked together at the same time; when the task runs again, their order must be the same.
 * Notifications after the call has ended are not sent; questions then fail, with an {@link
 * IllegalStateException} if the call {@link #startsAgain}.
 */
public interface Call extends ServerRequests {
    // ---- data of the request

    /** The caller. */
    Caller caller();

    /** The method, such as {@code tools/call}. */
    String method();

    /**
     * Returns the program that calls, as its session or, since revision 2026-07-28, its request
     * names it; empty where neither does, as over HTTP without sessions up to 2025-11-25. For
     * display and logs alone: clients may name anything.
     */
    Optional<Implementation> client();

    /**
     * Returns the session of the call, which outlives it; empty over HTTP without sessions, and
     * since revision 2026-07-28, which has none.
     */
    Optional<ClientSession> clientSession();

    /** The revision in force. */
    Revision revision();

    /**
     * The values of a header of the HTTP request, ignoring the case of its name; empty if there is
     * no such header, and on other transports.
     */
    List<String> headers(String name);

    /**
     * The {@code _meta} of the request without the members of the protocol; empty if there are no
     * others.
     */
    JsonObject meta();

    /** Whether the caller asked for {@link #progress}, which is dropped otherwise. */
    boolean wantsProgress();

    /** Whether a log message of a level would be sent to the client now. */
    boolean wantsLog(LoggingLevel level);

    /**
     * Whether a question ends the handler, which starts again with the answer: under revision
     * 2026-07-28, unless the call is held. Otherwise the thread that asks waits for the answer.
     */
    boolean startsAgain();

    /**
     * When the time for this call is over: for a task its own end at the latest, and later by the
     * time that it waited for answers.
     */
    Instant deadline();

    /**
     * Whether the call is to stop: cancelled by the client, out of time, or the connection lost.
     */
    boolean isCancelled();

    /**
     * Why the call is to stop, in the words of the client where it gave any; empty as long as it
     * may run.
     */
    Optional<String> cancellationReason();

    // ---- messages to the client

    /**
     * Reports progress, if the client asked for it. Each report must be higher than the one before,
     * or it is dropped; so is one that an earlier run of a handler that {@link #startsAgain} has
     * sent. Reports beyond the limit of the server in a second are dropped too, but never one that
     * reaches its total.
     */
    void progress(Progress progress);

    /** Reports progress like {@link #progress(Progress)}, with an unknown total. */
    default void progress(double progress) {
        progress(new Progress(progress, null, null));
    }

    /** Reports progress like {@link #progress(Progress)}. */
    default void progress(double progress, double total) {
        progress(new Progress(progress, total, null));
    }

    /** Reports progress like {@link #progress(Progress)}, with a text for people. */
    default void progress(double progress, double total, @Nullable String message) {
        progress(new Progress(progress, total, message));
    }

    /**
     * Sends a log message to the client, if it is at least as severe as the level of the session
     * or, since revision 2026-07-28, of the request; a request without a level gets none. Dropped
     * where the answer can carry nothing but the response, and if an earlier run of a handler that
     * {@link #startsAgain} has sent the same message. Never log secrets.
     */
    default void log(LoggingLevel level, String message) {
        log(level, null, JsonValue.of(message));
    }

    /**
     * Logs like {@link #log(LoggingLevel, String)}.
     *
     * @param logger the name of the logger; null for none
     * @param data any JSON
     */
    void log(LoggingLevel level, @Nullable String logger, JsonValue data);

    /**
     * Sends a notification of your own to the client of this call.
     *
     * <p>Since revision 2026-07-28 the notifications of the protocol belong to subscriptions, and
     * this method drops them: announce changes with {@code McpServer.update}, {@code
     * resourcesChanged} and {@code resourceUpdated}, which reach the clients of each revision.
     *
     * @param params null where there are none
     * @throws dev.fairlead.jsonrpc.ConnectionException if the connection is lost, or can carry
     *     nothing but the response
     */
    void notify(String method, @Nullable JsonObject params);

    // ---- state that outlives a run

    /** The task that this call runs as; empty for a plain call. */
    Optional<TaskId> task();

    /**
     * Describes the present activity of the task, for people: its {@code statusMessage} from now
     * on, which is sent to the client where it can be reached. Without effect on a plain call.
     */
    void status(String message);

    /**
     * Returns the value that is recorded under a key; if there is none, runs the action and records
     * its value, which is then never computed again. A task that runs again after a crash has the
     * values that it had; so has a call of revision 2026-07-28 in each round of its questions,
     * where the values are in the sealed state of the request. Any other call keeps them until it
     * ends. Threads that need the same value at the same time wait for the one that computes it.
     *
     * <p>Effect and record cannot be one: after a crash between the two the action runs once more.
     * {@link #idempotencyKey} lets the other side recognize the second run.
     *
     * @param key unique within the handler
     * @param type of the value, which is kept as JSON
     * @throws E the exception of the action; then nothing is recorded
     * @throws IllegalStateException if the round was answered with questions, and the value would
     *     be lost
     */
    default <T, E extends Exception> T once(String key, Class<T> type, Action<T, E> action)
            throws E, InterruptedException {
        return once(key, TypeRef.of(type), action);
    }

    /**
     * Records a value like {@link #once(String, Class, Action)}, for a type with type arguments.
     */
    <T, E extends Exception> T once(String key, TypeRef<T> type, Action<T, E> action)
            throws E, InterruptedException;

    /** Runs an action like {@link #once(String, Class, Action)}, for an effect without a value. */
    <E extends Exception> void once(String key, Effect<E> effect) throws E, InterruptedException;

    /**
     * Returns a text that is the same in every run of the task and in every round of the call, also
     * if a client repeats its retry, and different for each key and each call.
     *
     * @throws IllegalStateException outside of the action of a {@link #once} on this thread
     */
    String idempotencyKey();

    /**
     * Makes the call a task, if it is one of a tool with {@link
     * dev.fairlead.server.ToolDeclaration#taskLater} whose client takes tasks of revision
     * 2026-07-28; without effect otherwise, and in a task. The handler starts again in the task,
     * with the answers, the {@link #once} values and the {@link #retry} so far, and must ask the
     * same questions in the same order. This method does not return, but throws an {@link Error}
     * that the handler must let pass, as those that ask do.
     */
    void startTask();

    /**
     * Makes the task wait for an outside job once the handler returns: no thread waits, and the
     * task continues when the job is done, also after a restart and on another node; see {@link
     * dev.fairlead.server.ToolDeclaration#pollJob} and {@link dev.fairlead.server.McpServer#jobs}.
     * Written {@code return call.park(job);}.
     *
     * @param job unique among the tasks of the tool that have not ended
     * @return a value that the handler returns, and that is ignored
     * @throws IllegalStateException if the call is not a task
     */
    <T extends @Nullable Object> T park(String job);

    /**
     * Returns the answers to the {@link InputRequiredException} that the handler threw last; empty
     * when the handler is entered for the first time.
     */
    Optional<Retry> retry();

    // ---- control of the call

    /**
     * Runs an action that must not be interrupted: a cancellation during it interrupts the thread
     * afterwards.
     *
     * @throws E the exception of the action
     */
    <T extends @Nullable Object, E extends Exception> T uncancellable(Action<T, E> action)
            throws E, InterruptedException;

    /**
     * Disconnects the client while the call continues; the client reconnects after the given time
     * and receives the messages sent meanwhile.
     *
     * @return false if the transport or the revision cannot do that; nothing happens then
     */
    boolean disconnect(Duration retryAfter);
}
