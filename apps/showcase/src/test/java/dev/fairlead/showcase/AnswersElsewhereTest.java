package dev.fairlead.showcase;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.jdbc.Database;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.shared.RawClient;
import dev.fairlead.test.shared.StreamClient;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/**
 * Two servers with one store: the question of a task is asked by one, and its answer comes to the
 * other.
 */
@Timeout(180)
class AnswersElsewhereTest extends ClosingTest {
    @TempDir Path folder;

    private McpServer other;
    private String otherUrl;

    /** A client of the server that runs the task. */
    private StreamClient here;

    private JsonObject task;
    private JsonObject question;

    @BeforeEach
    void ask() throws Exception {
        Database database = closedLater(Database.sqlite(folder.resolve("shared.db")));
        McpServer runner = closedLater(server(database));
        other = closedLater(server(database));
        otherUrl = other.serve(Http.port(0)).uri().toString();
        here = client(runner.serve(Http.port(0)).uri().toString());
        task = here.start("task_elicit", JsonObject.EMPTY);
        here.sendUnanswered("tasks/result", RawClient.id(task));
        question = here.awaitQuestion("elicitation/create", task);
    }

    private static McpServer server(Database database) {
        return Showcase.server(database.tasks(), builder -> builder.store(database));
    }

    private StreamClient client(String url) throws Exception {
        StreamClient client = closedLater(new StreamClient(url));
        client.initialize("{\"elicitation\": {}}");
        return client;
    }

    private String result(StreamClient client) throws Exception {
        return RawClient.text(client.request("tasks/result", RawClient.id(task)).result());
    }

    @Test
    void itIsTheAnswerOfTheTask() throws Exception {
        StreamClient moved = closedLater(here.sameSession(otherUrl));
        moved.respond(question, RawClient.accepted("name", "Ada"));
        moved.awaitStatus(task, "completed");
        assertThat(result(moved)).isEqualTo("Hello Ada");
        assertThat(other.droppedResponses()).isZero();
    }

    @Test
    void anAnswerThatIsRepeatedIsDropped() throws Exception {
        StreamClient moved = closedLater(here.sameSession(otherUrl));
        moved.respond(question, RawClient.accepted("name", "Ada"));
        moved.awaitStatus(task, "completed");
        moved.respond(question, RawClient.accepted("name", "Grace"));
        await().until(() -> other.droppedResponses() == 1);
    }

    @Test
    void anotherSessionCannotAnswer() throws Exception {
        StreamClient foreign = client(otherUrl);
        foreign.respond(question, RawClient.accepted("name", "Mallory"));
        await().until(() -> other.droppedResponses() == 1);
        here.respond(question, RawClient.accepted("name", "Ada"));
        assertThat(result(here)).isEqualTo("Hello Ada");
    }
}
