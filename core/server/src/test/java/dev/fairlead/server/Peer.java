package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A client that is scripted by its test and keeps received messages, joined with a server in
 * memory.
 */
final class Peer implements AutoCloseable {
    private final BlockingQueue<JsonObject> received = new LinkedBlockingQueue<>();
    private final List<JsonObject> setAside = new ArrayList<>();
    private final Link link;
    private volatile @Nullable SessionContext context;
    private final CountDownLatch closed = new CountDownLatch(1);
    private long lastId;

    private Peer(McpServer server) throws Exception {
        this(server, Caller.anonymous());
    }

    private Peer(McpServer server, Caller caller) throws Exception {
        link = server.inProcess(caller).connect(new Host());
    }

    /** The same for a caller that is known. */
    static Peer raw(McpServer server, Caller caller) throws Exception {
        return new Peer(server, caller);
    }

    /** A client before its handshake. */
    static Peer raw(McpServer server) throws Exception {
        return new Peer(server);
    }

    /** A client of the newest revision that declares nothing. */
    static Peer of(McpServer server) throws Exception {
        return of(server, Revision.NEWEST_WITH_HANDSHAKE, "{}");
    }

    /** A client after its handshake. */
    static Peer of(McpServer server, Revision revision, String capabilities) throws Exception {
        Peer peer = new Peer(server);
        peer.initialize(revision.date(), capabilities);
        peer.notify("notifications/initialized", null);
        return peer;
    }

    JsonObject initialize(String version, String capabilities) throws Exception {
        return call(
                "initialize",
                """
                {"protocolVersion": "%s", "capabilities": %s, "clientInfo": {"name": "peer", "version": "1"}}\
                """
                        .formatted(version, capabilities));
    }

    private final class Host implements SessionHost {
        @Override
        public Session open(SessionContext opened) {
            context = opened;
            return new Session() {
                @Override
                public void accept(JsonRpcMessage message, Exchange exchange) {
                    received.add((JsonObject) JsonValue.parse(message.toJson()));
                }

                @Override
                public void fail(RequestId request, CallException cause) {}

                @Override
                public Optional<Revision> revision() {
                    return Optional.empty();
                }

                @Override
                public void close() {
                    closed.countDown();
                }
            };
        }
    }

    /** Waits until the server has ended the session. */
    void awaitClosed() throws InterruptedException {
        assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Sends any message. */
    void send(String json) {
        SessionContext way = context;
        assertThat(way).isNotNull();
        way.send(JsonRpcMessage.parse(json.getBytes(StandardCharsets.UTF_8)));
    }

    void notify(String method, @Nullable String params) {
        send(
                params == null
                        ? "{\"jsonrpc\": \"2.0\", \"method\": \"%s\"}".formatted(method)
                        : "{\"jsonrpc\": \"2.0\", \"method\": \"%s\", \"params\": %s}"
                                .formatted(method, params));
    }

    /** Sends a request. */
    @CheckReturnValue
    Pending request(String method, String params) {
        long id = ++lastId;
        send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"method\": \"%s\", \"params\": %s}"
                        .formatted(id, method, params));
        return new Pending(this, id);
    }

    /** Sends a request whose response does not matter, or never comes. */
    void sendUnanswered(String method, String params) {
        Pending unused = request(method, params);
    }

    /** Answers a request of the server. */
    void answer(JsonObject question, String result) {
        send(
                "{\"jsonrpc\": \"2.0\", \"id\": %s, \"result\": %s}"
                        .formatted(question.get("id"), result));
    }

    /** Sends a request and waits for its response: the whole message. */
    JsonObject response(String method, String params) throws Exception {
        return request(method, params).response();
    }

    JsonObject responseTo(long id) throws Exception {
        return await(
                message -> JsonValue.of(id).equals(message.get("id")) && !message.has("method"));
    }

    /** Sends a request and waits for its result. */
    JsonObject call(String method, String params) throws Exception {
        return request(method, params).result();
    }

    /** Sends a request and waits for its error. */
    JsonObject error(String method, String params) throws Exception {
        return request(method, params).error();
    }

    JsonObject callTool(String name, String arguments) throws Exception {
        return call(
                "tools/call", "{\"name\": \"%s\", \"arguments\": %s}".formatted(name, arguments));
    }

    /** Calls a tool whose token for progress is 77. */
    @CheckReturnValue
    Pending startTool(String name, String arguments) {
        return request(
                "tools/call",
                "{\"name\": \"%s\", \"arguments\": %s, \"_meta\": {\"progressToken\": 77}}"
                        .formatted(name, arguments));
    }

    /** Waits for a request or notification of this method. */
    JsonObject next(String method) throws Exception {
        return await(message -> JsonValue.of(method).equals(message.get("method")));
    }

    /** Waits for the first message of this kind. */
    JsonObject await(Predicate<JsonObject> wanted) throws Exception {
        for (int i = 0; i < setAside.size(); i++) {
            if (wanted.test(setAside.get(i))) {
                return setAside.remove(i);
            }
        }
        while (true) {
            JsonObject message = received.poll(30, TimeUnit.SECONDS);
            assertThat(message)
                    .as("nothing of what was waited for came; other messages: %s", setAside)
                    .isNotNull();
            if (wanted.test(message)) {
                return message;
            }
            setAside.add(message);
        }
    }

    /** Returns whether a request or notification of this method has come that was not taken yet. */
    boolean has(String method) {
        return Stream.concat(setAside.stream(), received.stream())
                .anyMatch(message -> JsonValue.of(method).equals(message.get("method")));
    }

    /** Returns whether a message has come that was not taken yet. */
    boolean hasMessage() {
        return !setAside.isEmpty() || !received.isEmpty();
    }

    /**
     * Returns the messages that no test has waited for, after a ping has shown that no other is on
     * its way.
     */
    List<JsonObject> rest() throws Exception {
        call("ping", "{}");
        received.drainTo(setAside);
        List<JsonObject> rest = List.copyOf(setAside);
        setAside.clear();
        return rest;
    }

    static long code(JsonObject error) {
        return ((JsonNumber) java.util.Objects.requireNonNull(error.get("code"))).longValue();
    }

    /** The text of the only block of a tool result. */
    static String text(JsonObject result) {
        assertThat(result.array("content").size()).as("%s", result).isEqualTo(1);
        return ((JsonObject) result.array("content").get(0)).string("text");
    }

    static JsonObject json(String text) {
        return (JsonObject) JsonValue.parse(text);
    }

    @Override
    public void close() {
        link.close();
    }
}
