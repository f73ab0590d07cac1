package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.shared.PerRequestFrames;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/**
 * Anonymous callers without sessions on the loopback interface, who are spared from the limits of
 * one caller unless their options are given. Callers elsewhere are those that a trusted proxy
 * reports. {@link LoopbackRatesProofTest} shows that their calls are counted.
 */
@Timeout(120)
class LoopbackCallersTest extends ClosingTest {
    private static final Map<String, String> HERE = Map.of();
    static final Map<String, String> ELSEWHERE =
            Map.of("X-Forwarded-For", "203.0.113.1", "X-Forwarded-Proto", "http");
    private static final Map<String, String> REPORTED_LOOPBACK =
            Map.of("X-Forwarded-For", "127.0.0.1", "X-Forwarded-Proto", "http");

    private static final String LISTEN =
            PerRequestFrames.request(
                    "7", "subscriptions/listen", "\"notifications\": {\"toolsListChanged\": true}");

    /** The clock of the server stands still, so that no allowance is filled again. */
    private final ManualTimers timers = new ManualTimers();

    private final CountDownLatch release = new CountDownLatch(1);

    private HttpServing serve(
            UnaryOperator<McpServer.Builder> serverOptions, UnaryOperator<Tasks> taskOptions)
            throws Exception {
        McpServer server =
                closedLater(
                        serverOptions
                                .apply(
                                        Internals.withTimers(
                                                        McpServer.named("s", "1"), timers::share)
                                                .tasks(taskOptions.apply(Tasks.inMemory())))
                                .tool("echo", "Answers at once", NoInput.class, String.class)
                                .handle((none, call) -> "echoed")
                                .tool("wait", "Waits", NoInput.class, String.class)
                                .task(TaskSupport.REQUIRED)
                                .handle(
                                        (none, call) -> {
                                            release.await();
                                            return "done";
                                        })
                                .build());
        HttpListener listener =
                PerRequestFrames.listener().stateless().trustProxies("127.0.0.1", "127.0.0.2");
        HttpServing serving = closedLater(server.serve(listener));
        closedLater(release::countDown); // before the server closes
        return serving;
    }

    private HttpServing serve(UnaryOperator<McpServer.Builder> options) throws Exception {
        return serve(options, tasks -> tasks);
    }

    /** A client whose connections come from an address. */
    private HttpClient client(String address) throws Exception {
        HttpClient client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .localAddress(InetAddress.getByName(address))
                        .build();
        closedLater(client::shutdownNow);
        return client;
    }

    private static HttpResponse<String> post(
            HttpClient client,
            HttpServing serving,
            String body,
            Map<String, String> headers,
            Map<String, String> from)
            throws Exception {
        Map<String, String> all = new HashMap<>(headers);
        all.putAll(from);
        return client.send(
                PerRequestFrames.post(serving.uri(), body, all), BodyHandlers.ofString());
    }

    /** Returns the status of the answer to a request that begins a stream, which stays open. */
    private static int listen(HttpClient client, HttpServing serving, Map<String, String> from)
            throws Exception {
        Map<String, String> headers =
                new HashMap<>(PerRequestFrames.headers("subscriptions/listen", null));
        headers.putAll(from);
        return client.send(
                        PerRequestFrames.post(serving.uri(), LISTEN, headers),
                        BodyHandlers.ofInputStream())
                .statusCode();
    }

    private static HttpResponse<String> createTask(
            HttpClient client, HttpServing serving, Map<String, String> from) throws Exception {
        return tasks(client, serving, "tools/call", "wait", "\"name\": \"wait\"", from);
    }

    private static HttpResponse<String> tasks(
            HttpClient client,
            HttpServing serving,
            String method,
            String name,
            String members,
            Map<String, String> from)
            throws Exception {
        String body =
                PerRequestFrames.request(
                        "7",
                        method,
                        members,
                        "{\"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}",
                        "");
        return post(client, serving, body, PerRequestFrames.headers(method, name), from);
    }

    /** Returns how many of many calls, in batches of one thousand, are refused. */
    static int refused(
            HttpClient client, HttpServing serving, int batches, Map<String, String> from)
            throws Exception {
        String call =
                """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                 "params": {"name": "echo", "arguments": {}}}\
                """;
        StringBuilder batch = new StringBuilder("[");
        for (int i = 0; i < 1_000; i++) {
            batch.append(i == 0 ? "" : ",").append(call.replace("1,", i + ","));
        }
        Map<String, String> headers =
                Map.of(
                        "Content-Type", "application/json",
                        "Accept", "application/json, text/event-stream",
                        "MCP-Protocol-Version", "2025-03-26");
        int refused = 0;
        for (int i = 0; i < batches; i++) {
            String answer = post(client, serving, batch + "]", headers, from).body();
            refused += answer.split("Too many calls", -1).length - 1;
            assertThat(answer).containsAnyOf("echoed", "Too many calls");
        }
        return refused;
    }

