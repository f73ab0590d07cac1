package dev.fairlead.http;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.MalformedMessageException;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Reads messages from the bodies of POSTs, only so many at a time. */
final class Intake {
    private static final System.Logger LOGGER = System.getLogger(Intake.class.getName());

    private final int maxBody;
    private final int maxRequests;
    private final Duration patience;
    private final LongSupplier nanos;
    private final Semaphore reading;
    private final BodyBudget budget;

    Intake(Settings settings, LongSupplier nanos) {
        this.patience = settings.clientTimeout;
        this.nanos = nanos;
        this.maxBody = settings.maxBody;
        this.maxRequests = settings.maxRequests;
        this.reading = new Semaphore(settings.maxRequests);
        this.budget = new BodyBudget(Math.max(settings.maxBodySum, settings.maxBody));
    }

    /** What is done with a message. */
    @FunctionalInterface
    interface Taker {
        /**
         * Takes a message.
         *
         * @param share what its body holds; given back afterwards unless it is kept
         */
        void take(JsonRpcMessage message, BodyBudget.Share share);
    }

    /**
     * Reads the message of a POST, or refuses it.
     *
     * @param onMalformed learns of a body that is no message
     * @param taker gets the message
     */
    void take(
            HttpExchange http,
            Reply reply,
            Consumer<MalformedMessageException> onMalformed,
            Taker taker) {
        BodyBudget.Share share = budget.share();
        try {
            message(http, reply, onMalformed, share)
                    .ifPresent(message -> taker.take(message, share));
        } finally {
            share.releaseUnlessKept();
        }
    }

    private Optional<JsonRpcMessage> message(
            HttpExchange http,
            Reply reply,
            Consumer<MalformedMessageException> onMalformed,
            BodyBudget.Share share) {
        if (!MediaTypes.isJson(http.headers("Content-Type"))) {
            reply.refuse(415, "The body must be application/json");
            return Optional.empty();
        }
        if (isEncoded(http)) {
            reply.header("Connection", "close")
                    .refuse(
                            415,
                            "The body must not be compressed or otherwise encoded: send it without"
                                    + " Content-Encoding");
            return Optional.empty();
        }
        if (!reading.tryAcquire()) {
            reply.header("Connection", "close").refuse(503, OpenExchanges.tooMany(maxRequests));
            return Optional.empty();
        }
        try {
            return read(http, reply, share).flatMap(body -> parse(body, reply, onMalformed));
        } finally {
            reading.release();
        }
    }

    /** Nothing is unpacked here: a small body could become one of any size. */
    private static boolean isEncoded(HttpExchange http) {
        return !http.headers("Content-Encoding").stream().allMatch("identity"::equalsIgnoreCase)
                || !http.headers("Transfer-Encoding").stream()
                        .allMatch("chunked"::equalsIgnoreCase);
    }

    private Optional<byte[]> read(HttpExchange http, Reply reply, BodyBudget.Share share) {
        InputStream paced = new PacedBody(http.body(), patience, nanos);
        try {
            Optional<byte[]> body = readOrDrain(http, paced, share);
            if (body.isEmpty()) {
                reply.header("Connection", "close")
                        .refuse(413, "The body may have " + maxBody + " bytes");
            }
            return body;
        } catch (BodyBudget.ExhaustedException e) {
            reply.header("Connection", "close")
                    .header("Retry-After", "1")
                    .refuse(503, "Just now " + e.getMessage() + ", and they have");
            return Optional.empty();
        } catch (PacedBody.TooSlowException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A client sent too slowly", e);
            reply.header("Connection", "close").refuse(408, "The body comes too slowly");
            return Optional.empty();
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A client broke off while it sent", e);
            reply.header("Connection", "close").refuse(400, "The body is not complete");
            return Optional.empty();
        }
    }

    /** What finds no place is read to its end all the same, so that the client gets its answer. */
    private Optional<byte[]> readOrDrain(
            HttpExchange http, InputStream body, BodyBudget.Share share) throws IOException {
        try {
            return RequestBody.read(http, body, maxBody, share);
        } catch (BodyBudget.ExhaustedException e) {
            share.release();
            RequestBody.drain(body);
            throw e;
        }
    }

    private static Optional<JsonRpcMessage> parse(
            byte[] body, Reply reply, Consumer<MalformedMessageException> onMalformed) {
        try {
            return Optional.of(JsonRpcMessage.parse(body));
        } catch (MalformedMessageException e) {
            onMalformed.accept(e);
            reply.json(400, e.response().toBytes());
            return Optional.empty();
        }
    }
}
