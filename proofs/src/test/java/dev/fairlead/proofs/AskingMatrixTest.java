package dev.fairlead.proofs;

import static dev.fairlead.protocol.Revision.V2025_11_25;
import static dev.fairlead.protocol.Revision.V2026_07_28;
import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * The same handlers ask their client on every carrier: by requests in a session, by rounds, by
 * rounds that each meet another server with the same keys, and in tasks of both designs; in
 * process, over stdio and over HTTP. The outcome is always the same.
 */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("carriersAndPlaces")
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class AskingMatrixTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** How questions reach the client. */
    enum Carrier {
        SESSION(V2025_11_25, false),
        ROUNDS(V2026_07_28, false),
        ROUNDS_OF_FRESH_SERVERS(V2026_07_28, false),
        TASK_OF_A_SESSION(V2025_11_25, true),
        TASK_OF_THE_EXTENSION(V2026_07_28, true);

        private final Revision revision;
        private final boolean isTask;

        Carrier(Revision revision, boolean isTask) {
            this.revision = revision;
            this.isTask = isTask;
        }
    }

    /** Where the server is. */
    enum Seat {
        IN_PROCESS,
        CHILD_PROCESS,
        HTTP
    }

    @Parameter(0)
    private Carrier carrier;

    @Parameter(1)
    private Seat seat;

    private final BlockingQueue<ElicitForm> forms = new LinkedBlockingQueue<>();
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private volatile Answer<?> answer = Answer.decline();
    private McpClient client;

    /** A pipe has one process at its end, which each round meets again. */
    static Stream<Arguments> carriersAndPlaces() {
        return Stream.of(Carrier.values())
                .flatMap(
                        carrier ->
                                Stream.of(Seat.values())
                                        .filter(
                                                seat ->
                                                        carrier != Carrier.ROUNDS_OF_FRESH_SERVERS
                                                                || seat != Seat.CHILD_PROCESS)
                                        .map(seat -> Arguments.of(carrier, seat)));
    }

    @BeforeParameterizedClassInvocation
    void connect() throws Exception {
        McpClient.Builder builder =
                McpClient.named("matrix", "1")
                        .revisions(carrier.revision, carrier.revision)
                        .requestTimeout(PATIENCE)
                        .roots(Root.of(Path.of("/one")), Root.of(Path.of("/two")))
                        .onElicitForm(
                                form -> {
                                    forms.add(form);
                                    return answer;
                                })
                        .onElicitUrl(link -> Answer.accept())
                        .onSample(request -> CreateMessageResult.text("model", "sampled"))
                        .sampleTools();
        boolean isFresh = carrier == Carrier.ROUNDS_OF_FRESH_SERVERS;
        client =
                switch (seat) {
                    case IN_PROCESS -> isFresh ? roaming(builder) : inProcess(builder);
                    case CHILD_PROCESS ->
                            builder.connect(
                                    Stdio.command(
                                            ChildJvm.command(AskingServer.class)
                                                    .toArray(String[]::new)));
                    case HTTP -> builder.connect(isFresh ? freshServers() : oneServer());
                };
        opened.push(client);
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.push(closeable);
        return closeable;
    }

    private McpClient inProcess(McpClient.Builder builder) throws InterruptedException {
        return builder.connect(open(AskingServer.builder().build()).inProcess());
    }

    private McpClient roaming(McpClient.Builder builder) throws InterruptedException {
        return open(McpTest.of(AskingServer.builder()).revision(V2026_07_28).roaming())
                .client(builder);
    }

    private Remote oneServer() {
        return Http.to(open(AskingServer.builder().build()).serve(Http.port(0)).uri());
    }

    /** Each request is sent to a server that has just been built. */
    private Remote freshServers() throws Exception {
        var servers = new ConcurrentLinkedQueue<McpServer>();
        open(() -> servers.forEach(McpServer::close));
        AlternatingProxy proxy =
                new AlternatingProxy(
                        () -> {
                            McpServer fresh = AskingServer.builder().build();
                            servers.add(fresh);
                            return fresh.serve(Http.port(0)).uri();
                        });
        return Http.to(open(proxy).uri());
    }

    @AfterParameterizedClassInvocation
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @BeforeEach
    void forget() {
        forms.clear();
    }

    private String call(String tool, Object... arguments) throws InterruptedException {
        RemoteTool<JsonObject, String> remote = client.tool(tool, JsonObject.class, String.class);
        JsonObject input = JsonObject.of(arguments);
        if (!carrier.isTask) {
            return remote.call(input);
        }
        TaskHandle<String> task = remote.start(input);
        assertThat(task.id()).isPresent();
        return task.await(PATIENCE);
    }

    private String asked() throws InterruptedException {
        return next(forms).message();
    }

    @Test
    void formsAreAnsweredDeclinedAndCancelled() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "Ada", "age", 36, "color", "green"));
        assertThat(call("profile")).isEqualTo("Profile[name=Ada, age=36, color=green]");
        assertThat(asked()).isEqualTo("Who are you?");

        answer = Answer.decline();
        assertThat(call("profile")).isEqualTo("declined");
        answer = Answer.cancel();
        assertThat(call("profile")).isEqualTo("cancelled");
    }

    @Test
    void pagesAreVisited() throws Exception {
        assertThat(call("visit")).isEqualTo("visited");
    }

    @Test
    void modelsAreAsked() throws Exception {
        assertThat(call("sample", "name", "Say hello")).isEqualTo("sampled");
        assertThat(call("sample_tools")).isEqualTo("sampled");
    }

    @Test
    void rootsAreAskedFor() throws Exception {
        assertThat(call("roots")).isEqualTo("[file:///one, file:///two]");
    }

    @Test
    void severalAreAskedTogether() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "Ada"));

        assertThat(call("ask_all")).isEqualTo("sampled Ada 2");

        assertThat(asked()).isEqualTo("Your name?");
    }

    @Test
    void whatIsDoneOnceIsDoneOnceHoweverOftenTheClientIsAsked() throws Exception {
        answer = Answer.accept(new AskingServer.Confirm(true));

        String[] order = call("order").split(" ");

        assertThat(order).endsWith("true", "true");
        assertThat(asked()).isEqualTo("Pay " + order[0]);
        assertThat(asked()).isEqualTo("Wrap " + order[0]);
        assertThat(forms).isEmpty();
    }

    @Test
    void progressIsReportedBeforeAndAfterAQuestion() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "Ada"));
        if (carrier.isTask) { // whose reports come while it is awaited, or are status messages
            assertThat(call("log_and_ask")).isEqualTo("Ada");
            return;
        }
        List<Progress> reports = new ArrayList<>();

        assertThat(
                        client.withProgress(reports::add)
                                .callTool("log_and_ask", JsonObject.EMPTY)
                                .text())
                .isEqualTo("Ada");

        // the body of a call in rounds reports again what it reported before
        assertThat(reports)
                .extracting(Progress::message)
                .startsWith("asking")
                .endsWith("asked")
                .hasSize(carrier == Carrier.SESSION ? 2 : 3);
        assertThat(reports)
                .isSortedAccordingTo(Comparator.comparingDouble(Progress::progress))
                .doesNotHaveDuplicates();
        assertThat(asked()).isEqualTo("Your name?");
    }

    @Test
    void promptsAndResourcesAskAsWell() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "Ada"));

        assertThat(client.getPrompt("greeting").messages().toString()).contains("Ada");
        assertThat(asked()).isEqualTo("Your name?");
        assertThat(client.readResource("proof://name").contents().toString()).contains("Ada");
        assertThat(asked()).isEqualTo("Your name?");
    }
}
