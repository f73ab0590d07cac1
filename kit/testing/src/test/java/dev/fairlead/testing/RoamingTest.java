package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Call;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests that each meet another server. */
@Timeout(300)
class RoamingTest {
    record Confirm(boolean ok) {}

    private final AtomicInteger runs = new AtomicInteger();
    private final List<String> charges = new ArrayList<>();

    private String buy(NoInput none, Call call) throws InterruptedException {
        runs.incrementAndGet();
        int price = call.once("price", Integer.class, () -> 5);
        if (!call.elicit("Pay " + price + "?", Confirm.class).orElseThrow().ok()) {
            return "not paid";
        }
        call.once("charge", () -> charges.add(call.idempotencyKey()));
        boolean wrapped = call.elicit("Wrap it?", Confirm.class).orElseThrow().ok();
        return "paid" + (wrapped ? ", wrapped" : "");
    }

    private McpServer.Builder shop() {
        return McpServer.named("shop", "1")
                .tool("buy", "Tested", NoInput.class, String.class)
                .handle(this::buy)
                .tool("held", "Tested", NoInput.class, String.class)
                .holdsWhileAsking()
                .handle(this::buy);
    }

    private static McpClient.Builder buyer() {
        return McpClient.named("buyer", "1").onElicitForm(form -> Answer.accept(new Confirm(true)));
    }

    @Test
    void aToolWithTwoQuestionsWorksAlthoughEachRoundMeetsAnotherServer() throws Exception {
        try (McpTest test = McpTest.of(shop()).revision(Revision.V2026_07_28).roaming()) {
            McpClient client = test.client(buyer());
            int before = test.roamedServers();

            assertThat(client.callTool("buy", JsonObject.EMPTY).text()).isEqualTo("paid, wrapped");

            assertThat(test.roamedServers() - before).isEqualTo(3);
            assertThat(runs).hasValue(3);
            assertThat(charges).hasSize(1);
        }
    }

    @Test
    void withoutARevisionTheNewestIsSpoken() throws Exception {
        try (McpTest test = McpTest.of(shop()).roaming()) {
            assertThat(test.client(buyer()).revision()).isEqualTo(Revision.V2026_07_28);
        }
    }

    @Test
    void aCallThatAServerKeepsInMemoryIsGone() throws Exception {
        try (McpTest test = McpTest.of(shop()).roaming()) {
            McpClient client = test.client(buyer());
            assertThatThrownBy(() -> client.callTool("held", JsonObject.EMPTY))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            gone ->
                                    assertThat(gone.data())
                                            .isEqualTo(JsonObject.of("reason", "call_gone")))
                    .hasMessageContaining("is not on this server");
        }
    }

    @Test
    void aTaskInMemoryIsUnknownToTheNextServer() throws Exception {
        McpServer.Builder server =
                shop().tool("report", "Tested", NoInput.class, String.class)
                        .task(TaskSupport.REQUIRED)
                        .handle((none, call) -> "done");
        try (McpTest test = McpTest.of(server).roaming()) {
            TaskHandle<?> task =
                    test.client().startTool(new CallToolRequest("report", JsonObject.EMPTY));
            assertThatThrownBy(task::status)
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessageContaining("Unknown task");
        }
    }

    @Test
    void serversWithOtherKeysRefuseTheState() throws Exception {
        McpServer.Builder server = shop().requestState(RequestState.keys(List.of(new byte[32])));
        try (McpTest test = McpTest.of(server).roaming();
                RawPeer peer = test.rawClient("{\"elicitation\": {}}");
                McpTest others = McpTest.of(shop()).roaming();
                RawPeer other = others.rawClient("{\"elicitation\": {}}")) {
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "buy"}}
                    """);
            String state = peer.next().object("result").string("requestState");
            String retry =
                    """
                    {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                     "params": {"name": "buy", "requestState": "%s"}}
                    """
                            .formatted(state);

            assertThat(peer.send(retry).next().object("result").string("resultType"))
                    .isEqualTo("input_required");
            assertThat(other.send(retry).next().object("error").string("message"))
                    .isEqualTo("Invalid or expired requestState");
        }
    }

    @Test
    void aCallIsCancelledOnItsServer() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        McpServer.Builder server =
                McpServer.named("slow", "1")
                        .tool("wait", "Tested", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    begun.countDown();
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        interrupted.countDown();
                                        throw e;
                                    }
                                    return "never";
                                });
        try (McpTest test = McpTest.of(server).roaming()) {
            McpClient client = test.client();
            FutureTask<Object> call =
                    new FutureTask<>(() -> client.callTool("wait", JsonObject.EMPTY));
            Thread caller = Thread.ofVirtual().start(call);
            begun.await();
            caller.interrupt();
            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void changesReachAStreamOnAnotherServerByABus() throws Exception {
        BlockingQueue<String> updated = new LinkedBlockingQueue<>();
        McpServer.Builder server =
                McpServer.named("notes", "1")
                        .changes(ChangeBus.inProcess())
                        .resource("notes://one", "one", String.class)
                        .handle((request, call) -> "text");
        try (McpTest test = McpTest.of(server).roaming()) {
            McpClient client = test.client();
            try (Subscription watch = client.watch("notes://one", changed -> updated.add("one"))) {
                test.server().resourceUpdated("notes://one");
                assertThat(updated.poll(30, TimeUnit.SECONDS)).isEqualTo("one");
            }
        }
    }

    @Test
    void sessionsCannotRoam() throws Exception {
        try (McpTest test = McpTest.of(shop()).revision(Revision.V2025_11_25).roaming()) {
            assertThatThrownBy(test::client)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("roaming() needs revision(Revision.V2026_07_28)");
            assertThatThrownBy(test::rawClient).isInstanceOf(IllegalStateException.class);
        }
        try (McpTest test = McpTest.of(shop()).roaming();
                RawPeer peer = test.rawConnection()) {
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
                    """);
            assertThat(peer.next().object("error").string("message"))
                    .contains("initialize needs a session");
        }
    }

    @Test
    void aServerInUseDoesNotBeginToRoam() throws Exception {
        try (McpTest test = McpTest.of(shop())) {
            test.client();
            assertThatThrownBy(test::roaming).isInstanceOf(IllegalStateException.class);
            assertThat(test.roamedServers()).isZero();
        }
    }
}