    @Test
    @Requirement("TOOL-023")
    void callsOnTheLoopbackInterfaceAreNotCounted() throws Exception {
        HttpServing serving = serve(options -> options);
        HttpClient client = client("127.0.0.1");

        assertThat(refused(client, serving, 20, HERE)).isZero();
    }

    @Test
    @Requirement("N26-SUB-014")
    void streamsOnTheLoopbackInterfaceAreRefusedOnlyWhereOthersNeedThePlaces() throws Exception {
        HttpServing serving = serve(options -> options.maxListenStreams(200));
        HttpClient client = client("127.0.0.1");

        for (int i = 0; i < 150; i++) {
            assertThat(listen(client, serving, HERE)).as("stream " + i).isEqualTo(200);
        }
        assertThat(listen(client, serving, HERE)).isEqualTo(429);
        assertThat(listen(client("127.0.0.2"), serving, HERE)).isEqualTo(200);
        assertThat(listen(client, serving, ELSEWHERE)).isEqualTo(200);
    }

    @Test
    @Requirement("N26-SUB-014")
    void streamsOfOthersAreCountedByAddress() throws Exception {
        HttpServing serving = serve(options -> options);
        HttpClient client = client("127.0.0.1");

        for (int i = 0; i < 100; i++) {
            assertThat(listen(client, serving, ELSEWHERE)).isEqualTo(200);
        }
        assertThat(listen(client, serving, ELSEWHERE)).isEqualTo(429);
    }

    @Test
    void aLoopbackAddressThatAProxyReportsIsCounted() throws Exception {
        HttpServing serving = serve(options -> options);
        HttpClient client = client("127.0.0.1");

        for (int i = 0; i < 100; i++) {
            assertThat(listen(client, serving, HERE)).isEqualTo(200);
        }
        assertThat(listen(client, serving, REPORTED_LOOPBACK)).isEqualTo(429);
        assertThat(listen(client, serving, HERE)).isEqualTo(200);
        assertThat(listen(client, serving, REPORTED_LOOPBACK)).isEqualTo(429);
    }

    @Test
    void tasksOnTheLoopbackInterfaceAreRefusedOnlyWhereOthersNeedThePlaces() throws Exception {
        HttpServing serving = serve(options -> options, tasks -> tasks.maxRunning(200));
        HttpClient client = client("127.0.0.1");

        for (int i = 0; i < 150; i++) {
            assertThat(createTask(client, serving, HERE).statusCode())
                    .as("task " + i)
                    .isEqualTo(200);
        }
        assertThat(createTask(client, serving, HERE).statusCode()).isEqualTo(429);
        assertThat(createTask(client("127.0.0.2"), serving, HERE).statusCode()).isEqualTo(200);
        assertThat(createTask(client, serving, ELSEWHERE).statusCode()).isEqualTo(200);
    }

    @Test
    void tasksOnTheLoopbackInterfaceAreCountedOnRequest() throws Exception {
        HttpServing serving = serve(options -> options, tasks -> tasks.maxPerOwner(1));

        for (String address : List.of("127.0.0.1", "127.0.0.2")) {
            HttpClient client = client(address);
            assertThat(createTask(client, serving, HERE).statusCode()).isEqualTo(200);
            assertThat(createTask(client, serving, HERE).statusCode()).isEqualTo(429);
        }
    }

    @Test
    void operationsOfTasksOnTheLoopbackInterfaceAreNotCounted() throws Exception {
        HttpServing serving = serve(options -> options);

        assertThat(refusedLooks(serving, HERE)).isZero();
        assertThat(refusedLooks(serving, ELSEWHERE)).isPositive();
    }

    @Test
    void operationsOfTasksOnTheLoopbackInterfaceAreCountedOnRequest() throws Exception {
        HttpServing serving = serve(options -> options, tasks -> tasks.operationsPerSecond(10));

        assertThat(refusedLooks(serving, HERE)).isPositive();
    }

    private int refusedLooks(HttpServing serving, Map<String, String> from) throws Exception {
        HttpClient client = client("127.0.0.1");
        int refused = 0;
        for (int i = 0; i < 1_000; i++) {
            String answer =
                    tasks(client, serving, "tasks/get", "none", "\"taskId\": \"none\"", from)
                            .body();
            assertThat(answer).containsAnyOf("Unknown task", "Too many task operations");
            refused += answer.contains("Too many") ? 1 : 0;
        }
        return refused;
    }
}
