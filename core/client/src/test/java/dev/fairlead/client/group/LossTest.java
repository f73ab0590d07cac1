package dev.fairlead.client.group;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.FakeServer;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Servers that are slow, dead, lost, and back. */
@Timeout(60)
final class LossTest {
    private final FakeServer files = Fakes.tools("files", "read");
    private final FakeServer web = Fakes.tools("web", "fetch");
    private final AtomicBoolean down = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();
    private final ManualTimers timers = new ManualTimers();

    /** The server {@code files}, as long as it is not down. */
    private final Remote mayBeDown =
            host -> {
                if (down.get()) {
                    refused.incrementAndGet();
                    throw new IOException("it is down");
                }
                return files.connect(host);
            };

    /** The wait before the next attempt may begin a moment later. */
    private void advanceUntil(BooleanSupplier condition) {
        await().until(
                        () -> {
                            timers.advance(Duration.ofMillis(100));
                            return condition.getAsBoolean();
                        });
    }

    private static String call(McpClients servers, String tool) throws InterruptedException {
        return servers.callTool(tool, JsonObject.EMPTY).text();
    }

    private McpClients.Builder group() {
        return McpClients.named("desk", "1.4.0").server("files", mayBeDown).server("web", web);
    }

    @Test
    void aServerThatIsDownHarmsNoOtherAndComesBack() throws Exception {
        down.set(true);
        BlockingQueue<ServerStatus> heard = new LinkedBlockingQueue<>();
        try (McpClients servers = group().onStatus(heard::add).connect(timers)) {
            assertThat(servers.status("files"))
                    .isEqualTo(
                            new ServerStatus(
                                    "files",
                                    ServerState.FAILED,
                                    "the server cannot be reached: it is down"));
            assertThat(call(servers, "fetch")).isEqualTo("web/fetch");
            assertThatThrownBy(() -> servers.server("files"))
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessage(
                            "The server files is not available: the server cannot be reached: it is"
                                    + " down");

            down.set(false);
            advanceUntil(() -> servers.status("files").state() == ServerState.CONNECTED);
            assertThat(call(servers, "read")).isEqualTo("files/read");
            Fakes.awaitItem(heard, new ServerStatus("files", ServerState.CONNECTED, null));
        }
    }

    @Test
    void aServerWhoseOptionsFailWithAnErrorIsConnectedToAgain() throws Exception {
        AtomicInteger failures = new AtomicInteger();
        McpClients.Builder group =
                McpClients.named("desk", "1.4.0")
                        .server(
                                "files",
                                files,
                                options -> {
                                    if (failures.getAndIncrement() == 0) {
                                        throw new LinkageError("expected by this test");
                                    }
                                });
        try (McpClients servers = group.connect(timers)) {
            assertThat(servers.status("files").state()).isEqualTo(ServerState.FAILED);
            advanceUntil(() -> servers.status("files").state() == ServerState.CONNECTED);
            assertThat(call(servers, "read")).isEqualTo("files/read");
        }
    }

    @Test
    void aLostServerFailsAtOnceWithItsNameAndIsBackAfterAWhile() throws Exception {
        try (McpClients servers = group().connect(timers)) {
            assertThat(call(servers, "read")).isEqualTo("files/read");
            down.set(true);
            files.vanish();
            await().until(() -> servers.status("files").state() == ServerState.FAILED);

            assertThatThrownBy(() -> call(servers, "read"))
                    .isInstanceOfSatisfying(
                            ServerUnavailableException.class,
                            e -> assertThat(e.server()).isEqualTo("files"))
                    .hasMessageStartingWith("The server files is not available: ");
            assertThat(call(servers, "fetch")).isEqualTo("web/fetch");
            assertThat(servers.tools()).as("kept for a while").hasSize(2);

            down.set(false);
            advanceUntil(() -> servers.status("files").state() == ServerState.CONNECTED);
            assertThat(call(servers, "read")).isEqualTo("files/read");
        }
    }

    @Test
    void aRequestConnectsAtOnceToAServerThatIsBackHoweverOftenItWasGone() throws Exception {
        try (McpClients servers =
                group().reconnect(Duration.ofSeconds(1), Duration.ofHours(1))
                        .keepLists(Duration.ofHours(1))
                        .connect(timers)) {
            down.set(true);
            files.vanish();
            await().until(() -> servers.status("files").state() == ServerState.FAILED);
            assertThatThrownBy(() -> call(servers, "read"))
                    .isInstanceOf(ServerUnavailableException.class);
            assertThat(refused).as("tried a moment ago").hasValue(0);
            for (int attempts = 1; attempts <= 6; attempts++) {
                int enough = attempts;
                timers.advance(Duration.ofSeconds(1));
                assertThatThrownBy(() -> call(servers, "read"))
                        .isInstanceOf(ServerUnavailableException.class);
                await().until(() -> refused.get() >= enough);
                await().until(() -> servers.status("files").state() == ServerState.FAILED);
            } // the group itself tries again in 16 s or more

            down.set(false);
            timers.advance(Duration.ofSeconds(1));

            assertThat(call(servers, "read")).isEqualTo("files/read");
        }
    }

