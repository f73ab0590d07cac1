package dev.fairlead.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.testing.RawPeer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;

/**
 * Tasks in a file that a server filled when it still stored frames of revision 2025-11-25: one has
 * ended with an output that is no object, one has an answer and waits for another. All values are
 * as they were written, but for times.
 */
@Requirement("TASK-107")
class OlderRowsTest {
    private static final String[] ROWS = {
        "insert into mcp_node (id, space, name, steady, beat, died) values (1, 'tasks', 's',"
                + " 1795551379212, 1795551379212, 1795551382725)",
        task(1, "ended", "RESULT", null, "numbers"),
        """
        update mcp_task set outcome = '{"content":[{"type":"text","text":"{\\"result\\":[1.0E10,2.0]}"}],\
        "structuredContent":{"result":[1.0E10,2.0]}}' where seq = 1\
        """,
        task(2, "asking", "INPUT_REQUIRED", 1, "greet"),
        question(1, "MTRtKM0iUUKjaKcTmpTIApcVGSTADA5sWAbuga1SDYM", "First name?"),
        question(2, "emNivlKlQ0A2ZrHs478VlNsgniKf05QU8aklehC9wIM", "Last name?"),
        """
        update mcp_question set answer_state = 'RESULT',
        answer = '{"action":"accept","content":{"name":"Ada"}}' where ordinal = 1\
        """
    };

    @TempDir Path folder;
    private Database database;
    private McpServer server;
    private RawPeer peer;

    record Name(String name) {}

    private static String task(int seq, String id, String state, Integer node, String tool) {
        return """
        insert into mcp_task (seq, id, space, owner, access, state, run, node, created, updated, ttl,
        expires, rerunnable, owner_key, method, name_key, name, origin) values (%s, '%s', 'tasks',
        'tasks|local|local', 'tasks|local|local', '%s', 1, %s, 1795551380634, 1795551380873, 3600000,
        4102444800000, true, 'local|local', 'tools/call', '%5$s', '%5$s',
        '{"arguments":{},"capabilities":{"elicitation":{"form":{}}},"client":{"name":"raw",\
        "version":"1"},"revision":"2025-11-25"}')\
        """
                .formatted(seq, id, state, node, tool);
    }

    private static String question(int ordinal, String digest, String message) {
        return """
        insert into mcp_question (task, ordinal, digest, method, params) values (2, %s, '%s',
        'elicitation/create', '{"mode":"form","message":"%s","requestedSchema":{"type":"object",\
        "properties":{"name":{"type":"string"}},"required":["name"]}}')\
        """
                .formatted(ordinal, digest, message);
    }

    @BeforeEach
    void open() throws Exception {
        Path file = folder.resolve("tasks.db");
        Database.sqlite(file).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String row : ROWS) {
                statement.execute(row);
            }
        }
        database = Database.sqlite(file);
        server =
                McpServer.named("s", "1")
                        .tasks(JdbcTasks.on(database))
                        .tool("numbers", "Tested", NoInput.class, new TypeRef<List<Double>>() {})
                        .task(TaskSupport.OPTIONAL)
                        .handle((none, call) -> List.of(1e10, 2.0))
                        .tool("greet", "Tested", NoInput.class, String.class)
                        .task(TaskSupport.OPTIONAL)
                        .rerunAfterCrash()
                        .handle(
                                (none, call) ->
                                        call.elicit("First name?", Name.class).orElseThrow().name()
                                                + " "
                                                + call.elicit("Last name?", Name.class)
                                                        .orElseThrow()
                                                        .name())
                        .build();
        peer = RawPeer.client(server.host());
        peer.initialize(Revision.V2025_11_25, "{\"elicitation\":{\"form\":{}}}");
    }

    @AfterEach
    void close() {
        peer.close();
        server.close();
        database.close();
    }

    private JsonObject await(String member, String value) {
        JsonObject message = peer.next();
        while (!JsonValue.of(value).equals(message.get(member))) {
            message = peer.next();
        }
        return message;
    }

    private void askForResult(String task) {
        peer.send(
                """
                {"jsonrpc":"2.0","id":"wanted","method":"tasks/result","params":{"taskId":"%s"}}\
                """
                        .formatted(task));
    }

    private String result() {
        return await("id", "wanted").object("result").without("_meta").toJson();
    }

    /** Results are sent again in the form in which their server stored them. */
    @Test
    void anOutputThatWasStoredAsItWasSentIsSentSoAgain() {
        askForResult("ended");
        assertThat(result())
                .isEqualTo(
                        """
                        {"content":[{"type":"text","text":"{\\"result\\":[1.0E10,2.0]}"}],\
                        "structuredContent":{"result":[1.0E+10,2.0]}}\
                        """);
    }

    @Test
    void aTaskRunsOnWithTheAnswersAndQuestionsOfBefore() {
        askForResult("asking");
        JsonObject question = await("method", "elicitation/create");
        assertThat(question.object("params").toJson())
                .isEqualTo(
                        """
                        {"mode":"form","message":"Last name?","requestedSchema":{"type":"object",\
                        "properties":{"name":{"type":"string"}},"required":["name"]},\
                        "_meta":{"io.modelcontextprotocol/related-task":{"taskId":"asking"}}}\
                        """);
        peer.send(
                """
                {"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"Lovelace"}}}\
                """
                        .formatted(question.get("id")));

        assertThat(result())
                .isEqualTo("{\"content\":[{\"type\":\"text\",\"text\":\"Ada Lovelace\"}]}");
    }
}
