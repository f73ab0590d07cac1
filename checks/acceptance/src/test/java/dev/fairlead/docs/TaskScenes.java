package dev.fairlead.docs;

import static dev.fairlead.protocol.tools.TaskSupport.OPTIONAL;
import static dev.fairlead.protocol.tools.TaskSupport.REQUIRED;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.RemoteTool;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Calls that become tasks. No poll depends on the clock here: each message has a cause that is
 * shown.
 */
final class TaskScenes {
    record Cover(@Doc("What is printed on the front") String title) {}

    record Copies(int copies) {}

    private TaskScenes() {}

    static void start(Recorder recorder) throws InterruptedException {
        CountDownLatch written = new CountDownLatch(1);
        Screen screen = new Screen();
        // @start region="server"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("yearbook", "Writes the yearbook", NoInput.class, String.class)
                        .task(OPTIONAL)
                        .immediateResponse("The yearbook is being written.")
                        .handle((none, call) -> yearbook(written))
                        .tasks(Tasks.inMemory().pollInterval(Duration.ofSeconds(30)))
                        .build();
        // @end
        try (McpClient client = recorder.connect(server, McpClient.named("desk", "1.4.0"))) {
            client.tools();
            recorder.restart();
            // @start region="client"
            RemoteTool<JsonObject, String> yearbook =
                    client.tool("yearbook", JsonObject.class, String.class);
            TaskHandle<String> started = yearbook.start(JsonObject.EMPTY);
            started.immediateResponse().ifPresent(screen::show);
            // @end
            screen.expect("The yearbook is being written.");
            written.countDown();
            recorder.await("It rained on 171 days.");
            // @start region="await"
            String text = started.await();
            // @end
            assertThat(text).isEqualTo("It rained on 171 days.");
        }
    }

    private static String yearbook(CountDownLatch written) throws InterruptedException {
        written.await();
        return "It rained on 171 days.";
    }

    static void question(Recorder recorder) throws InterruptedException {
        // @start region="asking"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("print", "Prints the yearbook", NoInput.class, String.class)
                        .task(REQUIRED)
                        .handle(
                                (none, call) -> {
                                    Answer<Cover> cover = call.elicit("Which title?", Cover.class);
                                    return "Printed: " + cover.orElseThrow().title();
                                })
                        .build();
        // @end
        recorder.leaveOut("notifications/tasks/status");
        Recorder.Script client = recorder.script(server, "{\"elicitation\": {}}");
        client.request("tools/call", "{\"name\": \"print\", \"task\": {\"ttl\": 600000}}");
        recorder.await("elicitation/create");
        client.send(
                """
                {"jsonrpc": "2.0", "id": 1, "result": {"action": "accept", "content": {"title": "Rain"},
                 "_meta": {"io.modelcontextprotocol/related-task": {"taskId": "%s"}}}}\
                """
                        .formatted(client.taskId()));
        recorder.await("\"completed\"");
        client.request("tasks/result", "{\"taskId\": \"%s\"}".formatted(client.taskId()));
        recorder.await("Printed: Rain");
    }

    static void extension(Recorder recorder) throws InterruptedException {
        // @start region="extension"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .revisions(Revision.V2025_11_25, Revision.V2026_07_28)
                        .tool("print", "Prints the yearbook", Copies.class, String.class)
                        .task(OPTIONAL)
                        .taskWhen((order, caller) -> order.copies() > 1)
                        .handle(
                                (order, call) -> {
                                    Answer<Cover> cover = call.elicit("Which title?", Cover.class);
                                    return "Printed: " + cover.orElseThrow().title();
                                })
                        .tasks(Tasks.inMemory().pollInterval(Duration.ofSeconds(30)))
                        .build();
        // @end
        Recorder.Script client = recorder.script(server);
        client.request(
                "tools/call", declaring("\"name\": \"print\", \"arguments\": {\"copies\": 2}"));
        String task = "\"taskId\": \"" + client.taskId() + "\"";
        client.repeat("tasks/get", declaring(task), "input_required");
        client.request("tasks/get", declaring(task));
        recorder.awaitFrames(4);
        client.request(
                "tasks/update",
                declaring(
                        task
                                + ", \"inputResponses\": {\"q1\": {\"action\": \"accept\","
                                + " \"content\": {\"title\": \"Rain\"}}}"));
        recorder.awaitFrames(6);
        client.repeat("tasks/get", declaring(task), "Printed: Rain");
        client.request("tasks/get", declaring(task));
        recorder.awaitFrames(8);
    }

    private static String declaring(String members) {
        return """
        {%s, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                       "io.modelcontextprotocol/clientCapabilities":
                           {"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}}}}\
        """
                .formatted(members);
    }

    static void cancel(Recorder recorder) throws InterruptedException {
        Station station = new Station();
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("wait", "Waits for rain", NoInput.class, String.class)
                        .task(OPTIONAL)
                        .handle((none, call) -> station.awaitRain())
                        .build();
        Recorder.Script client = recorder.script(server, "{}");
        client.request("tools/call", "{\"name\": \"wait\", \"task\": {}}");
        station.expectWaiting();
        recorder.await("working");
        recorder.restart();
        client.request("tasks/cancel", "{\"taskId\": \"%s\"}".formatted(client.taskId()));
        recorder.await("cancelled");
        client.request("tasks/result", "{\"taskId\": \"%s\"}".formatted(client.taskId()));
        recorder.await("Task was cancelled");
    }

    static void list(Recorder recorder) throws InterruptedException {
        Station station = new Station();
        Screen screen = new Screen();
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("wait", "Waits for rain", NoInput.class, String.class)
                        .task(OPTIONAL)
                        .handle((none, call) -> station.awaitRain())
                        .tasks(Tasks.inMemory().pollInterval(Duration.ofSeconds(30)))
                        .build();
        try (McpClient client = recorder.connect(server, McpClient.named("desk", "1.4.0"))) {
            client.tool("wait", JsonObject.class, String.class).start(JsonObject.EMPTY);
            recorder.restart();
            // @start region="list"
            for (Task task : client.tasks()) {
                screen.show(task.id() + " " + task.status());
            }
            // @end
        }
    }

    static void own(Recorder recorder) throws InterruptedException {
        // @start region="own-server"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("poem", "A poem on the weather", NoInput.class, String.class)
                        .handle(
                                (none, call) ->
                                        call.withTask(Duration.ofMinutes(5))
                                                .sample("Four lines on rain", 100)
                                                .text())
                        .build();
        // @end
        // @start region="own-client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onSample(request -> CreateMessageResult.text("tiny-1", "Drip, drop."))
                        .tasks(Tasks.inMemory().pollInterval(Duration.ofSeconds(30)));
        // @end
        try (McpClient client = recorder.connect(server, settings)) {
            recorder.restart();
            assertThat(client.callTool("poem", JsonObject.EMPTY).text()).isEqualTo("Drip, drop.");
        }
    }
}
