package dev.fairlead.client;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.ForeignAnswerException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.McpErrorCode;
import dev.fairlead.protocol.engine.TokenBucket;
import dev.fairlead.protocol.time.Timers;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Finds out whether a server over HTTP that refuses something has started again as one of the other
 * era. A refusal that such a server may give is checked by a request that every server of the era
 * answers. Over a pipe the server is the same process.
 */
final class ChangedEra {
    private static final System.Logger LOGGER = System.getLogger(ChangedEra.class.getName());

    /** How often errors that are usual lead to a check of the server. */
    private static final Duration CHECKS = Duration.ofSeconds(10);

    /** With this code, servers of other makes refuse a request outside of a session. */
    private static final int SESSION_MISSING = -32000;

    private final ClientConnection connection;
    private final RememberedEra era;
    private final TokenBucket checks;
    private final ReentrantLock checking = new ReentrantLock(); // held while a session is checked

    /** The server refuses pings in a session, although it has sessions. */
    private volatile boolean keepsSessions;

    ChangedEra(ClientConnection connection, RememberedEra era, Timers timers) {
        this.connection = connection;
        this.era = era;
        this.checks = new TokenBucket(1, CHECKS, 1, timers::nanoTime);
    }

    /**
     * Returns the session with a server of the other era. To one of the same era a refused request
     * is not sent again.
     *
     * @throws CallException the refusal, if the era is the same
     */
    SessionWithServer after(SessionWithServer session, CallException refusal)
            throws InterruptedException {
        SessionWithServer found =
                session.isPerRequest()
                        ? afterRefusedRequest(session, refusal)
                        : afterRefusalInSession(session, refusal);
        if (found.isPerRequest() == session.isPerRequest()) {
            throw refusal;
        }
        return found;
    }

    private SessionWithServer afterRefusedRequest(SessionWithServer session, CallException refusal)
            throws InterruptedException {
        if (!session.isDoubtful() && !mayNeedSessions(session, refusal)) {
            throw refusal;
        }
        return checkedOnce(
                session,
                () -> {
                    boolean isDoubtful = session.isDoubtful();
                    boolean isChecked =
                            isDoubtful
                                    || (mayNeedSessions(session, refusal)
                                            && isToBeChecked(refusal));
                    if (!isChecked || answersDiscovery(session)) {
                        throw refusal;
                    }
                    return isDoubtful
                            ? connection.findOutAgain(session)
                            : connection.findOutChanged(
                                    session,
                                    "The server refuses requests without a session",
                                    refusal);
                });
    }

    private SessionWithServer afterRefusalInSession(
            SessionWithServer session, CallException refusal) throws InterruptedException {
        if (!(refusal instanceof JsonRpcException error) || !mayLackSessions(session, error)) {
            throw refusal;
        }
        return checkedOnce(session, () -> afterRefusal(session, error));
    }

    private SessionWithServer afterRefusal(SessionWithServer session, JsonRpcException refusal)
            throws InterruptedException {
        if (!isToBeChecked(refusal)) {
            throw refusal;
        }
        return switch (failureOfPing(session)) {
            case SessionExpiredException gone -> connection.renew(session, gone);
            case JsonRpcException refused when isWithoutSession(refused) -> {
                SessionWithServer found =
                        connection.findOutChanged(
                                session, "The server refuses requests in the session", refusal);
                keepsSessions = !found.isPerRequest();
                yield found;
            }
            case null, default -> throw refusal;
        };
    }

    /** Finds out what has taken the place of a session. */
    @FunctionalInterface
    private interface Check {
        SessionWithServer run() throws InterruptedException;
    }

    /**
     * Checks a session, unless another one has taken its place: callers that are refused at the
     * same time wait for the check of the first.
     */
    private SessionWithServer checkedOnce(SessionWithServer session, Check check)
            throws InterruptedException {
        checking.lockInterruptibly();
        try {
            SessionWithServer current = connection.known();
            return current == session ? check.run() : current;
        } finally {
            checking.unlock();
        }
    }

