package dev.fairlead.acceptance;

import static dev.fairlead.protocol.Revision.V2025_03_26;
import static dev.fairlead.protocol.Revision.V2025_06_18;
import static dev.fairlead.protocol.Revision.V2025_11_25;
import static dev.fairlead.protocol.Revision.V2026_07_28;
import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.McpRequests;
import dev.fairlead.client.Subscription;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.content.AudioContent;
import dev.fairlead.protocol.content.EmbeddedResource;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.content.ResourceLink;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.shared.ProofServer;
import dev.fairlead.test.support.Threads;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.provider.Arguments;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Every feature over transports and revisions. Features that a revision lacks are neither sent nor
 * accepted.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
@Requirement({"VERS-001", "VERS-002", "VERS-032"})
abstract class FeatureMatrix {
    @Parameter(0)
    private Place place;

    @Parameter(1)
    private Revision revision;

    private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<Tool>> tools = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<Resource>> resources = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<Prompt>> prompts = new LinkedBlockingQueue<>();
    private final BlockingQueue<ElicitForm> forms = new LinkedBlockingQueue<>();
    private final BlockingQueue<CreateMessageRequest> samples = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> visited = new LinkedBlockingQueue<>();
    private volatile Answer<?> answer = Answer.decline();
    private volatile @Nullable CyclicBarrier together;
    private Map<String, Integer> threads;
    private Place.Served served;
    private McpClient client;

    /** All places with all revisions that they carry. */
    static Stream<Arguments> placesAndRevisions(BiPredicate<Place, Revision> wanted) {
        return Stream.of(Place.values())
                .flatMap(
                        place ->
                                Stream.of(Revision.values())
                                        .filter(place::carries)
                                        .filter(revision -> wanted.test(place, revision))
                                        .map(revision -> Arguments.of(place, revision)));
    }

    @BeforeParameterizedClassInvocation
    void connect() throws InterruptedException {
        threads = Threads.count();
        served = place.serve();
        client =
                McpClient.named("matrix", "1")
                        .revisions(revision, revision)
                        .requestTimeout(Duration.ofSeconds(60))
                        .roots(Root.of(Path.of("/one")), Root.of(Path.of("/two")))
                        .onLog(entry -> logged.add(entry.level() + " " + entry.data()))
                        .onToolsChanged(list -> tools.add(list.tools()))
                        .onResourcesChanged(list -> resources.add(list.resources()))
                        .onPromptsChanged(list -> prompts.add(list.prompts()))
                        .onElicitForm(
                                form -> {
                                    forms.add(form);
                                    awaitTheOther();
                                    return answer;
                                })
                        .onElicitUrl(link -> Answer.accept())
                        .onElicitationComplete(visited::add)
                        .onSample(
                                request -> {
                                    samples.add(request);
                                    awaitTheOther();
                                    return CreateMessageResult.text("model", "sampled");
                                })
                        .sampleTools()
                        .connect(served.remote());
    }

    private void awaitTheOther() throws Exception {
        CyclicBarrier barrier = together;
        if (barrier != null) {
            barrier.await(30, TimeUnit.SECONDS);
        }
    }

    @AfterParameterizedClassInvocation
    void nothingIsLeft() throws InterruptedException {
        client.close();
        served.end().run();
        Threads.awaitNoMoreThan(threads);
    }

    /** Returns whether client and server have the features of a revision. */
    private boolean has(Revision first) {
        return revision.isAtLeast(first) && place.newest().isAtLeast(first);
    }

    private CallToolResult call(String tool, Object... arguments) throws InterruptedException {
        return client.callTool(tool, JsonObject.of(arguments));
    }

    @Test
    @Requirement({"VERS-003", "VERS-010", "LIFE-008"})
    void bothSidesAgreeOnTheRevisionAndWhatItHas() {
        assertThat(client.revision()).isEqualTo(revision);
        assertThat(client.serverInfo().name()).isEqualTo("proof");
        assertThat(client.instructions()).contains("Everything is for proofs.");
        assertThat(client.serverCapabilities().toolsListChanged()).isTrue();
        assertThat(client.serverCapabilities().resourcesSubscribe()).isTrue();
        assertThat(client.serverCapabilities().logging()).isTrue();
        assertThat(client.serverCapabilities().tasks()).isEmpty();
        // The JSON of the capabilities, since 2024-11-05 counts as able to complete in any case.
        assertThat(client.serverCapabilities().completionsCapability() != null)
                .isEqualTo(revision.isAtLeast(V2025_03_26));
    }

