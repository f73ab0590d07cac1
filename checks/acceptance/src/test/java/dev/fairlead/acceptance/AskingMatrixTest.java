package dev.fairlead.acceptance;

import static dev.fairlead.protocol.Revision.V2025_11_25;
import static dev.fairlead.protocol.Revision.V2026_07_28;
import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.test.support.AlternatingProxy;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.testing.McpTest;

import org.jspecify.annotations.Nullable;
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
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The same handlers ask their client on every carrier: by requests in a session, by rounds, by
 * rounds that each meet another server with the same keys, and in tasks of both designs; in
 * process, over stdio and over HTTP. The outcome is always the same, and around a question they
 * report, log, change lists and are cancelled.
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

    /** Holds the person's answer to a question back. */
    private interface Gate {
        void await(ElicitForm form) throws InterruptedException;
    }

    /** The place of the server. */
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
    private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<String>> lists = new LinkedBlockingQueue<>();
    private volatile Answer<?> answer = Answer.decline();
    private volatile Gate mayAnswer = form -> {};
    private @Nullable McpTest roaming; // where each request meets a fresh server in process
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
                                    mayAnswer.await(form);
                                    return answer;
                                })
                        .onLog(entry -> logged.add(entry.level() + " " + entry.data()))
                        .onToolsChanged(
                                list -> lists.add(list.tools().stream().map(Tool::name).toList()))
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
        return builder.connect(open(AskingServer.create()).inProcess());
    }

    private McpClient roaming(McpClient.Builder builder) throws InterruptedException {
        AtomicReference<McpServer> other = new AtomicReference<>();
        McpServer.Builder fresh = AskingServer.builder(other::get).changes(ChangeBus.inProcess());
        McpTest test = open(McpTest.of(fresh).revision(V2026_07_28).roaming());
        other.set(test.server());
        roaming = test;
        return test.client(builder);
    }

    private Remote oneServer() {
        return Http.to(open(AskingServer.create()).serve(Place.withHeartbeat(Http.port(0))).uri());
    }

    /** Each request is sent to a server that has just been built. */
    private Remote freshServers() throws Exception {
        var servers = new ConcurrentLinkedQueue<McpServer>();
        open(() -> servers.forEach(McpServer::close));
        ChangeBus bus = ChangeBus.inProcess();
        McpServer other = open(AskingServer.builder(() -> null).changes(bus).build());
        AlternatingProxy proxy =
                new AlternatingProxy(
                        () -> {
                            McpServer fresh =
                                    AskingServer.builder(() -> other).changes(bus).build();
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
        mayAnswer = form -> {};
        forms.clear();
        logged.clear();
    }

    private String call(String tool, Object... arguments) throws InterruptedException {
        return call(client.tool(tool, JsonObject.class, String.class), JsonObject.of(arguments));
    }

    private <I, O> O call(RemoteTool<I, O> tool, I input) throws InterruptedException {
        if (!carrier.isTask) {
            return tool.call(input);
        }
        TaskHandle<O> task = tool.start(input);
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
    void typedToolsTakeAndGiveValues() throws Exception {
        answer = Answer.accept(new AskingServer.Confirm(true));
        var order = new AskingServer.Order("Assam", 100);

        assertThat(
                        call(
                                client.tool(
                                        "quote",
                                        AskingServer.Order.class,
                                        AskingServer.Receipt.class),
                                order))
                .isEqualTo(new AskingServer.Receipt(order, 12.5, List.of("ice")));

        assertThat(asked()).isEqualTo("Iced?");
    }

    @Test
    void progressIsReportedBeforeAndAfterAQuestion() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "Ada"));
        BlockingQueue<Progress> reports = new LinkedBlockingQueue<>();
        RemoteTool<JsonObject, String> tool =
                client.tool("log_and_ask", JsonObject.class, String.class);

        switch (carrier) {
            case TASK_OF_A_SESSION -> // reports before the first listener are not repeated
                    awaitTheEnd(
                            tool,
                            (task, seen) ->
                                    task.onProgress(report -> seen.accept(report.message())));
            case TASK_OF_THE_EXTENSION -> {
                // no progress: a task reports by its status message
                awaitTheEnd(
                        tool,
                        (task, seen) ->
                                task.onProgress(reports::add)
                                        .onStatus(now -> seen.accept(now.statusMessage())));
                assertThat(reports).isEmpty();
            }
            default -> {
                assertThat(tool.withProgress(reports::add).call(JsonObject.EMPTY)).isEqualTo("Ada");
                assertThat(reports)
                        .extracting(Progress::message)
                        .containsExactly("asking", "asked");
            }
        }
        assertThat(asked()).isEqualTo("Your name?");
        assertThat(asked()).isEqualTo("Really?");
        assertThat(client.awaitLog(PATIENCE)).isTrue(); // the next test sees its own messages
    }

    /**
     * The person answers the first question when the task has its listeners, and the second when
     * they have seen "asked": over HTTP a report and the result come on streams of their own.
     *
     * @param listening adds listeners, which give each message of the task away
     */
    private void awaitTheEnd(
            RemoteTool<JsonObject, String> tool,
            BiConsumer<TaskHandle<String>, Consumer<@Nullable String>> listening)
            throws InterruptedException {
        var listens = new CountDownLatch(1);
        var seen = new CountDownLatch(1);
        mayAnswer = form -> (form.message().equals("Really?") ? seen : listens).await();
        TaskHandle<String> task = tool.start(JsonObject.EMPTY);
        listening.accept(
                task,
                message -> {
                    if ("asked".equals(message)) {
                        seen.countDown();
                    }
                });
        listens.countDown();
        assertThat(task.await(PATIENCE)).isEqualTo("Ada");
    }

    @Test
    void messagesAreLoggedBeforeAndAfterAQuestion() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "Ada"));

        assertThat(call("log_and_ask")).isEqualTo("Ada");

        String before = "WARNING \"asking\"";
        String after = "WARNING \"asked\"";
        switch (carrier) {
            case SESSION -> {
                assertThat(next(logged)).isEqualTo(before);
                assertThat(next(logged)).isEqualTo(after);
            }
            case TASK_OF_A_SESSION -> // over HTTP each comes on a stream of its own
                    assertThat(List.of(next(logged), next(logged)))
                            .containsExactlyInAnyOrder(before, after);
            case ROUNDS, ROUNDS_OF_FRESH_SERVERS -> { // each message once, as in a session
                assertThat(client.awaitLog(PATIENCE)).isTrue();
                assertThat(logged).containsExactly(before, after);
            }
            case TASK_OF_THE_EXTENSION -> { // its call has ended, and with it the stream for logs
                assertThat(client.awaitLog(PATIENCE)).isTrue();
                assertThat(logged).isEmpty();
            }
        }
    }

    @Test
    void aCancelledCallIsInterruptedAfterItsQuestion() throws Exception {
        if (carrier == Carrier.ROUNDS_OF_FRESH_SERVERS && seat == Seat.HTTP) {
            return; // the proxy of this test does not notice that its client leaves
        }
        answer = Answer.accept(JsonObject.of("name", "Ada"));
        var input = new AskingServer.Wait(carrier + " " + seat);
        RemoteTool<AskingServer.Wait, String> tool =
                client.tool("wait", AskingServer.Wait.class, String.class);

        if (carrier.isTask) {
            TaskHandle<String> task = tool.start(input);
            awaitState(input, AskingServer.State.begun);
            task.cancel();
            assertThatThrownBy(() -> task.await(PATIENCE))
                    .isInstanceOf(TaskCancelledException.class);
        } else {
            var call = new FutureTask<>(() -> tool.call(input));
            Thread caller = Thread.ofVirtual().start(call);
            awaitState(input, AskingServer.State.begun);
            caller.interrupt();
            assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
        }

        awaitState(input, AskingServer.State.interrupted);
        assertThat(asked()).isEqualTo("Your name?");
    }

    private void awaitState(AskingServer.Wait input, AskingServer.State state) {
        RemoteTool<AskingServer.Wait, AskingServer.Waiting> waiting =
                client.tool("waiting", AskingServer.Wait.class, AskingServer.Waiting.class);
        await("the handler has " + state).until(() -> waiting.call(input).state() == state);
    }

    @Test
    void aListThatChangesAfterAQuestionIsAnnounced() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "late_tool"));
        lists.clear();

        assertThat(call("change")).isEqualTo("late_tool");
        if (roaming != null) { // whose clock the test moves
            roaming.advance(Duration.ofSeconds(1));
        }

        List<String> changed = next(lists);
        while (carrier != Carrier.ROUNDS_OF_FRESH_SERVERS // which are built without it
                && !changed.contains("late_tool")) { // a listener that came late hears of itself
            changed = next(lists);
        }
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
