package dev.fairlead.proofs.nodes;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.testing.RoundRobin;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Three processes that share a PostgreSQL, behind a load balancer that knows no sessions. */
@Tag("proof")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ThreeNodesTest extends ClosingTest {
    private static final int CALLS = 30;

    private final Queue<String> renewed = new ConcurrentLinkedQueue<>();
    private Nodes nodes;
    private RoundRobin balancer;

    @BeforeEach
    void start() throws Exception {
        nodes = closedLater(Nodes.start(3));
        balancer = closedLater(new RoundRobin(nodes.ports()));
    }

    private McpClient connect() throws InterruptedException {
        return closedLater(
                McpClient.named("caller", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                        .requestTimeout(Duration.ofSeconds(60))
                        .onElicitForm(ThreeNodesTest::answer)
                        .onNewSession(why -> renewed.add(String.valueOf(why.getMessage())))
                        .connect(Http.to(balancer.uri())));
    }

    private static Answer<?> answer(ElicitForm form) {
        return switch (form.message()) {
            case "First?" -> Answer.accept(JsonObject.of("a", "first"));
            case "Second?" -> Answer.accept(JsonObject.of("b", "second"));
            default -> throw new IllegalStateException(form.message());
        };
    }

    private static void assertAnswered(McpClient client) throws InterruptedException {
        JsonObject seen =
                (JsonObject)
                        client.callTool("interop_rounds", JsonObject.EMPTY).structuredContent();
        assertThat(seen.string("a")).isEqualTo("first");
        assertThat(seen.string("b")).isEqualTo("second");
    }

    @Test
    void eachCallAndEachAnswerReachesItsSession() throws Exception {
        McpClient client = connect();
        for (int i = 0; i < CALLS; i++) {
            assertAnswered(client);
        }

        assertThat(renewed).isEmpty();
    }

    @Test
    void aSessionOutlivesAKilledOwnerAndOneThatEnds() throws Exception {
        McpClient client = connect(); // its session begins at the first or second node
        assertAnswered(client);
        nodes.get(0).kill();
        await().ignoreExceptions().until(() -> isAnswered(client));
        nodes.get(1).terminate();
        nodes.get(1).exitStatus(); // it refuses new calls meanwhile
        await().ignoreExceptions().until(() -> isAnswered(client));

        for (int i = 0; i < CALLS; i++) {
            assertAnswered(client);
        }
        assertThat(renewed).isEmpty();
    }

    private static boolean isAnswered(McpClient client) throws InterruptedException {
        assertAnswered(client);
        return true;
    }
}
