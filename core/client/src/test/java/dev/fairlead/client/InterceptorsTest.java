package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Code around requests. */
final class InterceptorsTest {
    private final FakeServer server = new FakeServer();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private Interceptor noting(String name) {
        return (method, next) -> {
            seen.add(name + " before " + method.name());
            try {
                return next.proceed(method);
            } finally {
                seen.add(name + " after");
            }
        };
    }

    @Test
    void theyWrapRequestsInTheOrderGiven() throws Exception {
        server.on("tools/call", "{\"content\": []}");
        try (McpClient client =
                McpClient.named("desk", "1").intercept(noting("a"), noting("b")).connect(server)) {
            client.callTool("t", JsonObject.EMPTY);
            client.request("tools/call", JsonObject.of("name", "t"));
        }
        assertThat(seen.subList(0, 4))
                .containsExactly(
                        "a before tools/call", "b before tools/call", "b after", "a after");
        assertThat(seen).hasSize(8);
    }

    @Test
    void theyRunOnTheThreadOfTheCall() throws Exception {
        List<Thread> threads = new ArrayList<>();
        server.on("ping", "{}");
        try (McpClient client =
                McpClient.named("desk", "1")
                        .intercept(
                                (method, next) -> {
                                    threads.add(Thread.currentThread());
                                    return next.proceed(method);
                                })
                        .connect(server)) {
            client.ping();
        }
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void theyChangeParametersAndResults() throws Exception {
        server.on(
                "tools/call",
                params ->
                        "{\"content\": [{\"type\": \"text\", \"text\": \"%s\"}]}"
                                .formatted(params.string("name")));
        Interceptor renaming =
                (method, next) -> {
                    assertThat(method.revision()).contains(Revision.V2025_11_25);
                    assertThat(method.isInbound()).isFalse();
                    CallToolRequest request = (CallToolRequest) method.params();
                    next.proceed(method.withParams(request.withName("files." + request.name())));
                    return Outcome.complete(CallToolResult.text("changed"));
                };
        try (McpClient client = McpClient.named("desk", "1").intercept(renaming).connect(server)) {
            assertThat(client.callTool("t", JsonObject.EMPTY).text()).isEqualTo("changed");
        }
    }

    @Test
    void aTaskIsNoResultOfAPlainCall() throws Exception {
        Task task = new Task(new TaskId("t"), TaskStatus.WORKING, Instant.EPOCH, Instant.EPOCH);
        Interceptor creating =
                (method, next) -> new Outcome.TaskCreated<>(new CreateTaskResult(task));
        try (McpClient client = McpClient.named("desk", "1").intercept(creating).connect(server)) {
            assertThatThrownBy(() -> client.callTool("t", JsonObject.EMPTY))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "An interceptor returned a task for tools/call, which did not ask for"
                                    + " one");
        }
    }

    @Test
    void parametersOfAnotherClassAreRefused() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1")
                        .intercept((method, next) -> next.proceed(method.withParams("x")))
                        .connect(server)) {
            assertThatThrownBy(client::ping).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void whatTheyThrowReachesTheCaller() throws Exception {
        List<Exception> failures =
                new ArrayList<>(
                        List.of(
                                new JsonRpcException(-32000, "Too many calls"),
                                new IOException("disk")));
        try (McpClient client =
                McpClient.named("desk", "1")
                        .intercept(
                                (method, next) -> {
                                    throw failures.remove(0);
                                })
                        .connect(server)) {
            assertThatThrownBy(client::ping)
                    .isInstanceOf(JsonRpcException.class)
                    .hasMessage("Too many calls");
            assertThatThrownBy(client::ping)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("An interceptor of ping failed")
                    .hasCauseInstanceOf(IOException.class);
            server.expectNothing();
        }
    }

    @Test
    void inboundOnesWrapWhatTheServerAsks() throws Exception {
        Interceptor limit =
                (method, next) -> {
                    assertThat(method.isInbound()).isTrue();
                    throw new JsonRpcException(-32000, "Too many questions");
                };
        try (McpClient client =
                McpClient.named("desk", "1")
                        .roots()
                        .onRequest("com.example/x", params -> params)
                        .interceptInbound(
                                noting("in"),
                                (method, next) ->
                                        method.name().equals("roots/list")
                                                ? limit.intercept(method, next)
                                                : next.proceed(method))
                        .connect(server)) {
            server.ask(1, "roots/list", "{}");
            assertThat(server.response(1).get("error"))
                    .isEqualTo(JsonObject.of("code", -32000, "message", "Too many questions"));
            server.ask(2, "com.example/x", "{\"a\": 1}");
            assertThat(server.response(2).get("result")).isEqualTo(json("{\"a\": 1}"));
            assertThat(seen).contains("in before roots/list", "in before com.example/x");
            assertThat(client.revision()).isNotNull();
        }
    }
}
