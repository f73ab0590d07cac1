package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A server that is scripted by its test. Requests with an answer prepared by {@link #on} are
 * answered at once; all other messages are kept for {@link #next}. By default it is a server of
 * 2025-11-25 with all capabilities, which refuses {@code server/discover}.
 */
public final class FakeServer implements Remote {
    public static final String ALL_CAPABILITIES =
            """
            {"tools": {"listChanged": true}, "resources": {"subscribe": true, "listChanged": true},
             "prompts": {"listChanged": true}, "completions": {}, "logging": {}}\
            """;

    /** Tasks, and the lists of tools that they need. */
    public static final String TASKS =
            """
            {"tools": {"listChanged": true},
             "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}}\
            """;

    private final Map<String, Function<JsonObject, String>> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<JsonObject> received = new LinkedBlockingQueue<>();
    public final BlockingQueue<RequestId> abandoned = new LinkedBlockingQueue<>();
    public final AtomicInteger connections = new AtomicInteger();
    public final AtomicInteger closings = new AtomicInteger();
    public final Semaphore closed = new Semaphore(0);
    public final Semaphore ended =
            new Semaphore(0); // requests of this server, answered or abandoned
    private volatile @Nullable Session session;
    private volatile boolean gone;
    private volatile boolean hasHeaders;
    private volatile Map<String, String> lastHeaders = Map.of();

    public FakeServer() {
        greet("2025-11-25", ALL_CAPABILITIES);
        silently("notifications/initialized");
        on("server/discover", "error:{\"code\": -32601, \"message\": \"Method not found\"}");
    }

    /** Greets with this revision and these capabilities. */
    public FakeServer greet(String revision, String capabilities) {
        return on(
                "initialize",
                """
                {"protocolVersion": "%s", "capabilities": %s,
                 "serverInfo": {"name": "fake", "version": "7"}, "instructions": "Be kind."}\
                """
                        .formatted(revision, capabilities));
    }

    /** Answers a method with this result. */
    public FakeServer on(String method, String result) {
        return on(method, params -> result);
    }

    /** Answers a method with a function of its parameters. */
    public FakeServer on(String method, Function<JsonObject, String> result) {
        answers.put(method, result);
        return this;
    }

    /** Takes messages of a method and says nothing. */
    public FakeServer silently(String method) {
        return on(method, params -> "");
    }

    /** Keeps messages of a method for {@link #next} again. */
    public FakeServer keep(String method) {
        answers.remove(method);
        return this;
    }

    /** Takes headers with messages, as a server over HTTP. */
    public FakeServer withHeaders() {
        hasHeaders = true;
        return this;
    }

    /** The headers of the message that came last. */
    public Map<String, String> lastHeaders() {
        return lastHeaders;
    }

    @Override
    public Link connect(SessionHost host) throws IOException {
        connections.incrementAndGet();
        gone = false;
        Wire wire = new Wire();
        Session opened = host.open(wire);
        wire.session = opened;
        session = opened;
        return () -> {
            closings.incrementAndGet();
            opened.close();
            closed.release();
        };
    }

    /** The client's side of the newest session. */
    public Session session() {
        return Objects.requireNonNull(session, "no client has connected");
    }

    /** The way of one session to this server. */
    private final class Wire implements SessionContext {
        private volatile @Nullable Session session;

        @Override
        public boolean hasHeaders() {
            return hasHeaders;
        }

        @Override
        public void send(JsonRpcMessage message, Map<String, String> headers) {
            lastHeaders = headers;
            send(message);
        }

        @Override
        public void send(JsonRpcMessage message) {
            if (gone) {
                throw new ConnectionException("the server is gone");
            }
            JsonObject json = (JsonObject) JsonValue.parse(message.toJson());
            Function<JsonObject, String> answer =
                    json.get("method") == null ? null : answers.get(json.string("method"));
            if (answer == null) {
                received.add(json);
                return;
            }
            String result =
                    answer.apply(json.has("params") ? json.object("params") : JsonObject.EMPTY);
            if (!result.isEmpty() && json.has("id")) {
                String member = result.startsWith("error:") ? "error" : "result";
                String body = result.startsWith("error:") ? result.substring(6) : result;
                String response =
                        "{\"jsonrpc\":\"2.0\",\"id\":"
                                + json.get("id")
                                + ",\""
                                + member
                                + "\":"
                                + body
                                + "}";
                Objects.requireNonNull(session)
                        .accept(JsonRpcMessage.parse(response), new FakeExchange());
            }
        }

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }

        @Override
        public String transport() {
            return "test";
        }

        @Override
        public void close() {
            gone = true;
        }
    }

    /** The exchange of messages of this server, which takes their responses. */
    private final class FakeExchange implements Exchange {
        @Override
        public void send(JsonRpcMessage message) {
            received.add((JsonObject) JsonValue.parse(message.toJson()));
            ended.release();
        }

        @Override
        public void abandon(RequestId request) {
            abandoned.add(request);
            ended.release();
        }

        @Override
        public Caller caller() {
            return Caller.anonymous();
        }
    }

    /** Sends any message to the client. */
    public void send(String json) {
        session().accept(JsonRpcMessage.parse(json), new FakeExchange());
    }

    /** Asks the client. */
    public void ask(int id, String method, String params) {
        send(
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}"
                        .formatted(id, method, params));
    }

    /** Sends the client a notification. */
    public void notifyClient(String method, String params) {
        send("{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}".formatted(method, params));
    }

    /** Answers a request that was kept. */
    public void answer(JsonObject request, String result) {
        send("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(request.get("id"), result));
    }

    /** Answers a request that was kept with an error. */
    public void refuse(JsonObject request, int code, String message) {
        refuse(request, "{\"code\":%s,\"message\":\"%s\"}".formatted(code, message));
    }

    /** Answers a request that was kept with this error. */
    public void refuse(JsonObject request, String error) {
        send("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%s}".formatted(request.get("id"), error));
    }

    /** Reports to the client that a request cannot be delivered. */
    public void fail(JsonObject request, CallException cause) {
        session().fail(RequestId.of(request.integer("id")), cause);
    }

    /** The connection breaks. */
    public void vanish() {
        gone = true;
        session().close();
    }

    boolean hasNext() {
        return !received.isEmpty();
    }

    /** The next message that came and was not answered by itself. */
    public JsonObject next() throws InterruptedException {
        JsonObject message = received.poll(30, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("nothing came");
        }
        return message;
    }

    /** The next message, which must be of this method. */
    public JsonObject next(String method) throws InterruptedException {
        JsonObject message = next();
        assertThat(message.get("method")).as("%s", message).isEqualTo(JsonValue.of(method));
        return message;
    }

    /** The next message, which must be the response to a request of this server. */
    public JsonObject response(int id) throws InterruptedException {
        JsonObject message = next();
        assertThat(message.get("id")).as("%s", message).isEqualTo(JsonValue.of(id));
        assertThat(message.has("method")).as("%s", message).isFalse();
        return message;
    }

    /** Checks that no unexpected message is left. */
    void expectNothing() {
        assertThat(received).isEmpty();
    }

    /** The parameters without the token for progress, which differs in each request. */
    public static JsonObject withoutToken(JsonObject params) {
        if (!(params.get("_meta") instanceof JsonObject meta)) {
            return params;
        }
        JsonObject rest = meta.without("progressToken");
        return rest.isEmpty() ? params.without("_meta") : params.with("_meta", rest);
    }

    public static JsonObject json(String text) {
        return (JsonObject) JsonValue.parse(text);
    }
}
