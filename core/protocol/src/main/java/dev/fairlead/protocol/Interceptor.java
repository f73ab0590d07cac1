package dev.fairlead.protocol;

import java.time.Duration;

/**
 * Intercepts every request of a server or client, in and out; notifications are not intercepted. To
 * refuse a method, throw an exception, best a {@link dev.fairlead.jsonrpc.JsonRpcException}. Must
 * be thread-safe: methods run at the same time.
 *
 * <p>A question of a handler to its client passes the interceptors of a server as an outgoing
 * request. Its way to the client decides what an interceptor may do with it:
 *
 * <table class="striped">
 * <caption>Questions and interceptors</caption>
 * <thead><tr><th>Question</th><th>Seen</th><th>{@link Next#proceed}</th><th>Change or
 * refuse</th><th>Answer in place of the client</th></tr></thead>
 * <tbody>
 * <tr><td>asked in a session, a task or a held call</td><td>once</td><td>returns the
 * answer</td><td>yes</td><td>yes</td></tr>
 * <tr><td>asked in a round of revision 2026-07-28</td><td>in each run of the handler</td><td>throws
 * an {@link dev.fairlead.protocol.mrtr.InputRequiredSignal}, in later rounds returns the
 * answer</td><td>yes</td><td>yes, in each run</td></tr>
 * <tr><td>thrown by the handler in a session, a task or a held call</td><td>once</td><td>returns
 * the answer</td><td>yes</td><td>yes</td></tr>
 * <tr><td>thrown by the handler in a round</td><td>once</td><td>throws an {@link
 * dev.fairlead.protocol.mrtr.InputRequiredSignal}; the answer goes to the handler
 * unseen</td><td>yes</td><td>no: the call fails</td></tr>
 * </tbody>
 * </table>
 */
@FunctionalInterface
public interface Interceptor {
    /**
     * Handles a method, usually by calling {@code next}.
     *
     * <p>Runs on the thread of the call, and {@link Next#proceed} stays on it, so that thread
     * locals reach the handler.
     *
     * @return the outcome of {@code next}, or another one of the same method; with null, or the
     *     result of another method, the request fails with an {@link IllegalStateException}
     */
    Outcome<?> intercept(MethodCall method, Next next) throws Exception;

    /**
     * Handles a run of a task that a method became; by default, by calling {@code next}. Like
     * {@link #intercept}, but on the thread of the run, later, perhaps in another process and more
     * than once: the parameters are those that the interceptors left when the task was created, the
     * caller is the same, and its session and its HTTP request are unknown.
     *
     * @return the outcome of {@code next}, or another result; never a task
     */
    default Outcome<?> interceptRun(MethodCall method, Next next) throws Exception {
        return next.proceed(method);
    }

    /**
     * Called when a session has ended, once for each that has begun: for a server with {@code
     * notifications/initialized}. Must return soon: it runs on the thread that ends the session. An
     * exception is logged.
     *
     * @param lasted how long it was open in this process
     */
    default void sessionEnded(SessionInfo session, Duration lasted) {}

    /**
     * Counts a request that a transport refused before any session saw it, such as one without a
     * valid token. Must return soon: it runs on the thread that answers the request. An exception
     * is logged.
     */
    default void requestRefused(RequestRefusal request) {}

    /**
     * Counts a request of revision 2026-07-28 that a server refused because of its {@code
     * requestState}: altered, expired, sealed by an unknown key, or of another caller or request.
     * {@link #intercept} does not see such a request. Must return soon. An exception is logged.
     */
    default void requestStateRefused(RequestStateRefusal request) {}

    /** The rest of the chain: the interceptors that follow, and at last the method itself. */
    @FunctionalInterface
    interface Next {
        Outcome<?> proceed(MethodCall method) throws Exception;
    }
}
