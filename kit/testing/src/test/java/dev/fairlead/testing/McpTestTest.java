package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

@Timeout(300)
class McpTestTest {
    record Person(String name) {}

    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch proceed = new CountDownLatch(1);

    private McpServer.Builder server() {
        return McpServer.named("hello", "1.0.0")
                .tool("greet", "Greets a person by name", Person.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!")
                .tool("wait", "Waits until it is stopped", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            waiting.countDown();
                            new CountDownLatch(1).await();
                            return "";
                        });
    }

    @Test
    void aToolIsCalledThroughItsOwnClient() throws Exception {
        try (McpTest test = McpTest.of(server())) {
            assertThat(
                            test.client()
                                    .tool("greet", Person.class, String.class)
                                    .call(new Person("Ada")))
                    .isEqualTo("Hello, Ada!");
            assertThat(test.client()).isSameAs(test.client());
        }
    }

    @Test
    void aTestThatIsClosedMakesNoClientAndItsClockOnlyMovesForwards() throws Exception {
        McpTest test = McpTest.of(server());
        McpClient before = test.client();
        test.advance(Duration.ZERO);
        assertThatThrownBy(() -> test.advance(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a clock cannot be moved by -1 s, only forwards");

        test.close();
        test.close();

        assertThatThrownBy(before::tools)
                .isInstanceOf(ConnectionException.class)
                .hasMessage("the client is closed");
        for (ThrowingCallable made :
                List.<ThrowingCallable>of(
                        test::client,
                        () -> test.client(McpClient.named("late", "1")),
                        test::rawClient,
                        test::rawConnection)) {
            assertThatThrownBy(made)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the test is closed");
        }
    }

    @Test
    void aRawClientSpeaksTheRevisionOfTheTest() {
        try (McpTest test = McpTest.of(server()).revision(Revision.V2025_06_18);
                RawPeer peer = test.rawClient()) {
            peer.send(
                            """
                            {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "nope"}}\
                            """)
                    .expect(
                            """
                            {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "Unknown tool: nope"}}\
                            """);
        }
        try (McpTest test = McpTest.of(server()).revision(Revision.V2024_11_05)) {
            assertThat(
                            test.rawConnection()
                                    .initialize(Revision.V2024_11_05)
                                    .string("protocolVersion"))
                    .isEqualTo("2024-11-05");
        }
    }

    @Test
    void aClientSpeaksTheRevisionOfTheTest() throws Exception {
        try (McpTest test = McpTest.of(server()).revision(Revision.V2025_03_26)) {
            assertThat(test.client().revision()).isEqualTo(Revision.V2025_03_26);
        }
    }

    @Test
    void clientsWithoutAHandshakeSendRequestsAtOnce() throws Exception {
        try (McpTest test = McpTest.of(server()).revision(Revision.V2026_07_28);
                RawPeer peer = test.rawClient()) {
            assertThat(test.client().revision()).isEqualTo(Revision.V2026_07_28);
            assertThat(
                            test.client()
                                    .tool("greet", Person.class, String.class)
                                    .call(new Person("Ada")))
                    .isEqualTo("Hello, Ada!");
            peer.send(
                            """
                            {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "nope"}}
                            """)
                    .expect(
                            """
                            {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "Unknown tool: nope"}}
                            """);
        }
    }

    @Test
    void advancingTheClockEndsWhatWaits() throws Exception {
        Duration beyond = Duration.ofDays(50_000); // so that the server never ends the call first
        try (McpTest test = McpTest.of(server().callTimeout(beyond))) {
            McpClient client =
                    test.client(
                            McpClient.named("test", "1").requestTimeout(Duration.ofMinutes(30)));
            FutureTask<Object> call =
                    new FutureTask<>(() -> client.callTool("wait", JsonObject.EMPTY));
            Thread.ofVirtual().start(call);
            waiting.await();
            test.advance(Duration.ofMinutes(31));
            assertThatThrownBy(call::get).cause().isInstanceOf(RequestTimeoutException.class);
        }
    }

    @Test
    void closingAClientLeavesTheTimersOfTheServer() throws Exception {
        ManualTimers timers = new ManualTimers();
        timers.schedule(Duration.ofSeconds(1), () -> {});
        var shared = timers.share();
        shared.schedule(Duration.ofSeconds(1), () -> {});
        shared.close();
        assertThat(timers.waiting()).isEqualTo(1);
    }

    @Test
    void theClockRefillsTheNotificationLimitOfACall() throws Exception {
        List<LoggingMessageNotification> heard = new CopyOnWriteArrayList<>();
        try (McpTest test =
                McpTest.of(
                        McpServer.named("chatty", "1.0.0")
                                .maxNotificationsPerSecond(5)
                                .tool("tell", "Logs much", NoInput.class, String.class)
                                .handle((none, call) -> logTwice(call)))) {
            McpClient client = test.client(McpClient.named("ear", "1.0.0").onLog(heard::add));
            FutureTask<String> call =
                    new FutureTask<>(() -> client.callTool("tell", JsonObject.EMPTY).text());
            Thread.ofVirtual().start(call);
            waiting.await();
            test.advance(Duration.ofSeconds(1));
            proceed.countDown();

            assertThat(call.get()).isEqualTo("notified");
            assertThat(client.awaitLog(Duration.ofMinutes(1))).isTrue();
        }
        assertThat(heard).hasSize(10);
    }

    private String logTwice(Call call) throws InterruptedException {
        for (int message = 0; message < 20; message++) {
            call.log(LoggingLevel.INFO, "flood " + message);
        }
        waiting.countDown();
        proceed.await();
        for (int message = 0; message < 20; message++) {
            call.log(LoggingLevel.INFO, "flood " + message);
        }
        return "notified";
    }
}
