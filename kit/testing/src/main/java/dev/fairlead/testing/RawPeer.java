package dev.fairlead.testing;

import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.pipe.PipeRemote;
import dev.fairlead.protocol.pipe.PipeSettings;
import dev.fairlead.protocol.time.Durations;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The other side, scripted by a test: it sends any text or bytes, and expects exact messages in
 * return.
 *
 * <p>Messages are compared as JSON: the order of members does not matter, everything else does.
 * Every wait ends after thirty seconds with an {@link AssertionError} that contains the message
 * received instead. For use by one thread.
 */
public final class RawPeer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final PipeSettings SETTINGS = PipeSettings.named("raw");
    private static final String META = "_meta";
    private static final JsonObject PROGRAM = JsonObject.of("name", "raw", "version", "1");

    private final MemoryTransport here;
    private final MemoryTransport there;
    private final BlockingQueue<Frame> received = new LinkedBlockingQueue<>();
    private JsonObject envelope = JsonObject.EMPTY;
    private int pings;

    /**
     * A received message.
     *
     * @param text its text; null for the end of the connection
     */
    private record Frame(@Nullable String text) {
        @Override
        public String toString() {
            return text == null ? "the end of the connection" : text;
        }
    }

    private RawPeer() {
        MemoryTransport.Pair pair = MemoryTransport.pair();
        here = pair.near();
        there = pair.far();
        Thread.ofVirtual().name("mcp-raw-peer").start(this::receive);
    }

    private void receive() {
        try {
            for (byte[] frame = here.receiveBytes(); frame != null; frame = here.receiveBytes()) {
                received.add(new Frame(new String(frame, StandardCharsets.UTF_8)));
            }
        } catch (IOException e) {
            // nothing more can come
        }
        received.add(new Frame(null));
    }

    /**
     * Returns a client that is connected to a server and has sent nothing yet, not even {@code
     * initialize}.
     */
    public static RawPeer client(SessionHost server) {
        return client(server, Caller.anonymous());
    }

    /** Returns a client that acts as this caller. */
    public static RawPeer client(SessionHost server, Caller caller) {
        RawPeer peer = new RawPeer();
        try {
            new PipeEndpoint(peer.there, SETTINGS.withCaller(caller)).serve(server);
        } catch (IOException e) {
            throw new IllegalStateException(e); // memory does not fail
        }
        return peer;
    }

    /** Returns a server that waits for one client to connect to its {@link #remote()}. */
    public static RawPeer server() {
        return new RawPeer();
    }

    /** Returns the address of this server for a client. */
    public Remote remote() {
        return new PipeRemote(() -> there, SETTINGS);
    }

    /**
     * Adds the description of a client to the {@code _meta} of each request that is sent as a text
     * from now on, as servers require since revision 2026-07-28: the revision, the capabilities and
     * the program. Members that a request has already stay as they are; bytes, and texts that are
     * not a request, are sent unchanged.
     *
     * @param capabilities a JSON object
     * @spec https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning Versioning
     */
    public RawPeer envelope(Revision revision, String capabilities) {
        envelope =
                JsonObject.of(
                        MetaKey.PROTOCOL_VERSION,
                        revision.date(),
                        MetaKey.CLIENT_CAPABILITIES,
                        JsonValue.parse(capabilities),
                        MetaKey.CLIENT_INFO,
                        PROGRAM);
        return this;
    }

    /** Sends requests as they are from now on, without an {@link #envelope}. */
    public RawPeer withoutEnvelope() {
        envelope = JsonObject.EMPTY;
        return this;
    }

    /** Sends any text as one message; a request in its {@link #envelope}, if set. */
    public RawPeer send(String text) {
        String message = envelope.isEmpty() ? text.strip() : enveloped(text.strip());
        return send(message.getBytes(StandardCharsets.UTF_8));
    }

    private String enveloped(String text) {
        JsonValue message;
        try {
            message = JsonValue.parse(text);
        } catch (JsonException e) { // sent as it is
            return text;
        }
        if (!(message instanceof JsonObject request)
                || !request.has("method")
                || !request.has("id")) {
            return text;
        }
        JsonValue params = request.has("params") ? request.get("params") : JsonObject.EMPTY;
        if (!(params instanceof JsonObject given)) {
            return text;
        }
        JsonValue meta = given.has(META) ? given.get(META) : JsonObject.EMPTY;
        if (!(meta instanceof JsonObject own)) {
            return text;
        }
        return request.with("params", given.with(META, envelope.with(own))).toJson();
    }

    /** Sends any bytes as one message. */
    public RawPeer send(byte[] bytes) {
        try {
            here.sendBytes(bytes);
        } catch (IOException e) {
            throw new AssertionError("could not send: " + e.getMessage(), e);
        }
        return this;
    }

    /**
     * Waits for the next message, which must be this one.
     *
     * @throws AssertionError if another one, the end or nothing came
     */
    public RawPeer expect(String json) {
        JsonValue expected = JsonValue.parse(json);
        JsonValue actual = next();
        if (!expected.equals(actual)) {
            throw new AssertionError("expected message\n  " + expected + "\nbut came\n  " + actual);
        }
        return this;
    }

    /** Waits for the next message and gives it; fails if the end or nothing comes. */
    public JsonObject next() {
        Frame frame = poll(PATIENCE);
        if (frame == null || frame.text == null) {
            throw new AssertionError(
                    "expected a message but came "
                            + Objects.requireNonNullElse(
                                    frame, "nothing within " + Durations.text(PATIENCE)));
        }
        if (JsonValue.parse(frame.text) instanceof JsonObject object) {
            return object;
        }
        throw new AssertionError("expected one message but came\n  " + frame);
    }

    /**
     * Waits for the next message, which must be a request or notification of this method, and gives
     * it.
     */
    public JsonObject expectMethod(String method) {
        return ofMethod(next(), method);
    }

    private static JsonObject ofMethod(JsonObject message, String method) {
        if (!message.has("method") || !message.string("method").equals(method)) {
            throw new AssertionError("expected " + method + " but came\n  " + message);
        }
        return message;
    }

    /** Waits for the next message, which must be a request of this method, and gives it. */
    public JsonRpcRequest expectRequest(String method) {
        return request(expectMethod(method));
    }

    private static JsonRpcRequest request(JsonObject message) {
        if (JsonRpcMessage.parse(message.toJson()) instanceof JsonRpcRequest request) {
            return request;
        }
        throw new AssertionError("expected a request but came\n  " + message);
    }

    /** Answers a request with a result. */
    public RawPeer respond(JsonRpcRequest request, String result) {
        return send(new JsonRpcResponse(request.id(), RawJson.parse(result)).toBytes());
    }

    private void refuse(JsonRpcRequest request, JsonRpcError error) {
        send(new JsonRpcErrorResponse(request.id(), error).toBytes());
    }

    /**
     * Sends a {@code ping} and waits for its response, which must be the next message: the other
     * side has then sent only expected messages.
     */
    public RawPeer expectNothing() {
        String id = "nothing-" + ++pings;
        send("{\"jsonrpc\": \"2.0\", \"id\": \"" + id + "\", \"method\": \"ping\"}");
        JsonObject message = next();
        if (message.has("method") || !JsonValue.of(id).equals(message.get("id"))) {
            throw new AssertionError("expected nothing but came\n  " + message);
        }
        return this;
    }

    /** Checks that nothing comes for a while, in real time. */
    public RawPeer expectNothing(Duration duration) {
        Frame frame = poll(duration);
        if (frame != null) {
            throw new AssertionError("expected nothing but came\n  " + frame);
        }
        return this;
    }

    /** Waits for the other side to close the connection; nothing may come before. */
    public void expectEnd() {
        Frame frame = poll(PATIENCE);
        if (frame == null || frame.text != null) {
            throw new AssertionError(
                    "expected the end of the connection but came "
                            + Objects.requireNonNullElse(
                                    frame, "nothing within " + Durations.text(PATIENCE)));
        }
    }

    private @Nullable Frame poll(Duration patience) {
        try {
            return received.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a message", e);
        }
    }

    /**
     * Sends {@code initialize} as a client of this revision without capabilities, and returns the
     * result.
     */
    public JsonObject initialize(Revision revision) {
        return initialize(revision, "{}");
    }

    /**
     * Sends {@code initialize} as a client of this revision with these capabilities, a JSON object,
     * and returns the result.
     */
    public JsonObject initialize(Revision revision, String capabilities) {
        JsonObject params =
                JsonObject.of(
                        "protocolVersion",
                        revision.date(),
                        "capabilities",
                        JsonValue.parse(capabilities),
                        "clientInfo",
                        PROGRAM);
        send(
                JsonObject.of(
                                "jsonrpc",
                                "2.0",
                                "id",
                                "init",
                                "method",
                                "initialize",
                                "params",
                                params)
                        .toJson());
        JsonObject response = next();
        if (!(response.get("result") instanceof JsonObject result)) {
            throw new AssertionError("expected the result of initialize but came\n  " + response);
        }
        send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
        return result;
    }

    /**
     * Answers the {@code initialize} of a client as a server of its revision with these
     * capabilities, a JSON object; returns the parameters. A {@code server/discover} before it is
     * refused with {@code -32601}.
     */
    public JsonObject acceptClient(String capabilities) {
        JsonObject first = next();
        if (first.get("method") instanceof JsonString name
                && name.value().equals(Methods.DISCOVER.name())) {
            refuse(request(first), new JsonRpcError(ErrorCode.METHOD_NOT_FOUND, "no such method"));
            first = next();
        }
        JsonRpcRequest request = request(ofMethod(first, Methods.INITIALIZE.name()));
        JsonObject params = (JsonObject) Objects.requireNonNull(request.params()).value();
        JsonObject result =
                JsonObject.of(
                        "protocolVersion",
                        params.string("protocolVersion"),
                        "capabilities",
                        JsonValue.parse(capabilities),
                        "serverInfo",
                        PROGRAM);
        respond(request, result.toJson());
        expectMethod("notifications/initialized");
        return params;
    }

    /** Closes the connection. */
    @Override
    public void close() {
        here.close();
    }
}
