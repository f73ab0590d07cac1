package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.MetaKey;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Every frame between the client and the showcase server, in each revision, equals the recorded
 * one. After an intended change of the wire, {@code -Dfairlead.transcripts=record} records the
 * files again.
 */
class TranscriptTest {
    private static final boolean RECORD =
            "record".equals(System.getProperty("fairlead.transcripts"));

    private final Transcript transcript = new Transcript();

    @ParameterizedTest
    @EnumSource
    void everyFrameIsAsItWas(Revision revision) throws Exception {
        run(revision);

        String name = revision.date() + ".txt";
        if (RECORD) {
            Files.writeString(Path.of("src/test/resources/transcripts", name), transcript.text());
            return;
        }
        assertThat(transcript.text()).isEqualTo(recorded(name));
    }

    private static String recorded(String name) throws IOException {
        try (InputStream file = TranscriptTest.class.getResourceAsStream("/transcripts/" + name)) {
            assertThat(file).as(name).isNotNull();
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void run(Revision revision) throws Exception {
        try (McpServer server = Showcase.server();
                McpClient client = connect(server, revision, transcript::record)) {
            transcript.step("connect", client::serverInfo);
            lists(client);
            calls(client);
            features(client);
            questions(client);
            errors(client);
            if (revision.isAtLeast(Revision.V2026_07_28)) {
                rounds(client);
                extension(server);
            } else {
                tasks(client);
            }
        }
    }

    private McpClient connect(McpServer server, Revision revision, Consumer<String> recorder)
            throws InterruptedException {
        return McpClient.named("transcript", "1")
                .revisions(revision, revision)
                .onElicitForm(form -> Answer.accept(form(revision, form)))
                .onElicitUrl(link -> Answer.accept())
                .onSample(request -> CreateMessageResult.text("model", "sampled"))
                .roots(new Root("file:///home"))
                .onLog(entry -> {})
                .tasks(Tasks.inMemory())
                .connect(
                        () -> {
                            RecordedPipe pipe = new RecordedPipe(recorder);
                            new PipeEndpoint(pipe.server()).serve(server.host());
                            return pipe.client();
                        });
    }

    /** Texts and consent for all fields; up to 2025-11-25 always a name, which does not fit all. */
    private static JsonObject form(Revision revision, ElicitForm form) {
        if (!revision.isAtLeast(Revision.V2026_07_28)) {
            return JsonObject.of("name", "Ann");
        }
        JsonObject content = JsonObject.EMPTY;
        JsonObject fields = form.schema().object("properties");
        for (String field : fields.names()) {
            boolean isText = fields.object(field).string("type").equals("string");
            content = isText ? content.with(field, "Ann") : content.with(field, true);
        }
        return content;
    }

    private void lists(McpClient client) throws InterruptedException {
        transcript.step("ping", () -> client.ping());
        transcript.step("tools", () -> client.tools());
        transcript.step("resources", () -> client.resources());
        transcript.step("templates", () -> client.resourceTemplates());
        transcript.step("prompts", () -> client.prompts());
    }

    private void calls(McpClient client) throws InterruptedException {
        for (String tool :
                new String[] {
                    "test_simple_text",
                    "test_image_content",
                    "test_embedded_resource",
                    "test_multiple_content_types",
                    "test_error_handling",
                    "test_tool_with_logging"
                }) {
            call(client, tool, JsonObject.EMPTY);
        }
        call(client, "interop_echo", JsonObject.of("text", "a \u00e4 \ud83d\ude00"));
        call(client, "interop_structured", JsonObject.of("city", "Oslo"));
        call(client, "interop_structured", JsonObject.of("town", 1));
        transcript.step(
                "progress",
                () ->
                        client.withProgress(step -> {})
                                .callTool("interop_slow", JsonObject.of("ms", 4, "steps", 4)));
    }

    private void call(McpClient client, String tool, JsonObject arguments)
            throws InterruptedException {
        transcript.step("call " + tool, () -> client.callTool(tool, arguments));
    }

    private void features(McpClient client) throws InterruptedException {
        transcript.step("level", () -> client.setLoggingLevel(LoggingLevel.ERROR));
        call(client, "test_tool_with_logging", JsonObject.EMPTY);
        transcript.step("read", () -> client.readResource("test://static-binary"));
        transcript.step("read template", () -> client.readResource("test://template/7/data"));
        transcript.step("prompt", () -> client.getPrompt("test_simple_prompt"));
        transcript.step(
                "complete",
                () ->
                        client.request(
                                "completion/complete",
                                JsonObject.of(
                                        "ref",
                                        JsonObject.of(
                                                "type", "ref/prompt", "name", "interop_prompt"),
                                        "argument",
                                        JsonObject.of("name", "lang", "value", "p"))));
        transcript.step("watch", () -> watched(client));
    }

    /** Subscribes, hears of a change, and unsubscribes. */
    private static void watched(McpClient client) throws InterruptedException {
        CountDownLatch updated = new CountDownLatch(1);
        try (var watch = client.watch("test://watched-resource", uri -> updated.countDown())) {
            client.callTool(
                    "interop_touch_resource", JsonObject.of("uri", "test://watched-resource"));
            assertThat(updated.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void questions(McpClient client) throws InterruptedException {
        call(client, "test_sampling", JsonObject.of("prompt", "Hello"));
        call(client, "test_elicitation", JsonObject.of("message", "Who?"));
        call(client, "interop_elicit_url", JsonObject.EMPTY);
        call(client, "interop_roots", JsonObject.EMPTY);
    }

    private void errors(McpClient client) throws InterruptedException {
        call(client, "no_such_tool", JsonObject.EMPTY);
        transcript.step("read nothing", () -> client.readResource("test://nothing"));
        transcript.step("no such prompt", () -> client.getPrompt("nothing"));
        transcript.step("no method", () -> client.request("no/method", JsonObject.EMPTY));
        transcript.step(
                "no such cursor",
                () -> client.request("tools/list", JsonObject.of("cursor", "nowhere")));
    }

    private void rounds(McpClient client) throws InterruptedException {
        for (String tool :
                new String[] {
                    "interop_rounds",
                    "interop_held",
                    "test_streaming_elicitation",
                    "test_input_required_result_multiple_inputs",
                    "test_input_required_result_multi_round"
                }) {
            call(client, tool, JsonObject.EMPTY);
        }
        transcript.step(
                "prompt that asks", () -> client.getPrompt("test_input_required_result_prompt"));
    }

    private void extension(McpServer server) throws Exception {
        try (McpClient client = connect(server, Revision.V2026_07_28, this::recordCall)) {
            CallToolRequest call = new CallToolRequest("task_required", JsonObject.of("text", "a"));
            transcript.unorderedStep("started task", () -> client.startTool(call).await());
        }
        RecordedPipe pipe = new RecordedPipe(transcript::record);
        new PipeEndpoint(pipe.server()).serve(server.host());
        try (RawPipeClient raw = new RawPipeClient(pipe.client())) {
            new ExtensionSteps(transcript, raw, server).run();
        }
    }

    /** Leaves out frames that depend on the end of the task or of its stream of changes. */
    private void recordCall(String frame) {
        if (!frame.contains("\"method\":\"subscriptions/")
                && !frame.contains("\"method\":\"notifications/")
                && !frame.contains(MetaKey.SUBSCRIPTION_ID)) {
            transcript.record(frame);
        }
    }

    /** Records tasks by bare requests: the number of polls depends on time. */
    private void tasks(McpClient client) throws InterruptedException {
        task(client, "task_echo", JsonObject.of("text", "a"));
        task(client, "task_required", JsonObject.of("text", "a"));
        task(client, "task_required", JsonObject.EMPTY);
        task(client, "task_forbidden", JsonObject.of("text", "a"));
        task(client, "task_fail", JsonObject.of("message", "so it is"));
        task(client, "task_throw", JsonObject.of("message", "so it is"));
        task(client, "task_elicit", JsonObject.EMPTY);
        if (client.revision().isAtLeast(Revision.V2025_11_25)) {
            cancelled(client);
        }
        transcript.step("tasks", () -> client.request("tasks/list", JsonObject.EMPTY));
    }

    private void cancelled(McpClient client) throws InterruptedException {
        transcript.step(
                "cancel",
                () -> {
                    JsonObject task = start(client, "task_sleep_forever", JsonObject.EMPTY);
                    client.request("tasks/cancel", task);
                    client.request("tasks/get", task);
                });
    }

    private void task(McpClient client, String tool, JsonObject arguments)
            throws InterruptedException {
        transcript.step(
                "task of " + tool,
                () -> client.request("tasks/result", start(client, tool, arguments)));
    }

    /** Calls a tool as a task; the parameters of requests for that task. */
    private static JsonObject start(McpClient client, String tool, JsonObject arguments)
            throws InterruptedException {
        JsonObject call =
                JsonObject.of(
                        "name", tool, "arguments", arguments, "task", JsonObject.of("ttl", 60_000));
        JsonObject created = client.request("tools/call", call);
        return created.get("task") instanceof JsonObject task
                ? JsonObject.of("taskId", task.string("taskId"))
                : JsonObject.EMPTY;
    }
}
