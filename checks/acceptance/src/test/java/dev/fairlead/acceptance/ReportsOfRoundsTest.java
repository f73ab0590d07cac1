package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** A person sees the progress and the log of a handler that starts again as if it ran once. */
class ReportsOfRoundsTest {
    record Name(String name) {}

    private final List<Progress> bar = Collections.synchronizedList(new ArrayList<>());
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());

    private McpClient.Builder person() {
        return McpClient.named("person", "1")
                .onElicitForm(form -> Answer.accept(new Name("Ada")))
                .onLog(entry -> log.add(entry.data().toJson()));
    }

    private void call(McpTest test) throws Exception {
        McpClient client = test.client(person());
        assertThat(client.withProgress(bar::add).callTool("survey", JsonObject.EMPTY).isError())
                .isNotEqualTo(true);
        assertThat(client.awaitLog(Duration.ofSeconds(60))).isTrue();
    }

    private static McpServer.Builder survey() {
        return McpServer.named("survey", "1")
                .tool("survey", "Asks three questions", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            call.log(LoggingLevel.INFO, "asking");
                            for (int question = 1; question <= 3; question++) {
                                call.elicit("Name " + question + "?", Name.class);
                                call.progress(question, 3);
                            }
                            return "done";
                        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBarRisesAndALogHasEachLineOnceOverThreeRounds(boolean replaying) throws Exception {
        try (McpTest test = replaying ? McpTest.of(survey()).replaying() : McpTest.of(survey())) {
            call(test);
        }
        assertThat(log).containsExactly("\"asking\"");
        assertThat(bar)
                .containsExactly(
                        new Progress(1, 3.0, null),
                        new Progress(2, 3.0, null),
                        new Progress(3, 3.0, null));
    }

    @Test
    void aLineThatDiffersAndOneThatIsMeantTwiceAreSent() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        McpServer.Builder server =
                McpServer.named("survey", "1")
                        .tool("survey", "Asks twice", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    call.log(LoggingLevel.INFO, "run " + runs.incrementAndGet());
                                    call.log(LoggingLevel.INFO, "asking");
                                    call.elicit("Name 1?", Name.class);
                                    call.log(LoggingLevel.INFO, "asking");
                                    call.elicit("Name 2?", Name.class);
                                    return "done";
                                });
        try (McpTest test = McpTest.of(server).revision(Revision.V2026_07_28)) {
            call(test);
        }
        assertThat(log)
                .containsExactly("\"run 1\"", "\"asking\"", "\"run 2\"", "\"asking\"", "\"run 3\"");
    }

    /** The handler that throws its questions is entered again under every revision. */
    @ParameterizedTest
    @EnumSource(
            value = Revision.class,
            names = {"V2025_11_25", "V2026_07_28"})
    void aHandlerThatThrowsItsQuestionsRepeatsNoLine(Revision revision) throws Exception {
        McpServer.Builder server =
                McpServer.named("survey", "1")
                        .tool("survey", "Throws a question", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    call.log(LoggingLevel.INFO, "asking");
                                    if (call.retry().isEmpty()) {
                                        throw new InputRequiredException(
                                                List.of(
                                                        Question.elicit("Name?", Name.class)
                                                                .as("name")),
                                                null);
                                    }
                                    return "done";
                                });
        try (McpTest test = McpTest.of(server).revision(revision)) {
            call(test);
        }
        assertThat(log).containsExactly("\"asking\"");
    }

    /** The kept reports are bounded; the call continues where the state has no room for them. */
    @Test
    void linesBeyondTheBoundAreRepeatedAndNeverFailTheCall() throws Exception {
        McpServer.Builder server =
                McpServer.named("survey", "1")
                        .maxNotificationsPerSecond(10_000)
                        .tool("survey", "Logs a lot", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    for (int line = 1; line <= 300; line++) {
                                        call.log(LoggingLevel.INFO, "line " + line);
                                    }
                                    call.elicit("Name?", Name.class);
                                    return "done";
                                });
        try (McpTest test = McpTest.of(server).revision(Revision.V2026_07_28)) {
            call(test);
        }
        assertThat(log).hasSize(300 + 300 - 256);
        assertThat(log.subList(300, 344))
                .isEqualTo(
                        IntStream.rangeClosed(257, 300)
                                .mapToObj(n -> "\"line " + n + "\"")
                                .toList());
    }
}
