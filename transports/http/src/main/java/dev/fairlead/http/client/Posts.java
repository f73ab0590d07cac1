package dev.fairlead.http.client;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.protocol.time.LimitedLog;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Posts messages without an answer, and waits until the server has accepted each. For use by the
 * thread of the outbox.
 */
final class Posts {
    private static final System.Logger LOGGER = System.getLogger(Posts.class.getName());

    /**
     * Pauses before a response is sent again: in all somewhat longer than a load balancer or other
     * nodes take to notice that a node has died.
     */
    private static final List<Duration> PAUSES =
            List.of(
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(5));

    /** The answers of a server, or of a load balancer before it, that may take it later. */
    private static final Set<Integer> LATER = Set.of(502, 503, 504);

    private enum Outcome {
        ACCEPTED,
        REFUSED,
        /** Perhaps accepted, but more likely not. */
        LATER
    }

    private final ConnectorOptions options;
    private final HttpRequests requests;
    private final Inbox inbox;
    private final ExchangePool exchanges;

    Posts(ConnectorOptions options, HttpRequests requests, Inbox inbox, ExchangePool exchanges) {
        this.options = options;
        this.requests = requests;
        this.inbox = inbox;
        this.exchanges = exchanges;
    }

    /** Sends a message; returns whether it was accepted. */
    boolean send(JsonRpcMessage message, Map<String, String> headers, String what) {
        return post(message, headers, what) == Outcome.ACCEPTED;
    }

    /**
     * Sends a response to the server, several times if the server cannot be reached or refuses it
     * for a while: the request of the server waits for it, and has an id of its own in its session,
     * so that a second response does nothing.
     */
    void respond(JsonRpcMessage response, Map<String, String> headers, String what) {
        Outcome outcome = post(response, headers, what);
        for (Duration pause : PAUSES) {
            if (outcome != Outcome.LATER || !pause(pause)) {
                return;
            }
            outcome = post(response, headers, what);
        }
    }

    /** Waits; false if the connection is closed meanwhile. */
    private boolean pause(Duration time) {
        try (CancellableExchange waiting = exchanges.open()) {
            return waiting.pause(time);
        }
    }

    private Outcome post(JsonRpcMessage message, Map<String, String> headers, String what) {
        try (CancellableExchange exchange = exchanges.open()) {
            exchange.stopAfter(options.gracePeriods.acknowledgement());
            try (Answer answer =
                    exchange.send(
                            requests.post(message, headers, null), () -> Repeatable.is(message))) {
                return taken(answer, what);
            }
        } catch (InterruptedIOException e) { // it took too long, or the connection is closed
            return notDelivered(what, e, Outcome.REFUSED);
        } catch (IOException e) {
            return notDelivered(what, e, Outcome.LATER);
        } catch (RuntimeException e) { // the headers of users, or our own mistake
            LimitedLog.failed(
                    LOGGER, Level.WARNING, options.place(), e, "{0} could not be sent", what);
            return Outcome.REFUSED;
        }
    }

    private Outcome taken(Answer answer, String what) throws IOException {
        LOGGER.log(Level.DEBUG, "{0}: status {1}", what, Integer.toString(answer.status()));
        if (answer.isSuccess()) {
            answer.skip();
            return Outcome.ACCEPTED;
        }
        if (answer.isSessionGone()) {
            requests.sessionIsGone();
            inbox.expired(what, options.place());
        }
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                options.place(),
                "{0}",
                answer.refusal(what, options.place()).getMessage());
        return LATER.contains(answer.status()) ? Outcome.LATER : Outcome.REFUSED;
    }

    private Outcome notDelivered(String what, IOException failure, Outcome outcome) {
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                options.place(),
                "{0} was not delivered: {1}",
                what,
                ConnectFailure.reason(failure, options, false));
        return outcome;
    }
}
