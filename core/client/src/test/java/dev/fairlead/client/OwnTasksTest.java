package dev.fairlead.client;

import static dev.fairlead.client.FakeServer.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Questions of the server that the client runs as tasks. */
final class OwnTasksTest {
    private static final String FORM =
            "{\"message\": \"Your name?\", \"requestedSchema\": {\"type\": \"object\","
                    + " \"properties\": {}}, \"task\": {\"ttl\": 60000}}";
    private static final String SAMPLE =
            "{\"messages\": [{\"role\": \"user\", \"content\": {\"type\": \"text\", \"text\":"
                    + " \"Hello\"}}], \"maxTokens\": 50, \"task\": {}}";

    private final FakeServer server = new FakeServer();
    private final ManualTimers timers = new ManualTimers();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<Answer<?>> answers = new LinkedBlockingQueue<>();
    private final List<McpClient> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(McpClient::close);
    }

    private McpClient connect(McpClient.Builder builder) throws Exception {
        McpClient client = builder.connect(server, timers);
        open.add(client);
        return client;
    }

    /** A person who answers when the test says so. */
    private McpClient.Builder person() {
        return McpClient.named("desk", "1")
                .onElicitForm(
                        form -> {
                            heard.add(form.server().name() + " asks: " + form.message());
                            try {
                                return answers.take();
                            } catch (InterruptedException e) {
                                heard.add("interrupted");
                                throw e;
                            }
                        });
    }

    private String nextEvent() throws InterruptedException {
        return heard.poll(30, TimeUnit.SECONDS);
    }

    /** Asks, and gives the task as it was created. */
    private JsonObject create(int id, String method, String params) throws InterruptedException {
        server.ask(id, method, params);
        return reply(id).object("result").object("task");
    }

    private JsonObject ask(int id, String method, String task) throws InterruptedException {
        server.ask(id, method, "{\"taskId\": \"%s\"}".formatted(task));
        return reply(id);
    }

    /** The response to a request; the server may receive task notifications at any time. */
    private JsonObject reply(int id) throws InterruptedException {
        JsonObject message = server.next();
        while (message.has("method")) {
            assertThat(message.string("method")).isEqualTo("notifications/tasks/status");
            message = server.next();
        }
        assertThat(message.integer("id")).isEqualTo(id);
        return message;
    }

    private static JsonObject related(String task) {
        return JsonObject.of("io.modelcontextprotocol/related-task", JsonObject.of("taskId", task));
    }

    // ---- declarations

    private JsonObject declared(McpClient.Builder builder) throws Exception {
        List<JsonObject> greetings = new ArrayList<>();
        server.on(
                "initialize",
                params -> {
                    greetings.add(params.object("capabilities"));
                    return "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {},"
                            + " \"serverInfo\": {\"name\": \"fake\", \"version\": \"7\"}}";
                });
        connect(builder);
        return greetings.getFirst();
    }

    @Test
    @Requirement({"TASK-001", "TASK-003", "TASK-004"})
    void tasksAreDeclaredForTheHandlersThatAreThere() throws Exception {
        assertThat(declared(person().tasks(Tasks.inMemory())).get("tasks"))
                .isEqualTo(
                        json(
                                "{\"list\": {}, \"cancel\": {}, \"requests\": {\"elicitation\":"
                                        + " {\"create\": {}}}}"));
        assertThat(declared(McpClient.named("desk", "1").tasks(Tasks.inMemory())).has("tasks"))
                .isFalse();
        assertThat(declared(person()).has("tasks")).isFalse();
    }

    @Test
    @Requirement("TASK-009")
    void withoutTasksAQuestionIsAnsweredPlainly() throws Exception {
        connect(person());
        answers.add(Answer.decline());
        server.ask(1, "elicitation/create", FORM);
        assertThat(reply(1).get("result")).isEqualTo(json("{\"action\": \"decline\"}"));
        server.ask(2, "tasks/get", "{\"taskId\": \"x\"}");
        assertThat(reply(2).object("error").integer("code")).isEqualTo(-32601);
    }

    // ---- the life of a task

    @Test
    @Requirement({"TASK-020", "TASK-021", "TASK-023", "TASK-048", "TASK-050", "TASK-109"})
    void aPersonTakesTimeAndTheServerNeedNotWait() throws Exception {
        connect(person().tasks(Tasks.inMemory()));
        JsonObject task = create(1, "elicitation/create", FORM);
        String id = task.string("taskId");
        assertThat(task.string("status")).isEqualTo("working");
        assertThat(task.integer("ttl")).isEqualTo(60_000);
        assertThat(nextEvent()).isEqualTo("fake asks: Your name?");
        server.ask(2, "tasks/result", "{\"taskId\": \"%s\"}".formatted(id));
        assertThat(ask(3, "tasks/get", id).object("result").string("status")).isEqualTo("working");
        answers.add(Answer.accept(JsonObject.EMPTY));
        JsonObject result = reply(2).object("result");
        assertThat(result.string("action")).isEqualTo("accept");
        assertThat(result.object("_meta")).isEqualTo(related(id));
        assertThat(ask(4, "tasks/get", id).object("result").string("status"))
                .isEqualTo("completed");
    }

    @Test
    @Requirement({"TASK-037", "TASK-038", "TASK-047", "TASK-049"})
    void aRequestThatThePersonRejectsIsATaskThatFailed() throws Exception {
        connect(
                McpClient.named("desk", "1")
                        .onSample(
                                request -> {
                                    throw new UserRejectedException("The user said no");
                                })
                        .tasks(Tasks.inMemory()));
        String id = create(1, "sampling/createMessage", SAMPLE).string("taskId");
        JsonObject error = ask(2, "tasks/result", id).object("error");
        assertThat(error.integer("code")).isEqualTo(-1);
        assertThat(error.string("message")).isEqualTo("The user said no");
        JsonObject task = ask(3, "tasks/get", id).object("result");
        assertThat(task.string("status")).isEqualTo("failed");
        assertThat(task.has("statusMessage")).isTrue();
    }

    @Test
    @Requirement({"TASK-082", "TASK-083", "TASK-084", "TASK-088", "ROOM-008"})
    void theServerCancelsAndTheHandlerIsInterrupted() throws Exception {
        connect(person().tasks(Tasks.inMemory()));
        String id = create(1, "elicitation/create", FORM).string("taskId");
        assertThat(nextEvent()).startsWith("fake asks");
        assertThat(ask(2, "tasks/cancel", id).object("result").string("status"))
                .isEqualTo("cancelled");
        assertThat(nextEvent()).isEqualTo("interrupted");
        JsonObject error = ask(3, "tasks/result", id).object("error");
        assertThat(error.integer("code")).isEqualTo(-32603);
        assertThat(error.get("data")).isEqualTo(JsonObject.of("taskId", id, "status", "cancelled"));
        assertThat(ask(4, "tasks/cancel", id).object("error").integer("code")).isEqualTo(-32602);
    }

    @Test
    @Requirement({"TASK-032", "TASK-089", "ROOM-017"})
    void aQuestionThatIsNotAnsweredInTimeExpires() throws Exception {
        connect(person().tasks(Tasks.inMemory()));
        String id = create(1, "elicitation/create", FORM).string("taskId");
        assertThat(nextEvent()).startsWith("fake asks");
        timers.advance(Duration.ofMinutes(2));
        assertThat(nextEvent()).isEqualTo("interrupted");
        JsonObject error = ask(2, "tasks/get", id).object("error");
        assertThat(error.integer("code")).isEqualTo(-32602);
        assertThat(ask(3, "tasks/get", "unknown").object("error").integer("code"))
                .isEqualTo(-32602);
    }

    @Test
    @Requirement("TASK-101")
    void tooManyTasksAtATimeAreRefused() throws Exception {
        connect(person().tasks(Tasks.inMemory().maxPerOwner(1)));
        create(1, "elicitation/create", FORM);
        server.ask(2, "elicitation/create", FORM);
        assertThat(reply(2).object("error").integer("code")).isEqualTo(-32000);
    }

    @Test
    @Requirement("TASK-026")
    void aFaultyQuestionIsRefusedAtOnceAndMakesNoTask() throws Exception {
        connect(person().tasks(Tasks.inMemory()));
        server.ask(
                1,
                "elicitation/create",
                "{\"mode\": \"url\", \"message\": \"Go\", \"url\": \"https://example.com/\","
                        + " \"elicitationId\": \"e\", \"task\": {}}");
        assertThat(reply(1).object("error").integer("code")).isEqualTo(-32602);
        server.ask(2, "elicitation/create", FORM.replace("60000", "0"));
        assertThat(reply(2).object("error").integer("code")).isEqualTo(-32602);
        server.ask(3, "tasks/list", "{}");
        assertThat(reply(3).object("result").get("tasks")).isEqualTo(json("{\"x\": []}").get("x"));
    }

    @Test
    @Requirement({"TASK-079", "TASK-107"})
    void aTaskOutlivesTheSessionThatAskedForIt() throws Exception {
        CountDownLatch renewed = new CountDownLatch(1);
        connect(person().tasks(Tasks.inMemory()).onNewSession(why -> renewed.countDown()));
        String id = create(1, "elicitation/create", FORM).string("taskId");
        assertThat(nextEvent()).startsWith("fake asks");
        server.session().expired(new SessionExpiredException("404"));
        assertThat(renewed.await(30, TimeUnit.SECONDS)).isTrue();
        answers.add(Answer.decline());
        assertThat(ask(1, "tasks/result", id).object("result").string("action"))
                .isEqualTo("decline");
        server.ask(2, "tasks/list", "{}");
        assertThat(reply(2).object("result").toJson()).contains(id);
    }

    @Test
    void interceptorsSeeThatAQuestionBecameATask() throws Exception {
        connect(
                McpClient.named("desk", "1")
                        .onSample(request -> CreateMessageResult.text("small", "Hi"))
                        .interceptInbound(
                                (call, next) -> {
                                    Outcome<?> outcome = next.proceed(call);
                                    heard.add(outcome.getClass().getSimpleName());
                                    return outcome;
                                })
                        .tasks(Tasks.inMemory()));
        String id = create(1, "sampling/createMessage", SAMPLE).string("taskId");
        assertThat(nextEvent()).isEqualTo("TaskCreated");
        assertThat(ask(2, "tasks/result", id).object("result").string("model")).isEqualTo("small");
    }

    @Test
    @Requirement("ROOM-013")
    void aTaskWhoseCreationIsNotReportedIsCancelledAndNeverRuns() throws Exception {
        BlockingQueue<TaskEvent.Kind> events = new LinkedBlockingQueue<>();
        McpClient client =
                connect(
                        McpClient.named("desk", "1")
                                .onSample(
                                        request -> {
                                            heard.add("sampled");
                                            return CreateMessageResult.text("small", "Hi");
                                        })
                                .interceptInbound(
                                        (call, next) -> {
                                            next.proceed(call);
                                            throw new JsonRpcException(-32099, "not now");
                                        })
                                .tasks(
                                        Tasks.inMemory()
                                                .onEvent(event -> events.add(event.kind()))));
        server.ask(1, "sampling/createMessage", SAMPLE);
        assertThat(reply(1).object("error").string("message")).isEqualTo("not now");
        assertThat(events.poll(30, TimeUnit.SECONDS)).isEqualTo(TaskEvent.Kind.CREATED);
        assertThat(events.poll(30, TimeUnit.SECONDS)).isEqualTo(TaskEvent.Kind.CANCELLED);
        client.close();
        assertThat(heard).isEmpty();
    }

    @Test
    void closingTheClientInterruptsTheHandlers() throws Exception {
        McpClient client = connect(person().tasks(Tasks.inMemory()));
        create(1, "elicitation/create", FORM);
        assertThat(nextEvent()).startsWith("fake asks");
        client.close();
        assertThat(nextEvent()).isEqualTo("interrupted");
    }
}