    @Test
    @Requirement({"VERS-004", "VERS-010"})
    void definitionsHaveWhatTheRevisionKnows() throws Exception {
        Tool greet = tool("greet");

        assertThat(greet.description()).isEqualTo("Greets");
        assertThat(greet.icons() != null).isEqualTo(has(V2025_11_25));
        assertThat(greet.title() != null).isEqualTo(has(V2025_06_18));
        assertThat(greet.annotations() != null).isEqualTo(has(V2025_03_26));
        assertThat(greet.execution()).isNull();
    }

    private Tool tool(String name) throws InterruptedException {
        return client.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Requirement("VERS-009")
    void structuredOutputHasATextThatSaysTheSame() throws Exception {
        CallToolResult result = call("weather", "city", "Oslo");

        JsonObject weather = JsonObject.of("city", "Oslo", "temperature", 21.5);
        assertThat(JsonValue.parse(result.text())).isEqualTo(weather);
        assertThat(result.structuredContent()).isEqualTo(has(V2025_06_18) ? weather : null);
        assertThat(tool("weather").outputSchema() != null).isEqualTo(has(V2025_06_18));
        assertThat(
                        client.tool("weather", ProofServer.City.class, ProofServer.Weather.class)
                                .call(new ProofServer.City("Oslo")))
                .isEqualTo(new ProofServer.Weather("Oslo", 21.5));
    }

    @Test
    @Requirement({"VERS-009", "VERS-010"})
    void contentIsOfTheKindsThatTheRevisionKnows() throws Exception {
        CallToolResult result = call("contents");

        assertThat(result.content()).hasSize(5);
        assertThat(result.content().get(0)).isInstanceOf(TextContent.class);
        assertThat(result.content().get(1)).isInstanceOf(ImageContent.class);
        assertThat(result.content().get(2) instanceof AudioContent).isEqualTo(has(V2025_03_26));
        assertThat(result.content().get(3) instanceof ResourceLink).isEqualTo(has(V2025_06_18));
        assertThat(result.content().get(4)).isInstanceOf(EmbeddedResource.class);
    }

    @Test
    @Requirement("VERS-027")
    void whatGoesWrongInAToolIsAResult() throws Exception {
        CallToolResult failed = call("fail");
        assertThat(failed.isError()).isTrue();
        assertThat(failed.text()).isEqualTo("as it should");
        CallToolResult crashed = call("crash");
        assertThat(crashed.isError()).isTrue();
        assertThat(crashed.text()).doesNotContain("secret");
        CallToolResult wrong = call("weather", "city", 7);
        assertThat(wrong.isError()).isTrue();
        assertThat(wrong.text()).contains("city");
        assertThatThrownBy(() -> call("no_such_tool"))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        error -> assertThat(error.error().code()).isEqualTo(-32602));
    }

    @Test
    @Requirement({"VERS-010", "PROG-004"})
    void progressComesInOrderAndEndsWithTheCall() throws Exception {
        List<Progress> reports = new ArrayList<>();

        client.withProgress(reports::add).callTool("steps", JsonObject.of("steps", 5));

        assertThat(reports).hasSize(5);
        for (int i = 1; i <= 5; i++) {
            String message = has(V2025_03_26) ? "step " + i : null;
            assertThat(reports.get(i - 1)).isEqualTo(new Progress(i, 5.0, message));
        }
    }

    @Test
    @Requirement({"LOG-003", "LOG-005"})
    void logsComeFromTheLevelThatIsSet() throws Exception {
        client.setLoggingLevel(LoggingLevel.WARNING);
        call("log");
        assertThat(next(logged)).isEqualTo("WARNING \"odd\"");

        client.setLoggingLevel(LoggingLevel.DEBUG);
        call("log");
        assertThat(next(logged)).isEqualTo("DEBUG \"fine\"");
        assertThat(next(logged)).isEqualTo("WARNING \"odd\"");
    }

