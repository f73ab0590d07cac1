package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.shared.Rebinding;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Clients of a server that starts again as one without sessions, or as one that needs them. */
@Timeout(120)
class SessionsGoneHttpTest extends ClosingTest {
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final Queue<String> changes = new ConcurrentLinkedQueue<>();
    private final Queue<String> renewed = new ConcurrentLinkedQueue<>();
    private McpServer server = server(Revision.V2025_11_25);
    private final HttpServing serving = Rebinding.serveOnOwnPort(server);

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
                        .build();
        return closedLater(built);
    }

    private McpClient connect(java.util.function.UnaryOperator<McpClient.Builder> more)
            throws InterruptedException {
        McpClient client =
                more.apply(McpClient.named("desk", "1"))
                        .onElicitForm(form -> Answer.accept(new Name("Ada")))
                        .onNewSession(why -> renewed.add(why.getMessage()))
                        .connect(Http.to(serving.uri()));
        return closedLater(client);
    }

    private void startAgain(Revision revision) {
        int port = serving.port();
        server.close();
        server = server(revision);
        Rebinding.serve(server, Http.port(port));
    }

    @Test
    void aCallToAServerThatNoLongerHasSessionsFailsAndTheNextRequestHasNone() throws Exception {
        McpClient client = connect(builder -> builder);
        client.watch("a://b", uri -> changes.add(uri));
        assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        startAgain(Revision.V2026_07_28);

        assertRefused(client, "2025-11-25");

        assertAnswered(client, Revision.V2026_07_28);
        requests.clear();
        assertThat(connect(builder -> builder).revision()).isEqualTo(Revision.V2026_07_28);
        assertThat(requests).doesNotContain("initialize"); // it is remembered
    }

    @Test
    void aCallToAServerThatNeedsSessionsFailsAndTheNextRequestHasOne() throws Exception {
        startAgain(Revision.V2026_07_28);
        McpClient client = connect(builder -> builder);
        client.watch("a://b", uri -> changes.add(uri));
        assertThat(client.revision()).isEqualTo(Revision.V2026_07_28);
        startAgain(Revision.V2025_11_25);

        assertRefused(client, "2026-07-28");

        assertAnswered(client, Revision.V2025_11_25);
    }

    private void assertRefused(McpClient client, String revision) {
        assertThatThrownBy(() -> client.callTool("greet", JsonObject.EMPTY))
                .isInstanceOfSatisfying(
                        JsonRpcException.class, e -> assertThat(e.code()).isEqualTo(-32022))
                .hasMessageEndingWith(
                        "; the server no longer speaks revision "
                                + revision
                                + ", so the next request uses a new connection");
    }

    private void assertAnswered(McpClient client, Revision revision) throws InterruptedException {
        assertThat(client.callTool("greet", JsonObject.EMPTY).text()).isEqualTo("Hello Ada");
        assertThat(client.revision()).isEqualTo(revision);
        await().untilAsserted(() -> assertThat(renewed).hasSize(1));
        await().untilAsserted(
                        () -> {
                            server.resourceUpdated("a://b");
                            assertThat(changes).contains("a://b");
                        });
    }

    @Test
    void aClientThatFailsOnExpiredSessionsKeepsItsRevision() throws Exception {
        McpClient client = connect(McpClient.Builder::failOnExpiredSession);
        startAgain(Revision.V2026_07_28);

        assertRefused(client, "2025-11-25");

        assertThat(client.revision()).isEqualTo(Revision.V2025_11_25);
        assertThat(renewed).isEmpty();
        assertThat(connect(builder -> builder).revision()).isEqualTo(Revision.V2026_07_28);
    }
}
