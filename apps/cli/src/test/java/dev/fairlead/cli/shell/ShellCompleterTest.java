package dev.fairlead.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.Doc;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Completion;

import org.jline.reader.Candidate;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Parser;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

class ShellCompleterTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    enum Unit {
        METRIC,
        IMPERIAL
    }

    record Query(@Doc("Name of the city") String city, Unit unit, boolean exact) {}

    record Review(String team, String reviewer) {}

    record Item(String id) {}

    private final AtomicInteger asked = new AtomicInteger();
    private McpServer server;
    private McpClient client;
    private ShellCompleter completer;

    @BeforeEach
    void connect() throws InterruptedException {
        server =
                McpServer.named("test", "1")
                        .tool("forecast", "Weather", Query.class, String.class)
                        .handle((query, call) -> "sunny")
                        .tool("format", "Format", Item.class, String.class)
                        .handle((item, call) -> "")
                        .prompt("review", "Review", Review.class)
                        .complete("team", (typed, call) -> List.of("red", "green"))
                        .complete("reviewer", this::reviewers)
                        .handle((review, call) -> GetPromptResult.of())
                        .resource("docs://guide", "guide", String.class)
                        .handle((request, call) -> "")
                        .resourceTemplate("items://{id}/data", "item", Item.class, String.class)
                        .complete("id", (typed, call) -> List.of(typed.value() + "1"))
                        .handle((item, call) -> "")
                        .build();
        client = McpClient.connect(server.inProcess());
        completer =
                new ShellCompleter(
                        new Catalogue(client, PATIENCE),
                        new ArgumentValues(client, PATIENCE),
                        () -> List.of("docs://guide"),
                        () -> List.of("t-2", "t-1"));
    }

    private List<String> reviewers(Completion typed, Call call) {
        asked.incrementAndGet();
        String team = typed.others().getOrDefault("team", "?");
        return List.of(team + "-" + typed.value(), "\u001b[2J");
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    /** The completions of the last word, which is being typed. */
    private List<String> proposals(String... words) {
        List<String> before = List.of(words).subList(0, words.length - 1);
        return completer.proposals(before, words[words.length - 1]).toList();
    }

    @Test
    void theFirstWordIsACommand() {
        assertThat(proposals("")).contains("tools", "call", "exit").hasSize(19);
    }

    @Test
    void namesOfToolsPromptsAndResourcesComeFromTheServer() {
        assertThat(proposals("call", "")).containsExactly("forecast", "format");
        assertThat(proposals("prompt", "")).containsExactly("review");
        assertThat(proposals("read", "")).containsExactly("docs://guide", "items://");
        assertThat(proposals("unwatch", "")).containsExactly("docs://guide");
        assertThat(proposals("log", "")).contains("debug", "emergency");
    }

    @Test
    void idsOfTasksAreThoseThatWereSeen() {
        assertThat(proposals("start", "")).containsExactly("forecast", "format");
        assertThat(proposals("task", "forecast", "u")).contains("unit=");
        assertThat(proposals("tasks", "")).containsExactly("get", "result", "cancel");
        assertThat(proposals("tasks", "result", "")).containsExactly("t-2", "t-1");
        assertThat(proposals("tasks", "result", "t-2", "")).isEmpty();
    }

    @Test
    void argumentsOfAToolAreThoseOfItsSchemaThatAreMissing() {
        assertThat(proposals("call", "forecast", "")).containsExactly("city=", "unit=", "exact=");
        assertThat(proposals("call", "forecast", "city=Oslo", "u"))
                .containsExactly("unit=", "exact=");
        assertThat(proposals("call", "unknown", "")).isEmpty();
    }

    @Test
    void valuesOfAToolAreItsChoices() {
        assertThat(proposals("call", "forecast", "unit="))
                .containsExactly("unit=METRIC", "unit=IMPERIAL");
        assertThat(proposals("call", "forecast", "exact="))
                .containsExactly("exact=true", "exact=false");
        assertThat(proposals("call", "forecast", "city=")).isEmpty();
    }

    @Test
    @Requirement({"COMP-002", "COMP-003"})
    void argumentsOfAPromptAreCompletedByTheServer() {
        assertThat(proposals("prompt", "review", "")).containsExactly("team=", "reviewer=");
        assertThat(proposals("prompt", "review", "team="))
                .containsExactly("team=red", "team=green");
    }

    @Test
    @Requirement("COMP-005")
    void whatIsFilledInAlreadyIsSentAlong() {
        assertThat(proposals("prompt", "review", "team=red", "reviewer=a"))
                .contains("reviewer=red-a");
    }

    @Test
    @Requirement("COMP-007")
    void theSameQuestionIsAskedOnce() {
        proposals("prompt", "review", "reviewer=a");
        proposals("prompt", "review", "reviewer=a");

        assertThat(asked).hasValue(1);
    }

    @Test
    void variablesOfATemplateAreCompletedByTheServer() {
        assertThat(proposals("read", "items://4")).contains("items://41/data");
    }

    @Test
    void whatCannotBePrintedIsNotProposed() throws IOException {
        List<Candidate> candidates = new ArrayList<>();
        String line = "prompt review reviewer=a";

        completer.complete(
                LineReaderBuilder.builder()
                        .terminal(
                                new DumbTerminal(
                                        InputStream.nullInputStream(),
                                        OutputStream.nullOutputStream()))
                        .build(),
                TypedLine.parser().parse(line, line.length(), Parser.ParseContext.COMPLETE),
                candidates);

        assertThat(candidates).extracting(Candidate::value).containsExactly("reviewer=?-a");
    }

    @Test
    void aServerThatIsGoneOffersNothing() {
        client.close();

        assertThat(proposals("call", "")).isEmpty();
        assertThat(proposals("prompt", "review", "team=")).isEmpty();
    }
}