    @Test
    @Requirement({"CANC-001", "VERS-025"})
    void anInterruptAndATimeoutCancelTheCallAtTheServer() throws Exception {
        ProofServer.Waits before = waits();
        if (place.isOneProcess(revision)) {
            Thread caller = Thread.ofVirtual().start(() -> callWait(client));
            await().untilAsserted(
                            () -> {
                                assertThat(caller.isAlive()).as("the call is under way").isTrue();
                                assertThat(waits().started()).isEqualTo(before.started() + 1);
                            });
            interrupt(caller);
        } else { // another call would meet another process
            BlockingQueue<Progress> begun = new LinkedBlockingQueue<>();
            McpRequests reporting = client.withProgress(begun::add);
            Thread caller = Thread.ofVirtual().start(() -> callWait(reporting));
            next(begun);
            interrupt(caller);
        }
        await("it was cancelled").until(() -> waits().cancelled() == before.cancelled() + 1);

        // A call that reaches the server after its cancellation runs on, so there may be several.
        await("one that took too long was cancelled")
                .until(
                        () -> {
                            assertThatThrownBy(
                                            () ->
                                                    client.withTimeout(Duration.ofMillis(300))
                                                            .callTool("wait", JsonObject.EMPTY))
                                    .isInstanceOf(RequestTimeoutException.class);
                            return waits().cancelled() > before.cancelled() + 1;
                        });
    }

    private static void interrupt(Thread caller) throws InterruptedException {
        caller.interrupt();
        caller.join();
    }

    private static void callWait(McpRequests requests) {
        try {
            requests.callTool("wait", JsonObject.EMPTY);
        } catch (InterruptedException e) {
            // as intended
        }
    }

    private ProofServer.Waits waits() {
        try {
            return client.tool("waits", JsonObject.class, ProofServer.Waits.class)
                    .call(JsonObject.EMPTY);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Requirement({"VERS-006", "VERS-007", "VERS-012"})
    void formsAreAskedWhereTheRevisionHasThem() throws Exception {
        answer = Answer.accept(JsonObject.of("name", "Ada", "age", 36, "color", "green"));
        CallToolResult accepted = call("profile");
        if (!has(V2025_06_18)) {
            assertThat(accepted.isError()).isTrue();
            assertThat(forms).isEmpty();
            return;
        }
        assertThat(accepted.text()).isEqualTo("Profile[name=Ada, age=36, color=green]");
        assertThat(next(forms).message()).isEqualTo("Who are you?");
        answer = Answer.decline();
        assertThat(call("profile").text()).isEqualTo("declined");
        answer = Answer.cancel();
        assertThat(call("profile").text()).isEqualTo("cancelled");
        forms.clear();
    }

    @Test
    @Requirement("VERS-003")
    void pagesAreVisitedWhereTheRevisionHasThem() throws Exception {
        CallToolResult result = call("visit");

        assertThat(result.isError()).isEqualTo(!has(V2025_11_25));
        if (has(V2025_11_25)) {
            assertThat(result.text()).isEqualTo("visited");
            // others report no completion, and only a session can receive one
            if (revision.era() == Era.HANDSHAKE && place.asksByRequests(revision)) {
                assertThat(next(visited)).isNotEmpty();
            }
        }
        assertThat(visited).isEmpty();
    }

    @Test
    @Requirement({"VERS-003", "VERS-008"})
    void modelsAreAskedAndHaveToolsWhereTheRevisionHasThem() throws Exception {
        assertThat(call("sample", "name", "Say hello").text()).isEqualTo("sampled");
        assertThat(next(samples).messages())
                .singleElement()
                .satisfies(message -> assertThat(message.toString()).contains("Say hello"));

        CallToolResult withTools = call("sample_tools");
        assertThat(withTools.isError()).isEqualTo(!has(V2025_11_25));
        assertThat(samples).hasSize(has(V2025_11_25) ? 1 : 0);
        samples.clear();
    }

    /** The client answers neither the person's nor the model's question before it has both. */
    @Test
    void severalQuestionsAreAskedTogether() throws Exception {
        if (!has(V2025_06_18)) {
            CallToolResult result = call("ask_all");
            assertThat(result.isError()).isTrue();
            assertThat(result.text()).contains("elicitation");
            assertThat(samples).isEmpty();
            return;
        }
        answer = Answer.accept(JsonObject.of("name", "Ada"));
        // requests of the server come one after the other to a client that answers by results
        boolean oneByOne = revision.era() == Era.PER_REQUEST && place.asksByRequests(revision);
        together = oneByOne ? null : new CyclicBarrier(2);
        try {
            assertThat(call("ask_all").text()).isEqualTo("sampled Ada 2");
        } finally {
            together = null;
        }
        assertThat(next(forms).message()).isEqualTo("Your name?");
        assertThat(next(samples).maxTokens()).isEqualTo(50);
    }

    @Test
    @Requirement("ROOT-002")
    void rootsAreAskedFor() throws Exception {
        assertThat(call("roots").text()).isEqualTo("[file:///one, file:///two]");
    }

    @Test
    @Requirement({"RES-002", "RES-003", "RES-010", "PAGE-001"})
    void resourcesAreListedPageByPageAndRead() throws Exception {
        List<String> uris = client.resources().stream().map(Resource::uri).toList();

        assertThat(uris).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(62);
        assertThat(client.resourcePage(null).resources()).hasSize(ProofServer.PAGE);
        assertThat(client.readResource("proof://text").contents().toString()).contains("a text");
        assertThat(client.readResource("proof://blob").contents().toString()).contains("AQID");
        assertThat(client.readResource("proof://items/a%20b").contents().toString())
                .contains("a b");
        assertThat(client.resourceTemplates())
                .singleElement()
                .satisfies(
                        template ->
                                assertThat(template.uriTemplate()).isEqualTo("proof://items/{id}"));
        assertThatThrownBy(() -> client.readResource("proof://nothing"))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        error ->
                                assertThat(error.error().code())
                                        .isEqualTo(revision == V2026_07_28 ? -32602 : -32002));
    }

    @Test
    @Requirement({"RES-007", "RES-008"})
    void watchersAreNotifiedOfChanges() throws Exception {
        BlockingQueue<String> updates = new LinkedBlockingQueue<>();
        try (Subscription watching = client.watch("proof://text", updates::add)) {
            call("touch", "uri", "proof://blob");
            call("touch", "uri", watching.uri());
            assertThat(next(updates)).isEqualTo("proof://text");
        }
        call("touch", "uri", "proof://text");
        assertThat(updates).isEmpty();
    }

    @Test
    @Requirement({"PROMPT-002", "PROMPT-007"})
    void promptsAreListedAndFilledIn() throws Exception {
        assertThat(client.prompts()).extracting(Prompt::name).contains("praise");
        assertThat(client.getPrompt("praise", Map.of("language", "java")).messages().toString())
                .contains("Praise java");
        assertThatThrownBy(() -> client.getPrompt("praise"))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        error -> assertThat(error.error().code()).isEqualTo(-32602));
    }

