package dev.fairlead.http.endpoint;

import dev.fairlead.http.exchange.PacedBody;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.protocol.limits.Quota;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** Reads messages from the bodies of POSTs, only so many at a time. */
public final class RequestBodyReader {
    private static final System.Logger LOGGER = System.getLogger(RequestBodyReader.class.getName());

    /** A caller may have this part of the limit of all. */
    static final int CALLER_PART = 2;

    /** The reserve is this part of the limit of all, and at least {@link #LEAST_RESERVE}. */
    static final int RESERVE_PART = 8;

    /** The bytes of the smallest reserve. */
    static final int LEAST_RESERVE = 1 << 20;

    /** Where all places of bodies are taken, a body may be behind by this part of the timeout. */
    static final int LEAST_PATIENCE = 10;

    private static final Set<String> PLAIN = Set.of("", "identity");
    private static final Set<String> CHUNKED = Set.of("chunked");
    private static final Pattern CODING = Pattern.compile("[A-Za-z0-9._, -]{1,40}");

    private final int maxBody;
    private final RequestPermits permits;
    private final long patience;
    private final LongSupplier nanos;
    private final BodyBudget budget;

    RequestBodyReader(Settings settings, RequestPermits permits, LongSupplier nanos) {
        this.permits = permits;
        this.patience = settings.clientTimeout.toNanos();
        this.nanos = nanos;
        this.maxBody = settings.maxBody;
        long sum = Math.max(settings.maxBodySum, settings.maxBody);
        this.budget =
                new BodyBudget(
                        sum,
                        Math.max(sum / CALLER_PART, maxBody),
                        Math.max(sum / RESERVE_PART, LEAST_RESERVE));
    }

    /**
     * Reads the message of a POST, or refuses one that is malformed.
     *
     * @param source whose shares of places and bytes the body takes
     * @param onMalformed receives the failure if a body is not a message
     * @param taker gets the message, and the share of its body, which is given back afterwards
     *     unless it is kept
     * @throws HttpRefusalException if the body cannot be taken
     */
    public void take(
            HttpExchange http,
            Reply reply,
            RequestSource source,
            Consumer<MalformedMessageException> onMalformed,
            BiConsumer<JsonRpcMessage, BodyBudget.Share> taker) {
        BodyBudget.Share share = budget.share(source.caller());
        try {
            message(http, reply, source, onMalformed, share)
                    .ifPresent(message -> taker.accept(message, share));
        } finally {
            share.releaseUnlessKept();
        }
    }

    /**
     * Reads the body of a POST that another node answers, or none of any other request.
     *
     * @param taker gets the body, and the share of it, which it gives back
     * @throws HttpRefusalException if the body cannot be taken
     */
    public void takeUnread(
            HttpExchange http,
            Reply reply,
            RequestSource source,
            BiConsumer<byte[], BodyBudget.Share> taker) {
        BodyBudget.Share share = budget.share(source.caller());
        boolean taken = false;
        try {
            byte[] body =
                    http.method().equals("POST") ? bytes(http, reply, source, share) : new byte[0];
            share.keep();
            taker.accept(body, share);
            taken = true;
        } finally {
            if (!taken) {
                share.release();
            }
        }
    }

    private Optional<JsonRpcMessage> message(
            HttpExchange http,
            Reply reply,
            RequestSource source,
            Consumer<MalformedMessageException> onMalformed,
            BodyBudget.Share share) {
        return parse(bytes(http, reply, source, share), reply, onMalformed);
    }

    private byte[] bytes(
            HttpExchange http, Reply reply, RequestSource source, BodyBudget.Share share) {
        if (!MediaTypes.isJson(http.headers("Content-Type"))) {
            throw new HttpRefusalException(
                    RefusalReason.CONTENT_TYPE, "The body must be application/json");
        }
        try {
            return body(http, source, share);
        } catch (HttpRefusalException e) {
            reply.header("Connection", "close");
            throw e;
        }
    }

    private byte[] body(HttpExchange http, RequestSource source, BodyBudget.Share share) {
        String coding = coding(http);
        if (coding != null) {
            throw new HttpRefusalException(encoded(coding));
        }
        Quota.Share place = permits.takeBody(source);
        try {
            return read(http, share);
        } finally {
            place.release();
        }
    }

    /** Nothing is unpacked here: a small body could become one of any size. */
    private static @Nullable String coding(HttpExchange http) {
        String content = other(http.headers("Content-Encoding"), PLAIN);
        return content == null ? other(http.headers("Transfer-Encoding"), CHUNKED) : content;
    }

    private static @Nullable String other(List<String> codings, Set<String> expected) {
        for (String coding : codings) {
            if (!expected.contains(coding.toLowerCase(Locale.ROOT))) {
                return coding;
            }
        }
        return null;
    }

    /** Names a coding that looks like one; any other text of the client is for the log alone. */
    private static HttpRefusal encoded(String coding) {
        String named = CODING.matcher(coding).matches() ? " (" + coding + ")" : "";
        return new HttpRefusal(
                RefusalReason.CONTENT_ENCODING,
                "The body must not be compressed or otherwise encoded"
                        + named
                        + ": send it without Content-Encoding",
                coding,
                null);
    }

    private byte[] read(HttpExchange http, BodyBudget.Share share) {
        InputStream paced = new PacedBody(http.body(maxBody), this::patience, nanos);
        try {
            return readOrDrain(http, paced, share)
                    .orElseThrow(
                            () ->
                                    new HttpRefusalException(
                                            RefusalReason.BODY_SIZE,
                                            "The body may have %s bytes; raise HttpOptions.maxBody"
                                                    .formatted(maxBody)));
        } catch (BodyBudget.ExhaustedException e) {
            throw new HttpRefusalException(
                    new HttpRefusal(
                                    RefusalReason.BODY_BUDGET,
                                    "Just now " + e.getMessage() + ", and they have")
                            .withRetryAfter(HttpRefusal.SOON));
        } catch (PacedBody.TooSlowException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A client sent too slowly", e);
            throw new HttpRefusalException(RefusalReason.BODY_SLOW, "The body comes too slowly");
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "A client broke off while it sent", e);
            throw new HttpRefusalException(
                    RefusalReason.BODY_INCOMPLETE, "The body is not complete");
        }
    }

    /** How far a body may be behind now, in nanoseconds. */
    private long patience() {
        return (long) (patience * Math.max(permits.freeBodies(), 1.0 / LEAST_PATIENCE));
    }

    /** Reads a body without a place to its end as well, so that the client gets its answer. */
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
            reply.refuseMalformed(e.response().toBytes());
            return Optional.empty();
        }
    }
}
