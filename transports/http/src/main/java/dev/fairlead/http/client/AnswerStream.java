package dev.fairlead.http.client;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * The stream of events that answers a request, over as many connections as it takes: where one
 * breaks off, a GET resumes the stream. For the thread of its call.
 */
final class AnswerStream {
    private static final System.Logger LOGGER = System.getLogger(AnswerStream.class.getName());

    private final RequestCall call;
    private final ConnectorOptions options;
    private final HttpRequests requests;
    private final Inbox inbox;
    private final CancellableExchange exchange;

    AnswerStream(
            RequestCall call,
            ConnectorOptions options,
            HttpRequests requests,
            Inbox inbox,
            CancellableExchange exchange) {
        this.call = call;
        this.options = options;
        this.requests = requests;
        this.inbox = inbox;
        this.exchange = exchange;
    }

    /**
     * Reads until the request waits no longer, and then to the end of the connection.
     *
     * @throws TooLargeException if a message is larger than allowed
     */
    void follow(Answer begun) throws TooLargeException {
        StreamPosition position = new StreamPosition(options.reconnection);
        Optional<Answer> stream = Optional.of(begun);
        while (stream.isPresent()) {
            inbox.follow(stream.get(), position, call.id());
            stream = inbox.expects(call) ? resume(position) : Optional.empty();
        }
    }

    /**
     * Opens the stream again where it broke off; empty if that is not to be, and the request
     * settled. Streams of requests without a session cannot be resumed.
     */
    private Optional<Answer> resume(StreamPosition position) {
        if (call.isSelfContained() || position.lastEventId().isEmpty()) {
            call.fail(
                    "the stream of "
                            + options.place()
                            + " ended before the response came and cannot be resumed");
            return Optional.empty();
        }
        while (!position.isExhausted()) {
            if (!exchange.pause(position.nextDelay())) {
                return Optional.empty();
            }
            try {
                Answer answer =
                        exchange.send(
                                requests.get(position.lastEventId(), call.headers()), () -> false);
                if (answer.isEventStream()) {
                    return Optional.of(answer);
                }
                try (answer) {
                    if (!answer.mayPass()) {
                        notResumed(answer);
                        return Optional.empty();
                    }
                }
            } catch (IOException e) {
                LOGGER.log(
                        Level.DEBUG,
                        "The stream of {0} was not resumed: {1}",
                        call.id(),
                        e.toString());
                inbox.unreachable();
            }
        }
        call.fail("the stream of " + options.place() + " broke off and could not be resumed");
        return Optional.empty();
    }

    /**
     * The request may have been processed, so even a session that is gone must not let it be sent
     * again.
     */
    private void notResumed(Answer answer) throws IOException {
        if (answer.isSessionGone()) {
            requests.sessionIsGone();
            call.fail(
                    "the server at "
                            + options.place()
                            + " has ended the session before the response came");
            inbox.expired(call.method(), options.place());
        } else {
            call.fail(
                    "the server at "
                            + options.place()
                            + " no longer has the events that were missed (status "
                            + answer.status()
                            + ")");
        }
    }
}
