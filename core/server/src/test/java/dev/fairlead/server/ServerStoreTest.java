package dev.fairlead.server;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.StateKeySource;
import dev.fairlead.protocol.changes.Change;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.changes.ChangeListener;
import dev.fairlead.protocol.changes.InProcessChangeBus;
import dev.fairlead.protocol.changes.ListKind;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.requeststate.StateKeys;
import dev.fairlead.tasks.ServerStore;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.logging.Level;

/** One store that has all parts of a server. */
class ServerStoreTest {
    private static final String ALL = "{\"elicitation\": {\"form\": {}}}";
    private static final String TOOL = "\"name\": \"greet\", \"arguments\": {}";

    /** Counts the parts that are taken. */
    private static final class Store implements ServerStore {
        final InProcessChangeBus bus = new InProcessChangeBus();
        final LinkedBlockingQueue<String> taken = new LinkedBlockingQueue<>();
        final EventStore events =
                (EventStore)
                        Proxy.newProxyInstance(
                                EventStore.class.getClassLoader(),
                                new Class<?>[] {EventStore.class},
                                (proxy, method, arguments) -> null);
        final OwnedValues.Source logins =
                (name, share, kept) -> {
                    throw new AssertionError("not used here");
                };
        volatile StateKeySource keys = ttl -> List.of(key(1)); // changes meanwhile

        @Override
        public Tasks tasks() {
            taken.add("tasks");
            return Tasks.inMemory();
        }

        @Override
        public EventStore events() {
            taken.add("events");
            return events;
        }

        @Override
        public ChangeBus changes() {
            taken.add("changes");
            return bus;
        }

        @Override
        public OwnedValues.Source ownedValues() {
            return logins;
        }

        @Override
        public StateKeySource stateKeys() {
            taken.add("state keys");
            return ttl -> keys.read(ttl);
        }
    }

    private record Name(String name) {}

    private final ManualTimers timers = new ManualTimers();
    private final Store store = new Store();

    private static byte[] key(int number) {
        return "0123456789abcdef0123456789abcde%s"
                .formatted(number)
                .getBytes(StandardCharsets.UTF_8);
    }

    private static McpServer.Builder server() {
        return McpServer.named("shared", "1")
                .tool("greet", "Greets", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                "Hello "
                                        + call.ask(Question.elicit("Name?", Name.class).as("name"))
                                                .orElseThrow()
                                                .name());
    }

    private static JsonObject asked(McpServer at) throws Exception {
        try (Peer peer = Peer.raw(at)) {
            return peer.call("tools/call", HeldCallsTest.params(ALL, TOOL, ""));
        }
    }

    private static String retry(JsonObject asked) {
        return HeldCallsTest.params(
                ALL,
                TOOL
                        + ", \"inputResponses\": "
                        + HeldCallsTest.name("name", "Ada")
                        + ", \"requestState\": \""
                        + asked.string("requestState")
                        + "\"",
                "");
    }

    private static String answered(McpServer at, JsonObject asked) throws Exception {
        try (Peer peer = Peer.raw(at)) {
            return Peer.text(peer.call("tools/call", retry(asked)));
        }
    }

    private static String refused(McpServer at, JsonObject asked) throws Exception {
        try (Peer peer = Peer.raw(at)) {
            return peer.error("tools/call", retry(asked)).object("data").string("reason");
        }
    }

    @Test
    void aServerTakesAllPartsFromItsStore() {
        Change tools = new Change.OfList(ListKind.TOOLS);
        LinkedBlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        try (McpServer server = server().store(store).build();
                var listening = store.bus.listen(new Changes(changes))) {
            assertThat(store.taken).containsExactlyInAnyOrder("tasks", "changes", "state keys");
            AtomicReference<SessionHost> host = new AtomicReference<>();
            server.serve(
                    served -> {
                        host.set(served);
                        return new Ended();
                    });
            assertThat(host.get().events()).containsSame(store.events);
            assertThat(host.get().ownedValues()).containsSame(store.logins);
            server.update(
                    change ->
                            change.tool("late", "Is late", NoInput.class, String.class)
                                    .handle((none, call) -> ""));
            assertThat(changes).containsExactly(tools);
        }
    }

    private record Changes(Queue<Change> received) implements ChangeListener {
        @Override
        public void changed(Change change) {
            received.add(change);
        }

        @Override
        public void changesMissed() {}
    }

    /** A place that is closed. */
    private static final class Ended implements Serving {
        @Override
        public void await() {}

        @Override
        public void close() {}
    }

    @Test
    void partsOfItsOwnTakePrecedence() throws Exception {
        try (McpServer server =
                server().store(store)
                        .tasks(Tasks.inMemory())
                        .changes(ChangeBus.inProcess())
                        .requestState(RequestState.keys(List.of(key(9))))
                        .build()) {
            assertThat(store.taken).isEmpty();
        }
    }

    @Test
    void twoServersWithOneStoreContinueCallsOfEachOther() throws Exception {
        try (McpServer one = server().store(store).build();
                McpServer other = server().store(store).build()) {
            assertThat(answered(other, asked(one))).isEqualTo("Hello Ada");
        }
    }

    @Test
    void keysAreReadAgainEveryTenSecondsAndKeptWhileTheyCannotBeRead() throws Exception {
        try (McpServer server = server().store(store).build(timers.share());
                McpServer other =
                        server().requestState(RequestState.keys(List.of(key(2))))
                                .build(timers.share());
                Logged logged = new Logged(StateKeys.class.getName(), Level.WARNING)) {
            JsonObject asked = asked(other);
            assertThat(refused(server, asked)).isEqualTo("invalid_request_state");

            BlockingQueue<Duration> reads = new LinkedBlockingQueue<>();
            store.keys = read(reads, () -> List.of(key(1), key(2)));
            timers.advance(Duration.ofSeconds(10));
            await().until(() -> answers(server, asked));
            assertThat(reads.take()).isEqualTo(Duration.ofMinutes(10));

            for (int i = 0; i < 2; i++) {
                store.keys = read(reads, ServerStoreTest::away);
                await().until(
                                () -> {
                                    timers.advance(Duration.ofSeconds(10));
                                    return !reads.isEmpty();
                                });
                reads.clear();
            }
            await().until(() -> !logged.lines().isEmpty());
            assertThat(answered(server, asked(other))).isEqualTo("Hello Ada");
            assertThat(logged.lines())
                    .singleElement()
                    .asString()
                    .contains("The keys read before stay in use: the store is away");
        }
    }

    private static boolean answers(McpServer server, JsonObject asked) throws Exception {
        try (Peer peer = Peer.raw(server)) {
            return peer.request("tools/call", retry(asked)).response().has("result");
        }
    }

    private static List<byte[]> away() {
        throw new IllegalStateException("the store is away");
    }

    private static StateKeySource read(Queue<Duration> reads, Supplier<List<byte[]>> keys) {
        return ttl -> {
            reads.add(ttl);
            return keys.get();
        };
    }

    @Test
    void aServerIsNotBuiltWithoutItsKeys() {
        store.keys = ttl -> away();
        assertThatThrownBy(() -> server().store(store).build()).hasMessage("the store is away");
    }
}