    @Test
    @Requirement({"VERS-010", "VERS-011"})
    void argumentsAreCompletedInEveryRevision() throws Exception {
        assertThat(completed(client.complete(new PromptReference("praise"), "language", "jav")))
                .containsExactly("java", "javascript");
        assertThat(
                        completed(
                                client.complete(
                                        new ResourceTemplateReference("proof://items/{id}"),
                                        "id",
                                        "ap")))
                .containsExactly("apple", "apricot");
        String style = has(V2025_06_18) ? "verbose" : "terse"; // the context is sent since
        assertThat(
                        completed(
                                client.complete(
                                        new PromptReference("praise"),
                                        "style",
                                        "",
                                        Map.of("language", "java"))))
                .containsExactly(style);
    }

    private static List<String> completed(dev.fairlead.protocol.completion.CompleteResult result) {
        return result.completion().values();
    }

    @Test
    @Requirement({"TOOL-005", "RES-006", "PROMPT-005"})
    void listChangesReachTheListener() throws Exception {
        client.setLoggingLevel(LoggingLevel.WARNING); // gives a gateway other connections
        tools.clear();
        call("late", "kind", "tool", "there", true);
        awaitList(tools, Tool::name, true, "late_tool");
        assertThat(call("late_tool").text()).isEqualTo("late");
        call("late", "kind", "tool", "there", false);
        awaitList(tools, Tool::name, false, "late_tool");

        resources.clear();
        call("late", "kind", "resource", "there", true);
        awaitList(resources, Resource::uri, true, "proof://late");
        call("late", "kind", "resource", "there", false);
        awaitList(resources, Resource::uri, false, "proof://late");

        prompts.clear();
        call("late", "kind", "prompt", "there", true);
        awaitList(prompts, Prompt::name, true, "late_prompt");
        call("late", "kind", "prompt", "there", false);
        awaitList(prompts, Prompt::name, false, "late_prompt");
    }

    /**
     * Waits for a list that has something, or has it no more: several notifications may report one
     * change.
     */
    private static <T> void awaitList(
            BlockingQueue<List<T>> lists, Function<T, String> name, boolean there, String wanted)
            throws InterruptedException {
        boolean found = !there;
        while (found != there) {
            found = next(lists).stream().map(name).anyMatch(wanted::equals);
        }
    }

    @Test
    @Requirement({"PING-001", "VERS-005"})
    void pingsAreAnsweredAndTasksUnknown() throws Exception {
        client.ping();
        assertThatThrownBy(() -> client.request("tasks/list", JsonObject.EMPTY))
                .isInstanceOf(dev.fairlead.jsonrpc.CallException.class);
    }
}
