package dev.fairlead.http.client;

import dev.fairlead.http.blocking.HeaderFields;
import dev.fairlead.http.blocking.IncomingResponse;
import dev.fairlead.http.blocking.OutgoingRequest;
import dev.fairlead.http.endpoint.MediaTypes;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Printable;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * The answer of the server to one HTTP request: the one place that judges statuses and content
 * types.
 */
final class Answer implements AutoCloseable {
    private static final int LARGEST_ACKNOWLEDGEMENT = 64 * 1024;
    private static final int LARGEST_REPORT = 64 * 1024;
    private static final int MAX_TEXT = 300;

    private final OutgoingRequest request;
    private final IncomingResponse response;
    private byte @Nullable [] whole; // once it was read

    Answer(OutgoingRequest request, IncomingResponse response) {
        this.request = request;
        this.response = response;
    }

    int status() {
        return response.status();
    }

    HeaderFields headers() {
        return response.headers();
    }

    Optional<String> header(String name) {
        return response.headers().first(name);
    }

    boolean isSuccess() {
        return status() / 100 == 2;
    }

    boolean isJson() {
        return mediaType().equals(MediaTypes.JSON) && !isEncoded();
    }

    boolean isEventStream() {
        return isSuccess() && mediaType().equals(MediaTypes.EVENTS) && !isEncoded();
    }

    /**
     * Returns whether the body is compressed or otherwise encoded. Nothing is unpacked here: a
     * small body could become one of any size.
     */
    private boolean isEncoded() {
        return !response.codings().isEmpty();
    }

    private String mediaType() {
        return MediaTypes.name(header("Content-Type").orElse(""));
    }

    /**
     * Returns whether the server no longer has the session that the request was sent in, whichever
     * way it reports that.
     */
    boolean isSessionGone() throws IOException {
        return lostSession().isPresent();
    }

    /** The report that the server no longer has the session that the request was sent in. */
    Optional<LostSession> lostSession() throws IOException {
        Optional<String> session = HttpRequests.session(request);
        if (session.isEmpty()) {
            return Optional.empty();
        }
        return switch (status()) {
            case 404, 410 -> Optional.of(new LostSession("", false));
            case 400 -> reportedLoss(session.get());
            default -> Optional.empty();
        };
    }

    private Optional<LostSession> reportedLoss(String session) throws IOException {
        String type = mediaType();
        boolean mayBeReport =
                !isEncoded()
                        && (type.isEmpty()
                                || type.equals("text/plain")
                                || type.equals(MediaTypes.JSON)
                                || type.endsWith("+json"));
        if (!mayBeReport) {
            return Optional.empty();
        }
        try {
            return LostSession.of(bytes(LARGEST_REPORT), session);
        } catch (TooLargeException e) {
            return Optional.empty(); // after any failure there is no short text
        }
    }

    /** Returns whether a server that only speaks HTTP+SSE may answer so to a POST. */
    boolean mayBeLegacy() {
        return status() == 400 || status() == 404 || status() == 405;
    }

    /**
     * Returns whether no endpoint of MCP answers a POST so: nothing is there, or something else. A
     * page for 502, 503 and 504 is written by the proxy of an endpoint that is away.
     */
    boolean isNoEndpoint() {
        return status() == 404
                || status() == 405
                || isSuccess() && !isEventStream() && !isJson() && !isEncoded()
                || mediaType().equals("text/html") && (status() < 502 || status() > 504);
    }

    /**
     * Returns whether nothing in an answer without an error of JSON-RPC shows that the server
     * understood the request: see {@link dev.fairlead.protocol.ForeignAnswerException}.
     */
    boolean isForeign() {
        return status() / 100 == 4 && !isSilentOnEra()
                || isSuccess() && !isEventStream() && !isJson();
    }

    /** Returns whether a server of any era may answer so, so that nothing follows from it. */
    boolean isSilentOnEra() {
        return status() == 401 || status() == 403 || status() == 407 || mayPass();
    }

    /** Returns whether the same request may succeed a little later. */
    boolean mayPass() {
        return status() == 408 || status() == 429 || status() >= 500;
    }