    @Test
    void aRequestWaitsForAnAttemptToConnectThatHasJustBegun() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch back = new CountDownLatch(1);
        Remote slow =
                host -> {
                    begun.countDown();
                    if (begun.getCount() == 0) {
                        back.await();
                    }
                    return files.connect(host);
                };
        try (McpClients servers =
                McpClients.named("desk", "1.4.0")
                        .server("files", slow)
                        .reconnect(Duration.ofSeconds(1), Duration.ofHours(1))
                        .connect(timers)) {
            timers.untilNextTimer(files::vanish); // that of the wait before the next attempt
            timers.advance(Duration.ofSeconds(1));
            begun.await();
            FutureTask<String> reading = new FutureTask<>(() -> call(servers, "read"));
            Thread reader = Thread.ofVirtual().start(reading);
            await().until(() -> reader.getState() == Thread.State.WAITING || reading.isDone());
            back.countDown();

            assertThat(reading.get(30, TimeUnit.SECONDS)).isEqualTo("files/read");
        }
    }

    @Test
    void anAttemptToConnectThatLastsHoldsNoRequestUp() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        Remote hanging =
                host -> {
                    begun.countDown();
                    if (begun.getCount() == 0) {
                        new CountDownLatch(1).await();
                    }
                    return files.connect(host);
                };
        try (McpClients servers =
                McpClients.named("desk", "1.4.0")
                        .server("files", hanging)
                        .reconnect(Duration.ofSeconds(1), Duration.ofHours(1))
                        .connect(timers)) {
            files.vanish();
            advanceUntil(() -> begun.getCount() == 0);
            timers.advance(MemberState.ATTEMPT);

            assertThatThrownBy(() -> call(servers, "read"))
                    .isInstanceOf(ServerUnavailableException.class);
        }
    }

    @Test
    void aTaskIsFoundAgainWhenItsLostServerIsBack() throws Exception {
        Fakes.asTasks(files, "files").keep("tasks/result");
        try (McpClients servers = group().connect(timers)) {
            TaskHandle<CallToolResult> task =
                    servers.startTool(new CallToolRequest("read", JsonObject.EMPTY));
            down.set(true);
            files.vanish();
            assertThatThrownBy(task::await).isInstanceOf(ConnectionException.class);
            await().until(() -> servers.status("files").state() == ServerState.FAILED);

            Fakes.asTasks(files, "files");
            down.set(false);
            advanceUntil(() -> servers.status("files").state() == ServerState.CONNECTED);
            TaskId id = task.id().orElseThrow();
            assertThat(servers.server(servers.serverOfTool("read")).task(id, String.class).await())
                    .isEqualTo("files");
        }
    }

    @Test
    void whatALostServerOfferedStaysListedForAWhile() throws Exception {
        try (McpClients servers = group().keepLists(Duration.ofHours(1)).connect(timers)) {
            down.set(true);
            files.vanish();
            advanceUntil(() -> refused.get() >= 2);
            assertThat(servers.tools()).hasSize(2);

            timers.advance(Duration.ofHours(1));
            advanceUntil(() -> servers.tools().size() == 1);
            assertThatThrownBy(() -> call(servers, "read"))
                    .isInstanceOf(ServerUnavailableException.class);
        }
    }

    @Test
    void resourcesOfAServerThatIsGoneForLongAreKnownToBeIts() throws Exception {
        watchable();
        try (McpClients servers = group().connect(timers)) {
            down.set(true);
            files.vanish();
            advanceUntil(() -> servers.resources().isEmpty());
            assertThatThrownBy(() -> servers.readResource("a://b"))
                    .isInstanceOf(ServerUnavailableException.class);
            assertThatThrownBy(
                            () ->
                                    servers.complete(
                                            new ResourceTemplateReference("a://{name}"),
                                            "name",
                                            ""))
                    .isInstanceOf(ServerUnavailableException.class);
        }
    }

    @Test
    void afterALostSessionListsAreReadAgainAndWatchersNotified() throws Exception {
        watchable();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (McpClients servers = group().connect(timers)) {
            servers.watch("a://b", heard::add);
            files.on(
                    "resources/list",
                    """
                    {"resources": [{"uri": "a://b", "name": "b"}, {"uri": "a://c", "name": "c"}]}\
                    """);
            files.session().expired(new SessionExpiredException("404"));

            await().until(() -> servers.resources().size() == 2);
            Fakes.awaitItem(heard, "a://b");
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsNotWaitedFor() throws Exception {
        Remote silent =
                host -> {
                    new CountDownLatch(1).await();
                    throw new IOException("never");
                };
        CountDownLatch connected = new CountDownLatch(2);
        AtomicBoolean open = new AtomicBoolean();
        Thread mover = Thread.ofVirtual().start(() -> advanceWhenConnected(connected, open::get));
        try (McpClients servers =
                group().server("silent", silent, LossTest::patient)
                        .onStatus(
                                status -> {
                                    if (status.state() == ServerState.CONNECTED) {
                                        connected.countDown();
                                    }
                                })
                        .connect(timers)) {
            open.set(true);
            assertThat(servers.status("silent").state()).isEqualTo(ServerState.CONNECTING);
            assertThatThrownBy(() -> servers.server("silent"))
                    .hasMessage("The server silent is not available: it is being connected to");
            assertThat(call(servers, "fetch")).isEqualTo("web/fetch");
        }
        mover.join();
    }

    /** Tries for longer than the test lets pass. */
    private static void patient(McpClient.Builder client) {
        client.requestTimeout(Duration.ofHours(1)).maxTotalTimeout(Duration.ofHours(1));
    }

    /** Lets time pass once two servers are there, as long as connecting waits for the third. */
    private void advanceWhenConnected(CountDownLatch connected, BooleanSupplier open) {
        Uninterruptibly.await(connected::await);
        advanceUntil(open);
    }

    /** The server {@code files} has a resource that can be watched. */
    private void watchable() {
        files.greet(
                        "2025-11-25",
                        """
                        {"resources": {"subscribe": true, "listChanged": true},
                         "completions": {}, "logging": {}}\
                        """)
                .on("resources/list", "{\"resources\": [{\"uri\": \"a://b\", \"name\": \"b\"}]}")
                .on(
                        "resources/templates/list",
                        "{\"resourceTemplates\": [{\"uriTemplate\": \"a://{name}\", \"name\":"
                                + " \"t\"}]}")
                .on("resources/subscribe", "{}")
                .on("resources/unsubscribe", "{}")
                .on("logging/setLevel", "{}");
    }

    @Test
    void aWatchThatIsRefusedAfterALossIsAskedForAgain() throws Exception {
        watchable();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        AtomicInteger refusals = new AtomicInteger();
        try (McpClients servers = group().connect(timers)) {
            servers.watch("a://b", heard::add);
            files.on(
                    "resources/subscribe",
                    params -> {
                        refusals.incrementAndGet();
                        return "error:{\"code\": -32603, \"message\": \"not now\"}";
                    });
            files.vanish();
            advanceUntil(() -> refusals.get() > 0);
            files.on("resources/subscribe", "{}");
            advanceUntil(() -> heard.contains("a://b"));
        }
    }

    @Test
    void closingAWatchDoesNotWaitForAServerThatIsSlowToSubscribe() throws Exception {
        watchable();
        try (McpClients servers = group().connect(timers)) {
            Subscription watch = servers.watch("a://b", uri -> {});
            files.keep("resources/subscribe").keep("resources/unsubscribe");
            files.vanish();
            advanceUntil(() -> files.connections.get() == 2);
            JsonObject subscribing = files.next("resources/subscribe");

            watch.close();
            files.answer(subscribing, "{}");
            files.answer(files.next("resources/unsubscribe"), "{}");
        }
    }

    @Test
    void aWatchAndTheLogLevelOutliveTheConnection() throws Exception {
        watchable();
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (McpClients servers =
                McpClients.named("desk", "1.4.0")
                        .server("files", files)
                        .reconnect(Duration.ofMillis(1), Duration.ofMillis(2))
                        .connect()) {
            servers.watch("a://b", heard::add);
            servers.setLoggingLevel(dev.fairlead.protocol.logging.LoggingLevel.ERROR);
            files.keep("resources/subscribe").keep("logging/setLevel");
            files.vanish();

            JsonObject level = files.next("logging/setLevel");
            assertThat(level.object("params").string("level")).isEqualTo("error");
            files.answer(level, "{}");
            files.answer(files.next("resources/subscribe"), "{}");
            Fakes.awaitItem(heard, "a://b");
            files.notifyClient("notifications/resources/updated", "{\"uri\": \"a://b\"}");
            Fakes.awaitItem(heard, "a://b");
        }
    }

    @Test
    void closingEndsAllConnectionsAlsoOnesUnderWay() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Remote silent =
                host -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        ended.countDown();
                    }
                    throw new IOException("never");
                };
        McpClients servers = group().connect(timers);
        servers.add("silent", silent);
        begun.await();
        servers.close();
        servers.close();
        assertThat(ended.await(30, TimeUnit.SECONDS)).as("under way").isTrue();
        assertThat(files.closed.availablePermits()).isPositive();
        assertThat(web.closed.availablePermits()).isPositive();
        assertThatThrownBy(() -> call(servers, "read"))
                .isInstanceOf(ServerUnavailableException.class);
        assertThatThrownBy(() -> servers.add("more", web))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the group is closed");
    }

    @Test
    void closingEndsAlsoAConnectionWhoseOptionsSwallowTheInterrupt() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        McpClients servers = McpClients.named("desk", "1.4.0").server("web", web).connect(timers);
        servers.add(
                "files",
                files,
                client -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        // as code of users may do
                    }
                });
        begun.await();
        servers.close();
        assertThat(files.closed.availablePermits()).isPositive();
    }
}
