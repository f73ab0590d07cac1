package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.TaskCancelledException;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The client and the experimental tasks of a server of the TypeScript SDK: {@code
 * src/test/js/task-server.mjs}.
 */
class TypeScriptTasksTest {
    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OverStdio extends Checks {
        @Override
        Remote server() {
            return Stdio.command(Npm.script("task-server.mjs", "stdio").toArray(String[]::new))
                    .onStderr(line -> {});
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class OverHttp extends Checks {
        private ChildProcess child;

        @Override
        Remote server() throws Exception {
            child = Programs.start(Npm.script("task-server.mjs", "http"), Map.of());
            return Http.to(child.await("^listening on (.*)$"));
        }

        @AfterAll
        void stop() throws Exception {
            child.close();
        }
    }

    abstract static class Checks {
        private static final Duration PATIENCE = Duration.ofSeconds(90);

        private McpClient client;

        abstract Remote server() throws Exception;

        @BeforeAll
        void connect() throws Exception {
            client =
                    McpClient.named("fairlead-interop", "1")
                            .requestTimeout(PATIENCE)
                            .onElicitForm(form -> Answer.accept(JsonObject.of("name", "Ada")))
                            .onSample(request -> CreateMessageResult.text("a-model", "Once upon"))
                            .connect(server());
        }

        @AfterAll
        void close() {
            client.close();
        }

        private TaskHandle<String> start(String tool, Object... arguments)
                throws InterruptedException {
            return client.tool(tool, JsonObject.class, String.class)
                    .start(JsonObject.of(arguments));
        }

        private String call(String tool, Object... arguments) throws InterruptedException {
            return client.tool(tool, JsonObject.class, String.class).call(JsonObject.of(arguments));
        }

        @Test
        void aToolThatRequiresATaskIsCalledAsIfItDidNot() throws InterruptedException {
            assertThat(call("echo_task", "text", "hello")).isEqualTo("hello");
        }

        @Test
        void aToolThatMayBeATaskIsCalledPlainly() throws InterruptedException {
            assertThat(call("echo_later", "text", "hello", "ms", 1)).isEqualTo("hello");
        }

        @Test
        void aTaskIsStartedLookedAtAndAwaited() throws InterruptedException {
            TaskHandle<String> handle =
                    client.tool("echo_later", JsonObject.class, String.class)
                            .withTaskTtl(Duration.ofMinutes(5))
                            .start(JsonObject.of("text", "hello", "ms", 6_000));
            Task created = handle.created().orElseThrow().task();
            assertThat(created.status()).isEqualTo(TaskStatus.WORKING);
            assertThat(created.ttl()).isEqualTo(300_000L);
            assertThat(handle.status()).isEqualTo(TaskStatus.WORKING);
            assertThat(handle.await(PATIENCE)).isEqualTo("hello");
            assertThat(handle.status()).isEqualTo(TaskStatus.COMPLETED);
        }

        @Test
        void aTaskIsPolledForStatusWithoutAWaitingCaller() throws Exception {
            BlockingQueue<TaskStatus> heard = new LinkedBlockingQueue<>();
            start("echo_later", "text", "hello", "ms", 500)
                    .onStatus(task -> heard.add(task.status()));
            TaskStatus last = null;
            while (last != TaskStatus.COMPLETED) {
                last = heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(last).isNotNull();
            }
        }

        @Test
        void aTaskIsFoundAgainByItsId() throws InterruptedException {
            TaskId id = start("echo_later", "text", "hello", "ms", 200).id().orElseThrow();
            assertThat(client.task(id, String.class).await(PATIENCE)).isEqualTo("hello");
        }

        @Test
        void aPersonIsAsked() throws InterruptedException {
            assertThat(start("ask_name").await(PATIENCE)).isEqualTo("Hello Ada");
            assertThat(call("ask_name")).isEqualTo("Hello Ada");
        }

        @Test
        void aModelIsAsked() throws InterruptedException {
            assertThat(call("ask_model", "prompt", "Tell me")).isEqualTo("Once upon");
        }

        @Test
        void progressReachesTheListener() throws InterruptedException {
            List<Double> steps = new ArrayList<>();
            String result =
                    client.tool("steps", JsonObject.class, String.class)
                            .withProgress(step -> steps.add(step.progress()))
                            .call(JsonObject.of("steps", 3));
            assertThat(result).isEqualTo("3 steps");
            assertThat(steps).containsExactly(1.0, 2.0, 3.0);
        }

        @Test
        void aFailureOfTheToolIsThrownWithItsText() throws InterruptedException {
            TaskHandle<String> handle = start("fail", "message", "too warm");
            assertThatThrownBy(() -> handle.await(PATIENCE))
                    .isInstanceOf(ToolFailedException.class)
                    .hasMessage("too warm");
            assertThat(handle.status()).isEqualTo(TaskStatus.FAILED);
        }

        @Test
        void aTaskIsCancelled() throws InterruptedException {
            TaskHandle<String> handle = start("wait");
            handle.cancel();
            assertThatThrownBy(() -> handle.await(PATIENCE))
                    .isInstanceOf(TaskCancelledException.class);
            assertThat(client.getTask(handle.id().orElseThrow()).status())
                    .isEqualTo(TaskStatus.CANCELLED);
        }

        @Test
        void waitersAreNotifiedOfACancellation() throws Exception {
            TaskHandle<String> handle = start("wait");
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<String> waiting = threads.submit(() -> handle.await(PATIENCE));
                client.cancelTask(handle.id().orElseThrow());
                assertThatThrownBy(waiting::get).hasCauseInstanceOf(TaskCancelledException.class);
            }
        }

        @Test
        void tasksOfAllPagesAreListed() throws InterruptedException {
            List<TaskId> started = new ArrayList<>();
            for (int number = 0; number < 12; number++) { // a page has 10
                TaskHandle<String> handle = start("echo_later", "text", "hello", "ms", 1);
                started.add(handle.id().orElseThrow());
            }
            assertThat(client.tasks()).extracting(Task::id).containsAll(started);
        }

        @Test
        void anUnknownTaskIsAnError() {
            assertThatThrownBy(() -> client.getTask(new TaskId("no-such-task")))
                    .isInstanceOfSatisfying(
                            JsonRpcException.class,
                            error -> assertThat(error.code()).isEqualTo(-32602));
        }
    }
}
