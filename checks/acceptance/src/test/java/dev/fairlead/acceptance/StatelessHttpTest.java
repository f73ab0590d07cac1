package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** An endpoint without sessions, for the clients of each revision. */
@Timeout(120)
class StatelessHttpTest extends ClosingTest {
    private final BlockingQueue<LoggingLevel> logged = new LinkedBlockingQueue<>();
    private final List<Double> reported = new CopyOnWriteArrayList<>();

    record Name(String name) {}

    private McpClient connect(Revision revision, UnaryOperator<HttpListener> options)
            throws InterruptedException {
        McpServer server =
                closedLater(
                        McpServer.named("s", "1")
                                .tool("steps", "Reports", NoInput.class, String.class)
                                .handle(
                                        (none, call) -> {
                                            call.progress(1, 2);
                                            call.log(LoggingLevel.WARNING, "half");
                                            call.progress(2, 2);
                                            return "done";
                                        })
                                .tool("ask", "Asks", NoInput.class, String.class)
                                .handle((none, call) -> call.elicit("Name?", Name.class).toString())
                                .build());
        HttpServing serving = closedLater(server.serve(options.apply(Http.port(0).stateless())));
        return closedLater(
                McpClient.named("c", "1")
                        .revisions(revision, revision)
                        .onLog(entry -> logged.add(entry.level()))
                        .onElicitForm(form -> Answer.accept(new Name("Ada")))
                        .connect(Http.to(serving.uri())));
    }

    private CallToolResult steps(McpClient client) throws InterruptedException {
        return client.withProgress((Progress report) -> reported.add(report.progress()))
                .callTool("steps", JsonObject.EMPTY);
    }

    @ParameterizedTest
    @EnumSource(Revision.class)
    void theAnswerCarriesProgressAndLogMessagesOfItsRequest(Revision revision) throws Exception {
        McpClient client = connect(revision, port -> port);

        assertThat(steps(client).text()).isEqualTo("done");

        assertThat(reported).containsExactly(1.0, 2.0);
        assertThat(logged.poll(30, TimeUnit.SECONDS)).isEqualTo(LoggingLevel.WARNING);
    }

    @Test
    void jsonAnswersCarryTheResponseAlone() throws Exception {
        McpClient client = connect(Revision.V2025_11_25, HttpListener::jsonAnswers);

        assertThat(steps(client).text()).isEqualTo("done");

        assertThat(reported).isEmpty();
        assertThat(logged).isEmpty();
    }

    /** Its answer would come in a request of its own, which nothing connects with the call. */
    @Test
    void aQuestionIsNotAskedAlthoughTheAnswerIsAStream() throws Exception {
        McpClient client = connect(Revision.V2025_11_25, port -> port);

        CallToolResult result = client.callTool("ask", JsonObject.EMPTY);

        assertThat(result.isError()).isTrue();
    }
}
