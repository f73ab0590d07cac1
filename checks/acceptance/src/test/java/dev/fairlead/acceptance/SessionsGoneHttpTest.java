package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Clients of a server that starts again as one without sessions, or as one that needs them. */
@Timeout(120)
class SessionsGoneHttpTest extends ClosingTest {
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> changes = new ConcurrentLinkedQueue<>();
    private final Queue<String> renewed = new ConcurrentLinkedQueue<>();
    private McpServer server = server(Revision.V2025_11_25);
    private final HttpServing serving = server.serve(Http.port(0));

    record Name(String name) {}

    private McpServer server(Revision revision) {
        McpServer built =
                McpServer.named("changing", "1")
                        .revisions(revision, revision)
                        .tasks(Tasks.inMemory())
                        .intercept(
                                (method, next) -> {
                                    requests.add(method.name());
                                    return next.proceed(method);
                                })
                        .tool("greet", "Asks for a name, and greets", NoInput.class, String.class)
                        .task(TaskSupport.OPTIONAL)
                        .handle(
                                (none, call) ->
                                        "Hello "
                                                + call.elicit("Name?", Name.class)
                                                        .orElseThrow()
                                                        .name())
                        .resource("a://b", "b", String.class)
                        .handle((request, call) -> "b")
                        .resource("a://c", "c", String.class)
                        .handle((request, call) -> "c")
                        .build();
        return closedLater(built);
    }

    private McpClient connect(java.util.function.UnaryOperator<McpClient.Builder> more)
            throws InterruptedException {
        McpClient client =
                more.apply(McpClient.named("desk", "1"))
                        .onElicitForm(form -> Answer.accept(new Name("Ada")))
                        .onToolsChanged(list -> changes.add("tools"))
                        .onNewSession(why -> renewed.add(why.getMessage()))
                        .connect(Http.to(serving.uri()));
        return closedLater(client);
    }

    private void startAgainWithoutSessions() {
        startAgain(Revision.V2026_07_28);
    }

    private void startAgain(Revision revision) {
        int port = serving.port();
        server.close();
        server = server(revision);
        Rebinding.serve(server, Http.port(port));
    }

    /** The first request after the server has started again. */
    enum First {
        CALL {
            @Override
            void send(McpClient client) throws InterruptedException {
                assertThat(client.callTool("greet", JsonObject.EMPTY).text())
                        .isEqualTo("Hello Ada");
            }
        },
        ROUND { // which runs to its end, since it began in a session
            @Override
            void send(McpClient client) throws InterruptedException {
                assertThat(client.firstRound(new CallToolRequest("greet", JsonObject.EMPTY)))
                        .isInstanceOf(Outcome.Complete.class);
            }
        },
        WATCH {
            @Override
            void send(McpClient client) throws InterruptedException {
                assertThat(client.watch("a://c", uri -> {}).uri()).isEqualTo("a://c");
            }
        },
        LEVEL {
            @Override
            void send(McpClient client) throws InterruptedException {
                client.setLoggingLevel(LoggingLevel.ERROR);
            }
        },
        LIST {
            @Override
            void send(McpClient client) throws InterruptedException {
                assertThat(client.tools()).hasSize(1);
            }
        },
        RAW {
            @Override
            void send(McpClient client) throws InterruptedException {
                assertThat(client.request("tools/list", JsonObject.EMPTY).has("tools")).isTrue();
            }
        },
        TASK {
            @Override
            void send(McpClient client) throws InterruptedException {
                assertThat(
                                client.startTool(new CallToolRequest("greet", JsonObject.EMPTY))
                                        .await()
                                        .text())
                        .isEqualTo("Hello Ada");
            }
        },
        PING {
            @Override
            void send(McpClient client) throws InterruptedException {
                client.ping();
            }
        };

        abstract void send(McpClient client) throws InterruptedException;
    }

