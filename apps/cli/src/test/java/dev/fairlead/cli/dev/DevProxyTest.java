package dev.fairlead.cli.dev;

import static dev.fairlead.protocol.Revision.V2025_11_25;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.spi.ConsoleTarget.Restart;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;

/** The proxy of {@code fairlead dev} with servers in this process and changes of the test's own. */
@Timeout(600)
class DevProxyTest {
    private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final List<McpServer> servers = new ArrayList<>();
    private volatile McpServer current;
    private volatile String failure = "";
    private DevProxy proxy;

    private final Remote program =
            host -> {
                if (!failure.isEmpty()) {
                    throw new IOException(failure);
                }
                return current.inProcess().connect(host);
            };

    @BeforeEach
    void start() throws InterruptedException {
        become("one");
        proxy = DevProxy.start(program, changes::take, log::add);
    }

    @AfterEach
    void stop() {
        proxy.close();
        servers.forEach(McpServer::close);
    }

    /** The program is from now on a server with this tool, and one that does not end. */
    private void become(String tool) {
        current =
                McpServer.named("hello", "1.2.3")
                        .instructions("Try it")
                        .tool(tool, "Returns its name", NoInput.class, String.class)
                        .handle((none, call) -> tool)
                        .tool("wait", "Never ends", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    called.countDown();
                                    never.await();
                                    return "";
                                })
                        .build();
        servers.add(current);
    }

    private static String call(McpClient client, String tool) throws InterruptedException {
        return client.callTool(tool, JsonObject.EMPTY).text();
    }

    private static boolean has(ListToolsResult list, String tool) {
        return list.tools().stream().map(Tool::name).anyMatch(tool::equals);
    }

    @Test
    void aClientSeesTheNameAndTheToolsOfTheServer() throws Exception {
        try (McpClient client = McpClient.connect(proxy.inProcess())) {
            assertThat(client.serverInfo().name()).isEqualTo("hello");
            assertThat(client.serverInfo().version()).isEqualTo("1.2.3");
            assertThat(client.instructions()).contains("Try it");
            assertThat(client.tools()).map(Tool::name).containsExactly("one", "wait");
            assertThat(call(client, "one")).isEqualTo("one");
        }
    }

    @Test
    void aClientIsNotifiedOfTheToolsOfTheNextServer() throws Exception {
        BlockingQueue<ListToolsResult> lists = new LinkedBlockingQueue<>();
        McpClient.Builder builder =
                McpClient.named("test", "1").onToolsChanged(list -> lists.add(list));
        try (McpClient client = builder.connect(proxy.inProcess())) {
            assertThat(client.tools()).isNotEmpty(); // waits until changes are listened to
            become("two");
            changes.add("Hello.class");

            assertThat(log.take()).isEqualTo("Hello.class changed; the server was restarted");
            ListToolsResult list = lists.take();
            while (!has(list, "two")) {
                list = lists.take();
            }
            assertThat(has(list, "one")).isFalse();
            assertThat(call(client, "two")).isEqualTo("two");
        }
    }

    @Test
    void aCallUnderWayEndsWithTheReason() throws Exception {
        try (McpClient client = McpClient.connect(proxy.inProcess())) {
            FutureTask<CallToolResult> running =
                    new FutureTask<>(() -> client.callTool("wait", JsonObject.EMPTY));
            Thread.ofVirtual().start(running);
            called.await();
            changes.add("Hello.class");

            assertThatThrownBy(running::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("The server was restarted since Hello.class changed; call again");
        }
    }

    @Test
    void aServerThatDoesNotStartLeavesTheOneBeforeRunning() throws Exception {
        try (McpClient client = McpClient.connect(proxy.inProcess())) {
            assertThat(call(client, "one")).isEqualTo("one");
            failure = "no main class\nfairlead dev: all is well";
            changes.add("Hello.class");

            assertThat(log.take())
                    .startsWith("Hello.class changed, but the server does not start: ")
                    .contains("no main class fairlead dev: all is well")
                    .endsWith("; the one from before the change keeps running");
            assertThat(call(client, "one")).isEqualTo("one");

            failure = "";
            become("two");
            changes.add("Hello.class");
            assertThat(log.take()).isEqualTo("Hello.class changed; the server was restarted");
        }
    }

    /** A page of the console, as it uses its target. */
    @Test
    void aPageIsConnectedToTheNextServer() throws Exception {
        DevConsole.Tried tried =
                new DevConsole.Tried(proxy, List.of("java", "-jar", "a.jar"), stderr -> program);
        BlockingQueue<Restart> restarts = new LinkedBlockingQueue<>();
        Runnable unfollow = tried.onRestart(restarts::add);
        assertThat(tried.label()).isEqualTo("hello");
        assertThat(tried.words()).containsExactly("--", "java", "-jar", "a.jar");
        McpClient.Builder client = tried.client().revisions(V2025_11_25, V2025_11_25);
        try (McpClient before = client.connect(tried.remote(line -> {}))) {
            assertThat(call(before, "one")).isEqualTo("one");
            FutureTask<CallToolResult> running =
                    new FutureTask<>(() -> before.callTool("wait", JsonObject.EMPTY));
            Thread.ofVirtual().start(running);
            called.await();
            become("two");
            changes.add("Hello.class");

            String message = "Hello.class changed; the server was restarted";
            assertThat(restarts.take()).isEqualTo(new Restart(message, true));
            assertThatThrownBy(running::get)
                    .cause()
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("The server was restarted since Hello.class changed");
        }
        try (McpClient after = client.connect(tried.remote(line -> {}))) {
            assertThat(call(after, "two")).isEqualTo("two");
            failure = "no main class";
            changes.add("Hello.class");
            assertThat(restarts.take().succeeded()).isFalse();
            assertThat(call(after, "two")).isEqualTo("two");
        }
        unfollow.run();
        changes.add("Hello.class");
        assertThat(log.take()).endsWith("restarted");
        assertThat(log.take()).contains("no main class");
        assertThat(log.take()).contains("no main class");
        assertThat(restarts).isEmpty();
    }

    @Test
    void connectionsBesideTheProxyEndWithIt() throws Exception {
        CountDownLatch lost = new CountDownLatch(1);
        McpClient.Builder builder =
                McpClient.named("test", "1")
                        .revisions(V2025_11_25, V2025_11_25)
                        .onConnectionLost(why -> lost.countDown());
        try (McpClient client = builder.connect(proxy.through(program))) {
            assertThat(call(client, "one")).isEqualTo("one");
            proxy.close();
            lost.await();
        }
    }

    @Test
    void aServerThatNeverStartedIsAFailure() {
        failure = "no such program";
        assertThatThrownBy(() -> DevProxy.start(program, changes::take, log::add))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("no such program");
    }

    /** Otherwise a client would keep a process that has read the classes of before. */
    @Test
    void aConnectionDuringARestartIsRefused() {
        RestartableServer[] server = new RestartableServer[1];
        server[0] =
                new RestartableServer(
                        host -> {
                            server[0].restart("changed");
                            return current.inProcess().connect(host);
                        });
        assertThatThrownBy(() -> McpClient.connect(server[0]))
                .hasMessageContaining("the server was started again meanwhile");
    }
}
