package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.content.EmbeddedResource;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.content.ResourceLink;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.FreePort;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The client against {@code server-everything}, over both transports. */
class EverythingTest {
    private static final String PACKAGE = "@modelcontextprotocol/server-everything";

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OverStdio extends Checks {
        @Override
        Remote server() {
            return Stdio.command(
                            Npm.program(PACKAGE, "dist/index.js", "stdio").toArray(String[]::new))
                    .onStderr(line -> {});
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OverHttp extends Checks {
        private ChildProcess child;

        @Override
        Remote server() throws Exception {
            int port = FreePort.find();
            child =
                    Programs.start(
                            Npm.program(PACKAGE, "dist/index.js", "streamableHttp"),
                            Map.of("PORT", Integer.toString(port)));
            child.await("listening on port ([0-9]+)");
            return Http.to("http://127.0.0.1:" + port + "/mcp");
        }

        @AfterAll
        void stop() throws Exception {
            child.close();
        }
    }

    private static boolean isAnnotated(Content content) {
        return switch (content) {
            case TextContent text -> text.annotations() != null;
            case ImageContent image -> image.annotations() != null;
            default -> false;
        };
    }

    abstract static class Checks {
        private final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
        private McpClient client;

        abstract Remote server() throws Exception;

        @BeforeAll
        void connect() throws Exception {
            client =
                    McpClient.named("fairlead-interop", "1")
                            .requestTimeout(Duration.ofSeconds(90))
                            .onElicitForm(form -> Answer.accept(fill(form)))
                            .onElicitUrl(link -> Answer.accept())
                            .onSample(request -> CreateMessageResult.text("a-model", "Once upon"))
                            .onLog(entry -> logged.add(entry.data().toJson()))
                            .roots(new Root("file:///home/ada").withName("home"))
                            .tasks(Tasks.inMemory())
                            .connect(server());
        }

        @AfterAll
        void close() {
            client.close();
        }

        private static JsonObject fill(ElicitForm form) {
            return form.message().contains("Please clarify")
                    ? JsonObject.of("interpretation", "programming")
                    : JsonObject.of("name", "Ada Lovelace");
        }

        private CallToolResult call(String tool, Object... arguments) throws InterruptedException {
            return client.callTool(tool, JsonObject.of(arguments));
        }

        @Test
        void itIntroducesItself() throws InterruptedException {
            assertThat(client.serverInfo().name()).isEqualTo("mcp-servers/everything");
            assertThat(client.instructions()).isPresent();
            client.ping();
        }

        @Test
        void toolsAreListedAndCalled() throws InterruptedException {
            assertThat(client.tools())
                    .extracting(Tool::name)
                    .contains("echo", "get-roots-list", "trigger-url-elicitation");
            assertThat(call("echo", "message", "héllo").text()).isEqualTo("Echo: héllo");
            assertThat(call("get-sum", "a", 2, "b", 3).text()).contains("5");
        }

        @Test
        void wrongArgumentsAreAFailureOfTheTool() throws InterruptedException {
            assertThat(call("get-sum", "a", "two", "b", 3).isError()).isTrue();
        }

        record Place(String location) {}

        record Weather(double temperature, String conditions, double humidity) {}

        @Test
        void structuredContentIsBoundToARecord() throws InterruptedException {
            assertThat(
                            client.tool("get-structured-content", Place.class, Weather.class)
                                    .call(new Place("Chicago")))
                    .isEqualTo(new Weather(36, "Light rain / drizzle", 82));
        }

        @Test
        void everyKindOfContentIsRead() throws InterruptedException {
            assertThat(call("get-tiny-image").content())
                    .hasAtLeastOneElementOfType(ImageContent.class);
            assertThat(call("get-resource-links", "count", 2).content())
                    .hasAtLeastOneElementOfType(ResourceLink.class);
            assertThat(
                            call("get-resource-reference", "resourceType", "Blob", "resourceId", 1)
                                    .content())
                    .hasAtLeastOneElementOfType(EmbeddedResource.class);
            assertThat(
                            call(
                                            "get-annotated-message",
                                            "messageType",
                                            "error",
                                            "includeImage",
                                            true)
                                    .content())
                    .allMatch(EverythingTest::isAnnotated);
        }

        @Test
        void progressReachesTheListener() throws InterruptedException {
            List<Double> steps = new ArrayList<>();
            CallToolResult result =
                    client.withProgress(step -> steps.add(step.progress()))
                            .callTool(
                                    "trigger-long-running-operation",
                                    JsonObject.of("duration", 0.5, "steps", 4));

            assertThat(result.text()).contains("completed");
            assertThat(steps).isNotEmpty().isSubsetOf(1.0, 2.0, 3.0, 4.0);
        }

        @Test
        void aModelIsAsked() throws InterruptedException {
            assertThat(call("trigger-sampling-request", "prompt", "Tell me").text())
                    .contains("Once upon");
        }

        @Test
        void aFormIsFilledInWithItsDefaults() throws InterruptedException {
            assertThat(call("trigger-elicitation-request").text())
                    .contains("Ada Lovelace", "It was a dark and stormy night.", "hero-1", "pet-1");
        }

        @Test
        void aPageIsVisited() throws InterruptedException {
            assertThat(call("trigger-url-elicitation", "url", "https://example.com/a").text())
                    .contains("User completed the URL elicitation flow");
        }

        @Test
        void aToolThatRunsAsATaskIsCalledAsAnyOther() throws InterruptedException {
            assertThat(
                            client.tool("simulate-research-query", JsonObject.class, String.class)
                                    .call(JsonObject.of("topic", "herons")))
                    .startsWith("# Research Report: herons\n");
        }

        @Test
        void aTaskThatAsksIsAnsweredWhileItIsAwaited() throws InterruptedException {
            TaskHandle<String> research =
                    client.tool("simulate-research-query", JsonObject.class, String.class)
                            .start(JsonObject.of("topic", "python", "ambiguous", true));
            Queue<TaskStatus> heard = new ConcurrentLinkedQueue<>();
            research.onStatus(task -> heard.add(task.status()));
            assertThat(research.await(Duration.ofSeconds(90)))
                    .startsWith("# Research Report: python (programming)\n");
            assertThat(heard).contains(TaskStatus.INPUT_REQUIRED);
        }

        @Test
        void aModelIsAskedAsATaskOfTheClient() throws InterruptedException {
            assertThat(call("trigger-sampling-request-async", "prompt", "Tell me").text())
                    .startsWith("[COMPLETED]")
                    .contains("Once upon");
        }

        @Test
        void aPersonIsAskedAsATaskOfTheClient() throws InterruptedException {
            assertThat(call("trigger-elicitation-request-async").text())
                    .startsWith("[COMPLETED]")
                    .contains("- Name: Ada Lovelace");
        }

        @Test
        void rootsAreSentOnRequest() throws InterruptedException {
            assertThat(call("get-roots-list").text()).contains("file:///home/ada", "home");
        }

        @Test
        void resourcesAreListedAndRead() throws InterruptedException {
            assertThat(client.resources())
                    .extracting(resource -> resource.uri())
                    .contains("demo://resource/static/document/features.md");
            assertThat(client.resourceTemplates()).hasSize(2);
            assertThat(client.readResource("demo://resource/dynamic/text/7").text())
                    .startsWith("Resource 7: ");
            assertThat(client.readResource("demo://resource/dynamic/blob/7").contents()).hasSize(1);
        }

        @Test
        void updatesOfAWatchedResourceReachTheListener() throws InterruptedException {
            BlockingQueue<String> updated = new LinkedBlockingQueue<>();
            String uri = "demo://resource/dynamic/text/1";
            try (Subscription watch = client.watch(uri, updated::add)) {
                assertThat(watch.uri()).isEqualTo(uri);
                call("toggle-subscriber-updates");
                assertThat(updated.poll(90, TimeUnit.SECONDS)).isEqualTo(uri);
                call("toggle-subscriber-updates");
            }
        }

        @Test
        void promptsAreListedAndGot() throws InterruptedException {
            assertThat(client.prompts())
                    .extracting(prompt -> prompt.name())
                    .containsExactlyInAnyOrder(
                            "simple-prompt",
                            "args-prompt",
                            "completable-prompt",
                            "resource-prompt");
            assertThat(client.getPrompt("simple-prompt").messages()).hasSize(1);
            assertThat(
                            client.getPrompt("args-prompt", Map.of("city", "Oslo"))
                                    .messages()
                                    .toString())
                    .contains("What's weather in Oslo?");
            assertThat(
                            client.getPrompt(
                                            "resource-prompt",
                                            Map.of("resourceType", "Text", "resourceId", "3"))
                                    .messages())
                    .anyMatch(message -> message.content() instanceof EmbeddedResource);
        }

        @Test
        void argumentsAreCompletedByWhatWasChosenBefore() throws InterruptedException {
            PromptReference prompt = new PromptReference("completable-prompt");

            assertThat(client.complete(prompt, "department", "S").completion().values())
                    .containsExactly("Sales", "Support");
            assertThat(
                            client.complete(prompt, "name", "", Map.of("department", "Sales"))
                                    .completion()
                                    .values())
                    .containsExactly("David", "Eve", "Frank");
            assertThat(
                            client.complete(
                                            new ResourceTemplateReference(
                                                    "demo://resource/dynamic/text/{resourceId}"),
                                            "resourceId",
                                            "12")
                                    .completion()
                                    .values())
                    .containsExactly("12");
        }

        @Test
        void logMessagesReachTheListener() throws InterruptedException {
            client.setLoggingLevel(LoggingLevel.DEBUG);
            logged.clear();
            call("toggle-simulated-logging");
            assertThat(logged.poll(90, TimeUnit.SECONDS)).contains("message");
            call("toggle-simulated-logging");
        }

        @Test
        void anErrorHasItsCode() {
            ClientRequests impatient = client.withTimeout(Duration.ofSeconds(60));

            assertThatThrownBy(() -> impatient.getPrompt("no-such-prompt"))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            error -> assertThat(error.code()).isEqualTo(-32602));
        }
    }
}
