package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.tasks.TaskExpiredException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Exceptions of calls have the stack trace of the calling thread. */
final class CallerStackTest {
    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private McpClient client;

    @BeforeEach
    void connect() throws Exception {
        server.greet("2025-11-25", FakeServer.TASKS);
        client = McpClient.named("desk", "1").connect(server, timers);
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** The frame that must be in the stack trace. */
    @CheckReturnValue
    private static <T> Background<T> calling(Callable<T> call) {
        return Background.call(() -> call(call));
    }

    private static <T> T call(Callable<T> call) throws Exception {
        return call.call();
    }

    private static <E extends CallException> E failure(Background<?> call, Class<E> type) {
        E failure = catchThrowableOfType(type, call::result);
        assertThat(failure.getStackTrace())
                .anySatisfy(
                        frame -> {
                            assertThat(frame.getClassName())
                                    .isEqualTo(CallerStackTest.class.getName());
                            assertThat(frame.getMethodName()).isEqualTo("call");
                        });
        return failure;
    }

    /** A request, and the method of the client that sends it. */
    enum Request {
        CALL_TOOL("tools/call") {
            @Override
            Object send(McpClient client) throws InterruptedException {
                return client.callTool("x", JsonObject.EMPTY);
            }
        },
        LIST_TOOLS("tools/list") {
            @Override
            Object send(McpClient client) throws InterruptedException {
                return client.tools();
            }
        },
        PING("ping") {
            @Override
            Object send(McpClient client) throws InterruptedException {
                client.ping();
                return "pong";
            }
        },
        GET_TASK("tasks/get") {
            @Override
            Object send(McpClient client) throws InterruptedException {
                return client.getTask(new TaskId("t-1"));
            }
        };

        final String method;

        Request(String method) {
            this.method = method;
        }

        abstract Object send(McpClient client) throws InterruptedException;
    }

    @ParameterizedTest
    @EnumSource
    void anErrorResponse(Request request) throws Exception {
        Background<Object> call = calling(() -> request.send(client));
        server.refuse(server.next(request.method), -32000, "no");
        assertThat(failure(call, JsonRpcException.class)).hasMessage("no");
    }

    @ParameterizedTest
    @EnumSource
    void aTimeout(Request request) throws Exception {
        Background<Object> call = calling(() -> request.send(client));
        server.next(request.method);
        timers.advance(Duration.ofHours(1));
        assertThat(failure(call, RequestTimeoutException.class))
                .hasMessageStartingWith(request.method + ": ");
    }

    @ParameterizedTest
    @EnumSource
    void aRequestThatTheTransportCannotDeliver(Request request) throws Exception {
        Background<Object> call = calling(() -> request.send(client));
        ConnectionException original =
                new ConnectionException("broken off", new IOException("reset"));
        server.fail(server.next(request.method), original);
        assertThat(failure(call, ConnectionException.class))
                .hasMessage("broken off")
                .hasCause(original);
    }

    @ParameterizedTest
    @EnumSource
    void aLostConnection(Request request) throws Exception {
        Background<Object> call = calling(() -> request.send(client));
        server.next(request.method);
        ConnectionException original = new ConnectionException("the process has ended");
        server.session().lost(original);
        assertThat(failure(call, ConnectionException.class))
                .hasMessage("the process has ended")
                .hasCause(original);
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatIsClosed(Request request) throws Exception {
        Background<Object> call = calling(() -> request.send(client));
        server.next(request.method);
        client.close();
        failure(call, ConnectionException.class);
        failure(calling(() -> request.send(client)), ConnectionException.class);
    }

    @Test
    void anErrorThatListsPagesHasTheErrorAsItsCause() throws Exception {
        Background<Object> call = calling(() -> Request.CALL_TOOL.send(client));
        server.send(
                """
                {"jsonrpc": "2.0", "id": %s, "error": {"code": -32042, "message": "Visit",
                 "data": {"elicitations": [{"mode": "url", "message": "Visit",
                  "url": "https://a.example/", "elicitationId": "e-1"}]}}}\
                """
                        .formatted(server.next("tools/call").get("id")));
        assertThat(failure(call, UrlElicitationRequiredException.class))
                .hasCauseExactlyInstanceOf(JsonRpcException.class);
    }

    @Nested
    final class Connecting {
        @Test
        void aServerThatCannotBeReached() {
            IOException original = new IOException("no route");
            Remote remote =
                    host -> {
                        throw original;
                    };
            assertThat(failure(connecting(remote), ConnectionException.class)).hasCause(original);
        }

        @Test
        void aTransportThatRefuses() {
            ConnectionException original = new ConnectionException("no token");
            Remote remote =
                    host -> {
                        throw original;
                    };
            assertThat(failure(connecting(remote), ConnectionException.class)).hasCause(original);
        }

        @Test
        void aServerThatDoesNotAnswer() throws Exception {
            server.keep("initialize");
            Background<McpClient> call = connecting(server);
            server.next("initialize");
            timers.advance(Duration.ofHours(1));
            failure(call, RequestTimeoutException.class);
        }

        @Test
        void aServerThatRefuses() throws Exception {
            server.keep("initialize");
            Background<McpClient> call = connecting(server);
            server.refuse(server.next("initialize"), -32602, "no");
            assertThat(failure(call, JsonRpcException.class)).hasMessage("no");
        }

        @CheckReturnValue
        private Background<McpClient> connecting(Remote remote) {
            return calling(() -> McpClient.named("desk", "1").connect(remote, timers));
        }
    }

    @Nested
    final class WithoutASession {
        private McpClient own;

        @BeforeEach
        void discover() throws Exception {
            server.on(
                    "server/discover",
                    """
                    {"resultType": "complete", "supportedVersions": ["2026-07-28"],
                     "capabilities": {"tools": {}}}\
                    """);
            server.on("tools/list", "{\"resultType\": \"complete\", \"tools\": []}");
            own =
                    McpClient.named("desk", "1")
                            .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                            .connect(server, timers);
        }

        @AfterEach
        void leave() {
            own.close();
        }

        @CheckReturnValue
        private Background<Object> call() {
            return calling(() -> Request.CALL_TOOL.send(own));
        }

        @Test
        void anErrorResponse() throws Exception {
            Background<Object> call = call();
            server.refuse(server.next("tools/call"), -32603, "no");
            assertThat(failure(call, JsonRpcException.class)).hasMessage("no");
        }

        @Test
        void aTimeout() throws Exception {
            Background<Object> call = call();
            server.next("tools/call");
            timers.advance(Duration.ofHours(1));
            failure(call, RequestTimeoutException.class);
        }

        @Test
        void aRequestThatTheTransportCannotDeliver() throws Exception {
            Background<Object> call = call();
            ConnectionException original = new ConnectionException("broken off");
            server.fail(server.next("tools/call"), original);
            assertThat(failure(call, ConnectionException.class)).hasCause(original);
        }

        @Test
        void aSecondRound() throws Exception {
            Background<Object> call = call();
            JsonObject first = server.next("tools/call");
            timers.untilNextTimer(
                    () ->
                            server.answer(
                                    first,
                                    "{\"resultType\": \"input_required\", \"requestState\":"
                                            + " \"s\"}"));
            timers.advance(Duration.ofMillis(50));
            server.refuse(server.next("tools/call"), -32603, "no");
            assertThat(failure(call, JsonRpcException.class)).hasMessage("no");
        }
    }

    @Nested
    final class WaitingForATask {
        @CheckReturnValue
        private Background<Object> waiting() {
            return calling(() -> client.task(new TaskId("t-1")).await());
        }

        private void answer(String status) throws InterruptedException {
            server.answer(server.next("tasks/get"), TaskHandleTest.task(0, status));
        }

        @Test
        void thatFailed() throws Exception {
            Background<Object> call = waiting();
            answer("failed");
            server.refuse(server.next("tasks/result"), 7, "no");
            assertThat(failure(call, JsonRpcException.class))
                    .hasMessage("no")
                    .hasCauseExactlyInstanceOf(JsonRpcException.class);
        }

        @Test
        void thatWasCancelled() throws Exception {
            Background<Object> call = waiting();
            answer("cancelled");
            assertThat(failure(call, TaskCancelledException.class).task())
                    .isEqualTo(new TaskId("t-1"));
        }

        @Test
        void thatIsUnknown() throws Exception {
            Background<Object> call = waiting();
            server.refuse(server.next("tasks/get"), -32602, "Task not found");
            assertThat(failure(call, TaskExpiredException.class))
                    .hasCauseInstanceOf(JsonRpcException.class);
        }

        @Test
        void thatTakesTooLong() throws Exception {
            Background<Object> call =
                    calling(() -> client.task(new TaskId("t-1")).await(Duration.ofMinutes(1)));
            answer("working");
            timers.awaitTimers(2);
            timers.advance(Duration.ofMinutes(2));
            failure(call, RequestTimeoutException.class);
        }

        @Test
        void ofAClientThatIsClosed() throws Exception {
            Background<Object> call = waiting();
            server.next("tasks/get");
            client.close();
            assertThat(failure(call, ConnectionException.class))
                    .hasCauseInstanceOf(ConnectionException.class);
        }

        @Test
        void thatTheServerDoesNotCreate() throws Exception {
            server.on(
                    "tools/list",
                    """
                    {"tools": [{"name": "forecast", "inputSchema": {"type": "object"},
                      "execution": {"taskSupport": "optional"}}]}\
                    """);
            Background<Object> call =
                    calling(
                            () ->
                                    client.startTool(
                                            new CallToolRequest("forecast", JsonObject.EMPTY)));
            server.refuse(server.next("tools/call"), -32000, "no");
            assertThat(failure(call, JsonRpcException.class)).hasMessage("no");
        }
    }
}