    @ParameterizedTest
    @EnumSource
    void theNextRequestFindsOut(First first) throws Exception {
        McpClient client = connect(builder -> builder.onLog(entry -> {}));
        client.setLoggingLevel(LoggingLevel.WARNING);
        client.watch("a://b", uri -> changes.add(uri));
        assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        startAgainWithoutSessions();

        first.send(client);

        assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        await().untilAsserted(() -> assertThat(renewed).hasSize(1));
        await().untilAsserted(
                        () -> {
                            server.resourceUpdated("a://b");
                            assertThat(changes).contains("a://b");
                        });
        server.update(
                features ->
                        features.tool("late", "Late", NoInput.class, String.class)
                                .handle((none, call) -> ""));
        await().untilAsserted(() -> assertThat(changes).contains("tools"));
        // and it is remembered
        requests.clear();
        assertThat(connect(builder -> builder).revision()).isEqualTo(Revision.V2026_07_28);
        assertThat(requests).doesNotContain("initialize");
    }

    @ParameterizedTest
    @EnumSource
    void theNextRequestFindsOutThatSessionsAreNeeded(First first) throws Exception {
        startAgainWithoutSessions();
        McpClient client = connect(builder -> builder.onLog(entry -> {}));
        client.setLoggingLevel(LoggingLevel.WARNING);
        client.watch("a://b", uri -> changes.add(uri));
        assertThat(client.tools()).hasSize(1);
        assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        startAgain(Revision.V2025_11_25);

        first.send(client);
        client.ping(); // where a level is set, no request is sent

        assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        await().untilAsserted(() -> assertThat(renewed).hasSize(1));
        await().untilAsserted(
                        () -> {
                            server.resourceUpdated("a://b");
                            assertThat(changes).contains("a://b");
                        });
        server.update(
                features ->
                        features.tool("late", "Late", NoInput.class, String.class)
                                .handle((none, call) -> ""));
        await().untilAsserted(() -> assertThat(changes).contains("tools"));
    }

    @Test
    void aClientThatOnlyWaitsFindsOutThatSessionsAreNeeded() throws Exception {
        startAgainWithoutSessions();
        McpClient client = connect(builder -> builder);
        client.watch("a://b", uri -> changes.add(uri));
        startAgain(Revision.V2025_11_25);

        await().untilAsserted(
                        () -> {
                            server.resourceUpdated("a://b");
                            assertThat(changes).contains("a://b");
                        });
        server.update(
                features ->
                        features.tool("late", "Late", NoInput.class, String.class)
                                .handle((none, call) -> ""));
        await().untilAsserted(() -> assertThat(changes).contains("tools"));
        assertThat(renewed)
                .singleElement()
                .asString()
                .contains("The server refuses the stream of changes");
        assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
    }

    @Test
    void aClientWithoutHandshakesGetsTheRefusal() throws Exception {
        startAgainWithoutSessions();
        McpClient client =
                connect(builder -> builder.revisions(Revision.V2026_07_28, Revision.V2026_07_28));
        assertThat(client.tools()).hasSize(1);
        startAgain(Revision.V2025_11_25);

        assertThatThrownBy(() -> client.callTool("greet", JsonObject.EMPTY))
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32022));
        assertThatThrownBy(() -> client.watch("a://c", uri -> {}))
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32022));
        assertThat(renewed).isEmpty();
    }

    @Test
    void aClientOfOlderRevisionsAloneGetsTheRefusal() throws Exception {
        McpClient client =
                connect(builder -> builder.revisions(Revision.V2024_11_05, Revision.V2025_11_25));
        startAgainWithoutSessions();

        assertThatThrownBy(() -> client.callTool("greet", JsonObject.EMPTY))
                .isInstanceOf(JsonRpcException.class);
        assertThat(renewed).isEmpty();
    }

    @Test
    void aClientThatFailsOnExpiredSessionsDoes() throws Exception {
        McpClient client = connect(McpClient.Builder::failOnExpiredSession);
        startAgainWithoutSessions();

        assertThatThrownBy(() -> client.callTool("greet", JsonObject.EMPTY))
                .isInstanceOf(SessionExpiredException.class)
                .hasMessageContaining("session");
        assertThat(connect(builder -> builder).revision()).isEqualTo(Revision.V2026_07_28);
    }
}
