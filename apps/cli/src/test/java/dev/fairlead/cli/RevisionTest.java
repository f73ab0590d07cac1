package dev.fairlead.cli;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Commands that speak a revision of the user's choice to a server of both eras. */
@Timeout(600)
class RevisionTest {
    private static final String NEW = "2026-07-28";

    private static LocalShowcase server;

    @BeforeAll
    static void start() throws IOException {
        server = new LocalShowcase();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Ran run(String revision, String... typed) {
        List<String> all = new ArrayList<>(List.of(typed));
        all.addAll(List.of("--json", "--revision", revision, server.url()));
        return Cli.run(all.toArray(String[]::new));
    }

    private static JsonObject object(String... typed) {
        Ran ran = run(NEW, typed);
        assertThat(ran.status()).as("%s", ran).isZero();
        return (JsonObject) JsonValue.parse(ran.out());
    }

    private static String text(JsonObject result) {
        return ((JsonObject) result.array("content").elements().getFirst()).string("text");
    }

    @Test
    void discoverPrintsWhatTheServerSaysOfItself() {
        Ran found = Cli.run("discover", "--json", server.url());
        assertThat(found.status()).isZero();
        assertThat(
                        ((JsonObject) JsonValue.parse(found.out()))
                                .array("supportedVersions")
                                .elements())
                .contains(JsonValue.of(NEW), JsonValue.of("2025-11-25"));
        assertThat(Cli.run("discover", server.url()).out())
                .contains("Revisions: 2026-07-28, 2025-11-25")
                .contains("Capabilities: tools");
    }

    @Test
    void whatARevisionLacksIsAnErrorWithStatus2() {
        Ran discover = run("2025-11-25", "discover");
        assertThat(discover.status()).isEqualTo(2);
        assertThat(discover.out()).contains("-32601");
        Ran tasks = run(NEW, "tasks", "list");
        assertThat(tasks.status()).isEqualTo(2);
        assertThat(tasks.out())
                .startsWith("{\"error\":{\"code\":-32601,")
                .contains("use --revision 2025-11-25");
    }

    @Test
    void theRevisionIsFoundOutUnlessItIsSet() {
        Ran found = Cli.run("tasks", "list", "--json", server.url());
        assertThat(found.status()).isEqualTo(2);
        assertThat(found.out()).startsWith("{\"error\":{\"code\":-32601,");
        Ran old = run("2025-11-25", "tasks", "list");
        assertThat(old.status()).isZero();
        assertThat(old.out()).startsWith("{\"tasks\":[");
    }

    @Test
    void anUnknownRevisionIsWrongUsage() {
        Ran ran = run("1999-01-01", "ping");
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err()).contains("--revision must be one of 2026-07-28, 2025-11-25");
    }

    @Test
    void requestsAreAnsweredInEitherEra() {
        assertThat(run(NEW, "ping").out()).isEqualTo("{}\n");
        assertThat(object("tools", "list").get("resultType")).isEqualTo(JsonValue.of("complete"));
        assertThat(text(object("tools", "call", "interop_echo", "text=hello"))).isEqualTo("hello");
        assertThat(text(object("tools", "call", "test_x_mcp_header", "region=eu")))
                .contains("eu"); // repeated in a header
        assertThat(object("resources", "read", "test://static-text").has("contents")).isTrue();
        Ran old = run("2024-11-05", "tools", "list");
        assertThat(old.status()).isZero();
        assertThat(old.out()).doesNotContain("resultType");
    }

    @Test
    void aQuestionIsAnsweredInARound() {
        JsonObject result =
                object("tools", "call", "test_elicitation", "message=Who?", "--elicit", ANSWERS);
        assertThat(text(result)).contains("Ada");
    }

    private static final String ANSWERS =
            "{\"username\": \"Ada\", \"email\": \"ada@a.example\", \"name\": \"Ada\"}";

    @Test
    void aTaskOfTheExtensionIsStartedAskedAnsweredAndRead() {
        JsonObject result = object("tools", "call", "task_elicit", "--task", "--elicit", ANSWERS);
        assertThat(text(result)).contains("Ada");

        JsonObject started =
                object("tools", "call", "task_echo", "text=later", "--task", "--no-wait");
        assertThat(started.get("resultType")).isEqualTo(JsonValue.of("task"));
        String id = started.string("taskId");
        assertThat(text(object("tasks", "result", id))).isEqualTo("later");
        assertThat(object("tasks", "get", id).get("status")).isEqualTo(JsonValue.of("completed"));
        assertThat(object("tasks", "cancel", id).get("resultType"))
                .isEqualTo(JsonValue.of("complete"));
        assertThat(text(object("tools", "call", "task_required", "text=must"))).isEqualTo("must");
    }

    /** The server answers at once, since the tool never becomes a task. */
    @Test
    void aResultInPlaceOfATaskIsPrintedAsItCame() {
        JsonObject plain = object("tools", "call", "task_forbidden", "text=now");
        for (String[] option : new String[][] {{"--task"}, {"--task", "--no-wait"}}) {
            List<String> call = new ArrayList<>(List.of("tools", "call", "task_forbidden"));
            call.add("text=now");
            call.addAll(List.of(option));
            assertThat(object(call.toArray(String[]::new))).isEqualTo(plain);
        }
    }

    @Test
    void listenPrintsChangesInEitherEra() throws Exception {
        for (String revision : List.of(NEW, "2025-11-25")) {
            CompletableFuture<Ran> listening =
                    CompletableFuture.supplyAsync(
                            () ->
                                    run(
                                            revision,
                                            "listen",
                                            "--uri",
                                            "test://watched-resource",
                                            "--count",
                                            "1"));
            await("the change was printed")
                    .until(
                            () -> {
                                Cli.run(
                                        "tools",
                                        "call",
                                        "interop_touch_resource",
                                        "uri=test://watched-resource",
                                        server.url());
                                return listening.isDone();
                            });
            assertThat(listening.get().status()).isZero();
            assertThat(listening.get().out())
                    .isEqualTo(
                            "{\"method\":\"notifications/resources/updated\","
                                    + "\"params\":{\"uri\":\"test://watched-resource\"}}\n");
        }
    }
}
