package dev.fairlead.proofs.restart;

import static dev.fairlead.test.support.Awaiting.await;
import static dev.fairlead.test.support.Awaiting.next;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.NoInput;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A client of revision 2026-07-28 that watches a task of a server over a pipe whose process is
 * killed as by {@code kill -9}: the next request starts it again, and the watch gets the end of the
 * task.
 */
@Tag("proof")
@Timeout(900)
class WatchedTaskRestartTest {
    @TempDir Path folder;

    private final BlockingQueue<TaskStatus> changes = new LinkedBlockingQueue<>();
    private final Semaphore looks = new Semaphore(0);
    private final Semaphore losses = new Semaphore(0);
    private McpClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        Interceptor counting =
                (method, next) -> {
                    if (method.name().equals("tasks/get")) {
                        looks.release();
                    }
                    return next.proceed(method);
                };
        client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .intercept(counting)
                        .onConnectionLost(why -> losses.release())
                        .connect(
                                Stdio.command(
                                                ChildJvm.command(
                                                                StdioTaskServer.class,
                                                                folder.toString())
                                                        .toArray(String[]::new))
                                        .onStderr(line -> {}));
    }

    @AfterEach
    void close() {
        client.close();
    }

    private long pid() throws InterruptedException {
        return client.tool("pid", NoInput.class, Long.class).call(new NoInput());
    }

    /** Starts a task, and returns once its first run is under way. */
    @CheckReturnValue
    private TaskHandle<Long> start(String tool) throws InterruptedException {
        TaskHandle<Long> task = client.tool(tool, NoInput.class, Long.class).start(new NoInput());
        await("the first run").until(() -> Files.exists(folder.resolve(tool)));
        return task.onStatus(this::changed);
    }

    private void changed(Task task) {
        changes.add(task.status());
    }

    @CheckReturnValue
    private static FutureTask<Long> awaited(TaskHandle<Long> task) {
        FutureTask<Long> end = new FutureTask<>(() -> task.await(Duration.ofMinutes(5)));
        Thread.ofVirtual().start(end);
        return end;
    }

    /** Kills a process, and returns once the client has noticed: requests before that fail. */
    private void kill(long pid) throws InterruptedException {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        assertThat(losses.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @Requirement("N26-STDIO-009")
    void aTaskThatRunsAgainEndsInTheNextProcess() throws Exception {
        long first = pid();
        FutureTask<Long> end = awaited(start("steady"));
        assertThat(next(changes)).isEqualTo(TaskStatus.WORKING);
        kill(first);

        long second = pid(); // starts it again, if no look at the task has
        assertThat(second).isNotEqualTo(first);
        assertThat(end.get(120, TimeUnit.SECONDS)).isEqualTo(second);
        assertThat(next(changes)).isEqualTo(TaskStatus.COMPLETED);
    }

    @Test
    @Requirement("N26-STDIO-009")
    void aLookThatIsUnderWayWhenTheProcessIsKilledEndsNoWatch() throws Exception {
        long first = pid();
        FutureTask<Long> end = awaited(start("steady"));
        ChildProcess.signal(first, "STOP");
        looks.drainPermits();
        assertThat(looks.tryAcquire(60, TimeUnit.SECONDS)).isTrue(); // has no answer
        kill(first);

        assertThat(end.get(120, TimeUnit.SECONDS)).isNotEqualTo(first); // by looks alone
        assertThat(pid()).isEqualTo(end.get());
    }

    @Test
    @Requirement("N26-STDIO-009")
    void aTaskThatDoesNotRunAgainEndsAsFailed() throws Exception {
        long first = pid();
        TaskHandle<Long> task = start("fragile");
        FutureTask<Long> end = awaited(task);
        kill(first);

        assertThat(pid()).isNotEqualTo(first);
        assertThatThrownBy(() -> end.get(120, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL_ERROR));
        assertThat(task.status()).isEqualTo(TaskStatus.FAILED);
        await("the listener").until(() -> changes.contains(TaskStatus.FAILED));
    }
}
