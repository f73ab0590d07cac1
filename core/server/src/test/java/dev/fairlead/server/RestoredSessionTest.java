package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStoreException;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.time.Uninterruptibly;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Sessions that continue in another server, as after a restart. */
@Timeout(180)
class RestoredSessionTest {
    private static final String WATCHED = "counter://now";
    private static final String INITIALIZED =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

    record Name(String name) {}

    /** A client that keeps the state that the server has it store. */
    private static final class Client implements SessionContext, Exchange {
        private final BlockingQueue<JsonRpcMessage> received = new LinkedBlockingQueue<>();
        private final BlockingQueue<JsonObject> storedWhenNotified = new LinkedBlockingQueue<>();
        private final CountDownLatch initialized = new CountDownLatch(1);

        private volatile JsonObject state = JsonObject.EMPTY;
        private volatile boolean full; // its store

        @Override
        public void send(JsonRpcMessage message) {
            if (message instanceof JsonRpcNotification) {
                storedWhenNotified.add(state);
            }
            received.add(message);
        }

        @Override
        public void changed(Supplier<JsonObject> changed) {
            letOthersGoFirst();
            store(changed);
        }

        /** Returns once a thread has run that starts later than all that were started before. */
        private static void letOthersGoFirst() {
            Uninterruptibly.await(Thread.ofVirtual().start(() -> {})::join);
        }

        private synchronized void store(Supplier<JsonObject> changed) {
            if (full) {
                throw new EventStoreException("the disk is full", new IOException());
            }
            state = changed.get();
            if (state.bool("initialized")) {
                initialized.countDown();
            }
        }

        @Override
        public void abandon(RequestId request) {}

        @Override
        public boolean isOpen() {
            return true;
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
        public void close() {}

        <T extends JsonRpcMessage> T next(Class<T> type) throws InterruptedException {
            JsonRpcMessage next = received.poll(30, TimeUnit.SECONDS);
            assertThat(next).isInstanceOf(type);
            return type.cast(next);
        }

        void deliver(Session session, String message) {
            session.accept(JsonRpcMessage.parse(message), this);
        }

        JsonRpcResponse ask(Session session, int id, String method, String params)
                throws InterruptedException {
            deliver(session, request(id, method, params));
            return next(JsonRpcResponse.class);
        }
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}"
                .formatted(id, method, params);
    }

    private static McpServer server() {
        return declared().build();
    }

    private static McpServer.Builder declared() {
        return McpServer.named("restored", "1")
                .tool("ask", "Asks", NoInput.class, String.class)
                .handle((none, call) -> call.elicit("Who?", Name.class).orElseThrow().name())
                .resource(WATCHED, "now", String.class)
                .handle((request, call) -> "now");
    }

    private static Session greeted(McpServer server, Client client) throws InterruptedException {
        return greeted(server, client, "test");
    }

    private static Session greeted(McpServer server, Client client, String name)
            throws InterruptedException {
        Session session = server.host().open(client);
        client.ask(
                session,
                1,
                "initialize",
                """
                {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
                 "clientInfo": {"name": "%s", "version": "1"}}
                """
                        .formatted(name));
        return session;
    }

    private static Client begun(McpServer server) throws InterruptedException {
        Client client = new Client();
        Session session = greeted(server, client);
        client.deliver(session, INITIALIZED); // handled on a thread of its own
        assertThat(client.initialized.await(30, TimeUnit.SECONDS)).isTrue();
        client.ask(session, 2, "logging/setLevel", "{\"level\": \"error\"}");
        client.ask(session, 3, "resources/subscribe", "{\"uri\": \"" + WATCHED + "\"}");
        return client;
    }

    @Test
    void aRestoredSessionKeepsNegotiatedValuesAndSubscriptions() throws Exception {
        try (McpServer first = server();
                McpServer second = server()) {
            Client before = begun(first);
            Client client = new Client();
            Session session = second.host().restore(client, before.state, 1).orElseThrow();

            assertThat(session.revision()).contains(Revision.V2025_11_25);
            assertThat(before.state.string("level")).isEqualTo("error");
            second.resourceUpdated(WATCHED);
            assertThat(client.next(JsonRpcNotification.class).method())
                    .isEqualTo("notifications/resources/updated");
            client.ask(session, 4, "resources/unsubscribe", "{\"uri\": \"" + WATCHED + "\"}");
            assertThat(client.state.array("subscriptions").size()).isZero();
        }
    }

    @Test
    void whatIsRepeatedAfterTheStoreFailedIsStored() throws Exception {
        String subscribe = "resources/subscribe";
        String unsubscribe = "resources/unsubscribe";
        String watched = "{\"uri\": \"" + WATCHED + "\"}";
        try (McpServer server = server()) {
            Client client = new Client();
            Session session = greeted(server, client);

            client.full = true;
            client.deliver(session, request(2, subscribe, watched));
            client.next(JsonRpcErrorResponse.class);
            client.full = false;
            client.ask(session, 3, subscribe, watched);
            assertThat(client.state.array("subscriptions").size()).isEqualTo(1);

            client.full = true;
            client.deliver(session, request(4, unsubscribe, watched));
            client.next(JsonRpcErrorResponse.class);
            client.full = false;
            client.ask(session, 5, unsubscribe, watched);
            assertThat(client.state.array("subscriptions").size()).isZero();
        }
    }

