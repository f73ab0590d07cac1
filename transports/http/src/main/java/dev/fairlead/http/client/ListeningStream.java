package dev.fairlead.http.client;

import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.time.LimitedLog;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Optional;

/**
 * The stream for messages of the server that belong to no request: opened again whenever it ends,
 * as long as the connection is open and the server has such a stream. {@link #run} has a thread of
 * its own.
 */
final class ListeningStream {
    private static final System.Logger LOGGER = System.getLogger(ListeningStream.class.getName());

    private final ConnectorOptions options;
    private final HttpRequests requests;
    private final Inbox inbox;
    private final CancellableExchange exchange;

    /** Whether the server has such a stream; only the thread that runs uses it. */
    private boolean opened;

    /** Whether a failure was logged since the stream was open; used by the same thread. */
    private boolean complained;

    ListeningStream(
            ConnectorOptions options,
            HttpRequests requests,
            Inbox inbox,
            CancellableExchange exchange) {
        this.options = options;
        this.requests = requests;
        this.inbox = inbox;
        this.exchange = exchange;
    }

    void run() {
        StreamPosition position = new StreamPosition(options.reconnection);
        try (exchange) {
            LastingLoop.run(
                    LOGGER,
                    options.place(),
                    "A stream of messages failed",
                    () -> listenOnce(position));
        }
    }

    /** Listens and waits for the next time. Returns false if it is of no use to listen again. */
    private boolean listenOnce(StreamPosition position) {
        try {
            return listen(position) && exchange.pause(position.nextDelay());
        } catch (AuthorizationException e) {
            LimitedLog.failed(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    e,
                    "Stopped listening to {0}",
                    options.place());
            return false;
        }
    }

    void stop() {
        exchange.stop();
    }

    /** Opens the stream once and reads it to its end; false if it is of no use to open it again. */
    private boolean listen(StreamPosition position) {
        Optional<String> lastEventId = position.lastEventId();
        boolean isAnswered = false;
        try (Answer answer = exchange.send(requests.get(lastEventId, Map.of()), () -> false)) {
            isAnswered = true;
            if (answer.isEventStream()) {
                opened = true;
                complained = false;
                inbox.follow(answer, position, null);
                return true;
            }
            return isOpenedAgain(answer, lastEventId.isPresent() ? position : null);
        } catch (TooLargeException e) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    "Skipped an event of {0}: {1}",
                    options.place(),
                    e.getMessage());
            position.forget();
            return true;
        } catch (IOException e) {
            lost(e, isAnswered);
            return true;
        } catch (AuthorizationException e) {
            if (!(e.getCause() instanceof IOException)) { // else the next attempt may succeed
                throw e;
            }
            failed(e);
            return true;
        } catch (RuntimeException | Error e) { // the headers of users, or our own mistake
            failed(e);
            return true;
        }
    }

    /**
     * Returns whether the stream is opened again after an answer that is not a stream.
     *
     * @param resumed the position from which it was to be resumed; null if from its beginning
     */
    private boolean isOpenedAgain(Answer answer, @Nullable StreamPosition resumed)
            throws IOException {
        if (opened && answer.isSessionGone()) { // before, it may be that it has no such stream
            requests.sessionIsGone();
            inbox.expired("GET", options.place());
            return false;
        }
        if (answer.status() == 400 && resumed != null) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    "{0} no longer has the events that were missed",
                    options.place());
            resumed.forget();
            return true;
        }
        LOGGER.log(
                Level.DEBUG,
                "GET at {0}: status {1}",
                options.place(),
                Integer.toString(answer.status()));
        return answer.mayPass(); // else there is no such stream, which is not an error
    }

    private void lost(IOException cause, boolean isAnswered) {
        LOGGER.log(Level.DEBUG, "No stream from {0}: {1}", options.place(), cause.toString());
        if (opened && !isAnswered) {
            away(cause);
        }
        if (opened) {
            inbox.unreachable();
        }
    }

    private void away(IOException cause) {
        if (!complained && !(cause instanceof InterruptedIOException)) {
            LimitedLog.log(
                    LOGGER,
                    Level.WARNING,
                    options.place(),
                    "The server sends no changes at the moment; trying again: {0}",
                    ConnectFailure.reason(cause, options, false));
            complained = true;
        }
    }

    private void failed(Throwable cause) {
        Level level = complained ? Level.DEBUG : Level.WARNING;
        LimitedLog.failed(
                LOGGER,
                level,
                options.place(),
                cause,
                "No stream from {0}; trying again",
                options.place());
        complained = true;
    }
}