    /** Returns whether the server takes no such requests just now. */
    boolean isRetryable() {
        return status() == 429 || status() == 503;
    }

    /**
     * The time that {@code Retry-After} contains; empty without the header and for one that is not
     * a number of seconds.
     */
    Optional<Duration> retryAfter() {
        return header("Retry-After")
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
    }

    /**
     * Creates the exception for an answer that is a refusal.
     *
     * @param attempted the method of the message, or another name of the attempt
     */
    ConnectionException refusal(String attempted, String place) {
        return new ConnectionException(
                attempted + " failed: the server at " + place + " " + reason());
    }

    private String reason() {
        return switch (status()) {
            case 401, 403 -> unauthorized();
            case 407 ->
                    "cannot be reached: the proxy asks for a name and a password (status 407); "
                            + HttpProxy.CREDENTIALS;
            case 301, 302, 303, 307, 308 -> redirect();
            default -> isEncoded() ? encoded() : "answered with status " + status() + type();
        };
    }

    private String redirect() {
        return "answered with a redirect (status "
                + status()
                + Redirect.place(this, request.uri())
                        .map(
                                to ->
                                        ") to "
                                                + to
                                                + "; if that is where you want to connect, use this"
                                                + " URL")
                        .orElse(") that names no URL");
    }

    private String encoded() {
        return "answered with status "
                + status()
                + " and a body with Content-Encoding "
                + String.join(
                        ", ", response.codings().stream().limit(3).map(Answer::shortened).toList())
                + ", which this client does not decode and has not asked for; switch it off at the"
                + " server, or at the proxy in front of it";
    }

    /** Explains why the request was not authorized, in the words of the challenge if it has any. */
    private String unauthorized() {
        Optional<Challenge> challenge =
                Challenge.ofOAuth(headers().all("WWW-Authenticate"))
                        .filter(given -> given.parameter("error").isPresent());
        if (challenge.isEmpty()) {
            return status() == 401
                    ? "asks for authorization (status 401)"
                    : "forbids it (status 403)";
        }
        Challenge given = challenge.get();
        return (status() == 401 ? "refuses the token (status 401, " : "forbids it (status 403, ")
                + shortened(given.parameter("error").orElseThrow())
                + ")"
                + said(": ", given, "error_description")
                + said("; required scopes: ", given, "scope")
                + (status() == 401
                        ? said("; the audience of tokens is named by ", given, "resource_metadata")
                        : "");
    }

    private static String said(String before, Challenge challenge, String parameter) {
        return challenge
                .parameter(parameter)
                .map(Answer::shortened)
                .filter(text -> !text.isEmpty())
                .map(text -> before + text)
                .orElse("");
    }

    /** Text of the server, on one line and without characters that control a terminal. */
    private static String shortened(String text) {
        return Printable.excerpt(
                text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text);
    }

    private String type() {
        if (!isSuccess()) {
            return "";
        }
        String type = mediaType();
        return (type.isEmpty() ? "" : ", " + Printable.excerpt(type))
                + " and no JSON or event stream";
    }

    InputStream body() {
        return response.body();
    }

    /**
     * Reads the whole body.
     *
     * @throws TooLargeException if it is larger than this
     */
    byte[] bytes(int maxSize) throws IOException {
        byte[] read = whole;
        if (read == null) {
            read = read(maxSize);
            whole = read;
        }
        return read;
    }

    private byte[] read(int maxSize) throws IOException {
        int expected = Math.clamp(response.length(), 0, maxSize);
        byte[] bytes = body().readNBytes(expected); // makes no larger array than has come
        if (bytes.length == expected && body().read() >= 0) {
            throw new TooLargeException(maxSize);
        }
        return bytes;
    }

    /** Reads a body that means nothing, so that the HTTP connection can be used again. */
    void skip() throws IOException {
        if (!isEventStream() && response.length() > 0) {
            body().readNBytes(LARGEST_ACKNOWLEDGEMENT);
        }
    }

    /**
     * Closes the connection if the body was not read to its end; otherwise others can use the
     * connection.
     */
    @Override
    public void close() {
        try {
            body().close();
        } catch (IOException e) {
            // there is nothing left to be lost
        }
    }
}
