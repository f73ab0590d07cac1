package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;

/** One line for each request that ended. */
@Timeout(120)
class RequestLogTest {
    private static final String SECRET = "hunter2";

    record Text(String text) {}

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);
    private final Logged logged = new Logged("dev.fairlead.requests", Level.FINE);

    private McpServer.Builder server() {
        return McpServer.named("test", "1")
                .callTimeout(Duration.ofHours(1))
                .tool("echo", "Returns a text", Text.class, String.class)
                .handle((text, call) -> text.text())
                .tool("fail", "Fails", Text.class, String.class)
                .handle(
                        (text, call) -> {
                            throw new ToolFailedException(text.text());
                        })
                .tool("wait", "Waits", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            begun.countDown();
                            never.await();
                            return "done";
                        })
                .resource("notes://one", "one", String.class)
                .handle((none, call) -> SECRET);
    }

    @AfterEach
    void close() {
        logged.close();
    }

    private List<String> lines(String method) {
        return logged.lines().stream().filter(line -> line.contains(" " + method)).toList();
    }

    private void awaitLine(String text) throws InterruptedException {
        await("a line with " + text)
                .until(() -> logged.lines().stream().anyMatch(line -> line.contains(text)));
    }

    @Test
    void eachOutcomeHasItsLineWithoutArgumentsAndResults() throws Exception {
        try (McpServer server = server().build();
                HttpServing serving = server.serve(Http.port(0));
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                                .connect(Http.to(serving.uri()))) {
            client.callTool("echo", JsonObject.of("text", SECRET));
            client.callTool("fail", JsonObject.of("text", SECRET));
            client.readResource("notes://one");
            assertThatThrownBy(
                            () -> client.callTool("un\u001b[2Jknown\r\nFORGED", JsonObject.EMPTY))
                    .isInstanceOf(JsonRpcException.class);
            FutureTask<?> waiting =
                    new FutureTask<>(() -> client.callTool("wait", JsonObject.EMPTY));
            Thread caller = Thread.ofVirtual().start(waiting);
            begun.await(); // a call that comes after its cancellation would run
            caller.interrupt();
            assertThatThrownBy(waiting::get).hasCauseInstanceOf(InterruptedException.class);
            awaitLine("cancelled");
        }

        String rest =
                " after [0-9.]+ m?s \\(session http [0-9A-Za-z]{10}, caller anonymous, id"
                        + " [0-9]+\\)";
        assertThat(lines("initialize"))
                .singleElement()
                .asString()
                .matches("FINE initialize: ok" + rest);
        assertThat(lines("tools/call"))
                .satisfiesExactly(
                        line -> assertThat(line).matches("FINE tools/call 'echo': ok" + rest),
                        line -> assertThat(line).matches("FINE tools/call 'fail': isError" + rest),
                        line ->
                                assertThat(line)
                                        .contains(
                                                "tools/call"
                                                    + " 'un\\u001b[2Jknown\\u000d\\u000aFORGED':"
                                                    + " error -32602 after "),
                        line ->
                                assertThat(line)
                                        .matches("FINE tools/call 'wait': cancelled" + rest));
        assertThat(lines("resources/read"))
                .singleElement()
                .asString()
                .matches("FINE resources/read 'notes://one': ok" + rest);
        assertThat(logged.lines()).noneMatch(line -> line.contains(SECRET));
    }

    @Test
    void aCallThatRanOutOfTimeTimedOut() throws Exception {
        ManualTimers timers = new ManualTimers();
        try (McpServer server = Internals.withTimers(server(), timers::share).build();
                McpClient client =
                        McpClient.named("desk", "1")
                                .requestTimeout(Duration.ofHours(2))
                                .connect(server.inProcess());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> call = callers.submit(() -> client.callTool("wait", JsonObject.EMPTY));
            begun.await();
            timers.advance(Duration.ofHours(1));
            call.get();
            awaitLine("timed out");
        }

        assertThat(lines("tools/call"))
                .singleElement()
                .asString()
                .startsWith("FINE tools/call 'wait': timed out after ")
                .contains("(session memory, caller anonymous, client desk 1, id ");
    }

    @Test
    void aRequestWithoutSessionNamesItsAddressAndItsClient() throws Exception {
        try (McpServer server = server().build();
                HttpServing serving = server.serve(Http.port(0));
                McpClient client = McpClient.named("desk", "1.4").connect(Http.to(serving.uri()))) {
            client.callTool("echo", JsonObject.of("text", SECRET));
        }

        assertThat(lines("tools/call"))
                .singleElement()
                .asString()
                .contains("(session http, caller anonymous from 127.0.0.1, client desk 1.4, id ");
    }

    @Test
    void slowRequestsAreLoggedAtInfo() throws Exception {
        try (McpServer server = server().slowRequest(Duration.ofNanos(1)).build();
                McpClient client = McpClient.connect(server.inProcess())) {
            client.callTool("echo", JsonObject.of("text", "x"));
        }

        assertThat(lines("tools/call")).singleElement().asString().startsWith("INFO ");
    }

    @Test
    void aStreamOfChangesIsNeverSlow() throws Exception {
        try (McpServer server = server().slowRequest(Duration.ofNanos(1)).build()) {
            try (McpClient client =
                    McpClient.named("test", "1")
                            .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                            .connect(server.inProcess())) {
                client.watch("notes://one", change -> {});
            }
            awaitLine("subscriptions/listen");
        }

        assertThat(lines("subscriptions/listen")).allMatch(line -> line.startsWith("FINE "));
    }

    @Test
    void theThresholdIsPositive() {
        assertThatThrownBy(() -> server().slowRequest(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