    @Test
    void theInitializedStateIsStoredBeforeTheFirstNotification() throws Exception {
        try (McpServer server = server()) {
            Client client = new Client();
            Session session = greeted(server, client);
            client.ask(session, 2, "resources/subscribe", "{\"uri\": \"" + WATCHED + "\"}");
            server.resourceUpdated(WATCHED);

            client.deliver(session, INITIALIZED);

            client.next(JsonRpcNotification.class);
            assertThat(client.storedWhenNotified.element().bool("initialized")).isTrue();
        }
    }

    @Test
    void numbersOfItsQuestionsAreNoneOfBefore() throws Exception {
        try (McpServer first = server();
                McpServer second = server()) {
            Client before = begun(first);
            long highest = 0;
            for (int restored = 1; restored < 4; restored++) {
                Client client = new Client();
                Session session =
                        second.host().restore(client, before.state, restored).orElseThrow();
                client.deliver(session, request(5, "tools/call", "{\"name\": \"ask\"}"));
                RequestId id = client.next(JsonRpcRequest.class).id();
                long number = ((JsonNumber) id.value()).value().longValueExact();
                assertThat(number).isGreaterThan(highest + 1_000_000_000);
                highest = number;
            }
        }
    }

    @Test
    void unreadableStateIsNotRestored() {
        try (McpServer server = server()) {
            assertThat(server.host().restore(new Client(), JsonObject.EMPTY, 1)).isEmpty();
            assertThat(
                            server.host()
                                    .restore(
                                            new Client(),
                                            JsonObject.of("revision", "2099-01-01"),
                                            1))
                    .isEmpty();
        }
    }

    @Test
    void aRestoredSessionIsNotInitializedAgain() throws Exception {
        try (McpServer first = server();
                McpServer second = server()) {
            Client client = new Client();
            Session session = second.host().restore(client, begun(first).state, 1).orElseThrow();
            client.deliver(
                    session,
                    request(
                            9,
                            "initialize",
                            "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {},"
                                    + " \"clientInfo\": {\"name\": \"t\", \"version\": \"1\"}}"));
            assertThat(client.next(JsonRpcErrorResponse.class).error().message())
                    .contains("already initialized");
        }
    }

    @Test
    void aSessionForWhichThereIsNoPlaceKeepsNoBytes() throws Exception {
        try (McpServer first = server();
                McpServer full =
                        declared()
                                .maxSessions(1)
                                .maxSessionBytes(8_000)
                                .maxSessionBytesSum(16_000)
                                .build()) {
            JsonObject state = begun(first).state;
            Session only = full.host().open(new Client());
            for (int i = 0; i < 1_000; i++) {
                assertThatThrownBy(() -> full.host().restore(new Client(), state, 1))
                        .hasMessageContaining("Session limit reached");
            }
            only.close();

            assertThat(full.host().restore(new Client(), state, 1)).isPresent();
        }
    }

    record Item(String id) {}

    private static McpServer watchable(int sessionBytes) {
        return McpServer.named("restored", "1")
                .maxSessionBytes(sessionBytes)
                .resourceTemplate("items://{id}", "item", Item.class, String.class)
                .handle((item, call) -> item.id())
                .build();
    }

    private static String watching(String method, int id) {
        String uri = "items://" + "x".repeat(100) + id;
        return request(id, "resources/" + method, "{\"uri\": \"" + uri + "\"}");
    }

    /** Returns how many items a client can subscribe to. */
    private static int room(Client client, Session session) throws InterruptedException {
        for (int i = 0; ; i++) {
            client.deliver(session, watching("subscribe", 100 + i));
            if (client.next(JsonRpcMessage.class) instanceof JsonRpcErrorResponse refused) {
                assertThat(refused.error().message()).contains("maxSessionBytes");
                return i;
            }
        }
    }

    @Test
    void subscriptionsCountAfterARestartAsTheyDidBefore() throws Exception {
        int limit = 64 << 10;
        try (McpServer first = watchable(limit);
                McpServer second = watchable(limit)) {
            Client before = new Client();
            Session begun = greeted(first, before, "n".repeat(12_000));
            before.deliver(begun, INITIALIZED);
            assertThat(before.initialized.await(30, TimeUnit.SECONDS)).isTrue();
            int room = room(before, begun);

            Client client = new Client();
            Session session = second.host().restore(client, before.state, 1).orElseThrow();
            for (int i = 0; i < room; i++) {
                client.deliver(session, watching("unsubscribe", 100 + i));
                client.next(JsonRpcResponse.class);
            }

            assertThat(room(client, session)).isBetween(room - 1, room + 1);
        }
    }
}
