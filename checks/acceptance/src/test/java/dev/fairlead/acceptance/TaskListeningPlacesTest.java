package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.peer.builder.Internals;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The end of a task is seen by its notification: the clock of the client stands still, so that it
 * never polls.
 */
@Timeout(120)
class TaskListeningPlacesTest {
    private final ManualTimers timers = new ManualTimers();

    record Name(String name) {}

    /** The place of the server. */
    enum Where {
        HTTP,
        STDIO,
        IN_PROCESS
    }

    private static McpServer server() {
        return McpServer.named("slow", "1")
                .tasks(Tasks.inMemory().pollInterval(Duration.ofHours(1)))
                .tool("two", "Asks two, one after the other", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (none, call) ->
                                call.elicit("First?", Name.class).orElseThrow().name()
                                        + call.elicit("Second?", Name.class).orElseThrow().name())
                .build();
    }

    /** The server in a process of its own. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (McpServer server = server()) {
                server.serve(Stdio.streams()).await();
            }
        }
    }

    private static Remote remote(Where where, McpServer server) {
        return switch (where) {
            case HTTP -> Http.to(server.serve(Http.port(0)).uri());
            case STDIO -> Stdio.command(ChildJvm.command(Child.class).toArray(String[]::new));
            case IN_PROCESS -> server.inProcess();
        };
    }

    private McpClient.Builder client(String name) {
        return Internals.withTimers(McpClient.named(name, "1"), timers::share)
                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                .onElicitForm(form -> Answer.accept(new Name(form.message())));
    }

    @ParameterizedTest
    @EnumSource
    void theEndOfATaskIsSeenWithoutAPoll(Where where) throws Exception {
        LinkedBlockingQueue<String> statuses = new LinkedBlockingQueue<>();
        Queue<String> methods = new ConcurrentLinkedQueue<>();
        Interceptor noting =
                (method, next) -> {
                    methods.add(method.name());
                    return next.proceed(method);
                };
        try (McpServer server = server();
                McpClient client =
                        client("desk").intercept(noting).connect(remote(where, server))) {
            TaskHandle<CallToolResult> task =
                    client.startTool(new CallToolRequest("two", JsonObject.EMPTY));
            task.onStatus(now -> statuses.add(now.status().name()));

            assertThat(task.await(Duration.ofDays(1)).text()).isEqualTo("First?Second?");
            String last = "";
            while (!last.equals("COMPLETED")) {
                last = String.valueOf(statuses.poll(60, TimeUnit.SECONDS));
                assertThat(last).as("the end is missing").isNotEqualTo("null");
            }
            assertThat(methods).contains("tasks/get");
        }
    }

    @Test
    void inAGroupAsWell() throws Exception {
        try (McpServer server = server();
                McpClients group =
                        Internals.withTimers(McpClients.named("group", "1"), timers::share)
                                .server(
                                        "slow",
                                        remote(Where.HTTP, server),
                                        builder ->
                                                builder.revisions(
                                                                Revision.V2026_07_28,
                                                                Revision.V2026_07_28)
                                                        .onElicitForm(
                                                                form ->
                                                                        Answer.accept(
                                                                                new Name(
                                                                                        form
                                                                                                .message()))))
                                .connect()) {
            assertThat(group.awaitConnected("slow", Duration.ofSeconds(60))).isTrue();
            assertThat(group.startTool(new CallToolRequest("two", JsonObject.EMPTY)).await().text())
                    .isEqualTo("First?Second?");
        }
    }
}