    /**
     * Returns what has taken the place of a session whose server gives no stream of changes.
     *
     * @throws CallException the failure, if there is nothing else
     */
    SessionWithServer afterRefusedStream(SessionWithServer session, CallException failure)
            throws InterruptedException {
        SessionWithServer current = connection.session();
        if (current != session) { // found out meanwhile
            return current;
        }
        if (!mayGiveNoStream(session, failure) || answersDiscovery(session)) {
            throw failure;
        }
        return connection.findOutChanged(
                session, "The server refuses the stream of changes", failure);
    }

    /**
     * The same where no caller waits: a client that only waits for changes sends nothing else.
     * Returns at once.
     */
    void streamRefused(SessionWithServer session, CallException failure) {
        if (session == connection.known() && mayGiveNoStream(session, failure)) {
            Thread.ofVirtual()
                    .name("mcp-client-renew")
                    .start(() -> tryAfterRefusedStream(session, failure));
        }
    }

    private void tryAfterRefusedStream(SessionWithServer session, CallException failure) {
        try {
            afterRefusedStream(session, failure);
        } catch (CallException e) {
            LOGGER.log(
                    Level.DEBUG,
                    "There is no stream of changes: {0}",
                    Printable.excerpt(e.getMessage()));
        } catch (InterruptedException e) { // no other code has this thread
            Thread.currentThread().interrupt();
        }
    }

    // ---- which refusals a server of the other era gives

    private boolean mayLackSessions(SessionWithServer session, JsonRpcException refusal) {
        return era.isToBeFoundOut()
                && !keepsSessions
                && session.hasHeaders()
                && isWithoutSession(refusal);
    }

    /** Refusals that servers of either era give count only every ten seconds. */
    private boolean isToBeChecked(CallException refusal) {
        boolean isUsual =
                !(refusal instanceof JsonRpcException error)
                        || switch (error.code()) {
                            case ErrorCode.INVALID_REQUEST,
                                    ErrorCode.INVALID_PARAMS,
                                    SESSION_MISSING ->
                                    true;
                            default -> false;
                        };
        return !isUsual || checks.take();
    }

    private static boolean isWithoutSession(JsonRpcException refusal) {
        return switch (refusal.code()) {
            case ErrorCode.INVALID_PARAMS,
                    McpErrorCode.HEADER_MISMATCH,
                    McpErrorCode.MISSING_CLIENT_CAPABILITY,
                    McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION ->
                    true;
            default -> false;
        };
    }

    private boolean mayNeedSessions(SessionWithServer session, CallException refusal) {
        if (!era.isToBeFoundOut() || !session.hasHeaders()) {
            return false;
        }
        return switch (refusal) {
            case JsonRpcException error ->
                    switch (error.code()) {
                        case McpErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
                                ErrorCode.INVALID_REQUEST, // without a session
                                ErrorCode.INVALID_PARAMS,
                                SESSION_MISSING ->
                                true;
                        default -> false;
                    };
            case ForeignAnswerException foreign -> true;
            default -> false;
        };
    }

    /** Streams are asked for with growing waits, so every refusal counts. */
    private boolean mayGiveNoStream(SessionWithServer session, CallException failure) {
        boolean isRefusal =
                failure instanceof ForeignAnswerException
                        || (failure instanceof JsonRpcException error
                                && !RetryableError.isRetryable(error.error()));
        return isRefusal && session.isPerRequest() && session.hasHeaders() && era.isToBeFoundOut();
    }

    // ---- checks

    private boolean answersDiscovery(SessionWithServer session) throws InterruptedException {
        CallException failure = failureOfPing(session);
        if (failure == null) {
            return true;
        }
        if (failure instanceof JsonRpcException || failure instanceof ForeignAnswerException) {
            return false;
        }
        throw failure;
    }

    private @Nullable CallException failureOfPing(SessionWithServer session)
            throws InterruptedException {
        try {
            session.ping(connection.defaults());
            return null;
        } catch (CallException e) {
            return e;
        }
    }
}
