package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcChanges;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.testing.RoundRobin;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A client of three nodes behind a load balancer that knows nothing of sessions. */
@Timeout(120)
class SeveralNodesTest extends ClosingTest {
    private static final List<byte[]> KEYS =
            List.of("a key of at least 32 bytes for all these nodes".getBytes(UTF_8));

    @TempDir Path folder;

    private final List<McpServer> servers = new ArrayList<>();
    private final Queue<String> changes = new ConcurrentLinkedQueue<>();
    private RoundRobin balancer;

    record Name(String name) {}

    @BeforeEach
    void start() throws IOException {
        Database database = closedLater(Database.sqlite(folder.resolve("shared.db")));
        // @start region="nodes"
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            McpServer server = closedLater(server(database));
            servers.add(server);
            HttpServing serving =
                    server.serve(
                            Http.port(0)
                                    .eventStore(JdbcEvents.on(database))
                                    .peers(Peers.listen("127.0.0.1", 0)));
            ports.add(serving.port());
        }
        balancer =
                closedLater(new RoundRobin(ports.stream().mapToInt(Integer::intValue).toArray()));
        // @end
    }

    private static McpServer server(Database database) {
        return McpServer.named("nodes", "1")
                .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                .tasks(JdbcTasks.on(database))
                .changes(JdbcChanges.on(database))
                .requestState(RequestState.keys(KEYS))
                .tool("greet", "Asks for a name, and greets", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .handle(
                        (none, call) ->
                                "Hello " + call.elicit("Name?", Name.class).orElseThrow().name())
                .resource("a://b", "b", String.class)
                .handle((request, call) -> "b")
                .build();
    }

    private McpClient connect() throws InterruptedException {
        return closedLater(
                McpClient.named("desk", "1")
                        .onElicitForm(form -> Answer.accept(new Name("Ada")))
                        .onNewSession(why -> changes.add("new session"))
                        .connect(Http.to(balancer.uri())));
    }

    private static void assertGreets(McpClient client) throws InterruptedException {
        assertThat(client.callTool("greet", JsonObject.EMPTY).text()).isEqualTo("Hello Ada");
    }

    @Test
    void questionsOfCallsAreAskedAndAnsweredThroughAnyNode() throws Exception {
        McpClient client = connect();

        for (int i = 0; i < 7; i++) {
            assertThat(client.tools()).hasSize(1);
            assertGreets(client);
        }

        assertThat(changes).isEmpty();
    }

    @Test
    void aChangeAtAnyNodeReachesTheClient() throws Exception {
        McpClient client = connect();
        client.watch("a://b", changes::add);

        for (McpServer server : servers) {
            changes.clear();
            await().until(
                            () -> {
                                server.resourceUpdated("a://b");
                                return changes.contains("a://b");
                            });
        }
    }

    @Test
    void aSessionOutlivesEachOfItsNodes() throws Exception {
        McpClient client = connect();
        client.watch("a://b", changes::add);
        for (McpServer server : servers.subList(0, 2)) {
            assertGreets(client);
            server.close();
        }

        assertGreets(client);
        await().until(
                        () -> {
                            servers.getLast().resourceUpdated("a://b");
                            return changes.contains("a://b");
                        });
        assertThat(changes).doesNotContain("new session");
    }
}
