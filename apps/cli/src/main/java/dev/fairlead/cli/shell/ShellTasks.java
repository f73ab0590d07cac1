package dev.fairlead.cli.shell;

import dev.fairlead.cli.tasks.TaskWait;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.TaskList;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** The tasks of a session: those that were started here, and others that the server reports. */
final class ShellTasks {
    private static final int MAX_KNOWN = 1_000;

    private final ClientRequests server;
    private final TaskWait wait;
    private final LinkedHashSet<String> known = new LinkedHashSet<>();

    ShellTasks(ClientRequests server, TaskWait wait) {
        this.server = server;
        this.wait = wait;
    }

    /** Calls a tool plainly, as far as is known here. */
    CallToolResult callPlainly(ClientRequests requests, CallToolRequest request)
            throws InterruptedException {
        return wait.call(() -> requests.callTool(request));
    }

    /** Calls a tool as a task, and waits for its result. */
    CallToolResult call(CallToolRequest request) throws InterruptedException {
        TaskHandle<CallToolResult> started = start(request);
        Optional<TaskId> id = started.id();
        try {
            return id.isPresent()
                    ? wait.await(
                            started,
                            id.get(),
                            started.created().map(CreateTaskResult::task).orElse(null))
                    : started.await();
        } catch (ToolFailedException e) {
            return e.result();
        }
    }

    /** Calls a tool as a task that is left to itself. */
    List<String> leave(CallToolRequest request) throws InterruptedException {
        return start(request)
                .id()
                .map(id -> List.of("Task " + Printable.line(id.value()) + " was started."))
                .orElse(List.of("The server answered at once, without a task."));
    }

    private TaskHandle<CallToolResult> start(CallToolRequest request) throws InterruptedException {
        TaskHandle<CallToolResult> started = server.startTool(request.withTask(new TaskMetadata()));
        started.id()
                .ifPresent(
                        id -> {
                            remember(id);
                            wait.attention().leave(id);
                        });
        return started;
    }

    /** Waits for the result of a task. */
    CallToolResult result(String id) throws InterruptedException {
        TaskId task = new TaskId(id);
        try {
            return wait.await(server.task(task, CallToolResult.class), task, null);
        } catch (ToolFailedException e) {
            return e.result();
        }
    }

    List<String> list(Screen screen) throws InterruptedException {
        List<Task> tasks = server.tasks();
        tasks.forEach(task -> remember(task.id()));
        return TaskList.lines(tasks, Instant.now(), screen);
    }

    List<String> get(String id, Screen screen) throws InterruptedException {
        return TaskList.one(server.getTask(new TaskId(id)), Instant.now(), screen);
    }

    List<String> cancel(String id, Screen screen) throws InterruptedException {
        return TaskList.one(server.cancelTask(new TaskId(id)), Instant.now(), screen);
    }

    private void remember(TaskId id) {
        known.addLast(id.value());
        if (known.size() > MAX_KNOWN) {
            known.removeFirst();
        }
    }

    /** The ids that were seen, the last first. */
    Collection<String> ids() {
        return List.copyOf(known.reversed());
    }
}
