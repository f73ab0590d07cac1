package dev.fairlead.console.workbench;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.console.access.Gate;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskMetadata;
import dev.fairlead.protocol.tasks.TasksExtension;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.tasks.TaskCancelledException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * One request that a person sends, on a thread of its own. It ends with exactly one event: an
 * answer, a failure, or that it was cancelled.
 */
final class BenchCall {
    /** How long a person may take for the page that a server asks to visit. */
    private static final Duration FOR_PEOPLE = Duration.ofMinutes(10);

    private final String id;
    private final String method;
    private final JsonObject params;
    private final boolean isTask;
    private final Outbox outbox;
    private final @Nullable Handlers handlers;
    private final String name = Gate.newSecret(); // for handlers
    private final Object lock = new Object();
    private @Nullable Thread thread; // guarded by lock; null once there is nothing to interrupt
    private @Nullable TaskHandle<CallToolResult> task; // guarded by lock
    private boolean cancelled; // guarded by lock

    BenchCall(
            String id,
            String method,
            JsonObject params,
            boolean isTask,
            Outbox outbox,
            @Nullable Handlers handlers) {
        this.id = id;
        this.method = method;
        this.params = handlers == null ? params : named(params);
        this.handlers = handlers;
        this.isTask = isTask;
        this.outbox = outbox;
    }

    private JsonObject named(JsonObject params) {
        JsonObject meta =
                params.get("_meta") instanceof JsonObject known ? known : JsonObject.EMPTY;
        return params.with("_meta", meta.with(Handlers.NAME, name));
    }

    /** The way to the connected client. */
    @FunctionalInterface
    interface Connection {
        ClientRequests connected() throws InterruptedException;
    }

    /**
     * The end of a call.
     *
     * @param event reports it to the page
     * @param failure that it ended with; null for an answer
     */
    record End(JsonObject event, @Nullable Exception failure) {}

    /** Sends the request and waits for its end. */
    End run(Connection connection) {
        if (handlers != null) {
            handlers.expect(name);
        }
        try {
            return ended(connection);
        } finally {
            if (handlers != null) {
                handlers.forget(name);
            }
        }
    }

    private End ended(Connection connection) {
        Exception failure = null;
        JsonObject end;
        try {
            begin();
            JsonObject result = result(connection.connected());
            end = Cut.into(JsonObject.of("type", "answer", "call", id), "result", result);
        } catch (InterruptedException | TaskCancelledException e) {
            failure = e;
            awaitHandlers();
            end = JsonObject.of("type", "cancelled", "call", id);
        } catch (RuntimeException e) {
            failure = e;
            end = Failures.event(id, e);
        } finally {
            synchronized (lock) {
                thread = null;
                task = null;
            }
            Thread.interrupted(); // by a cancellation that came too late
        }
        return new End(end, failure);
    }

    /** Waits until the handler of a cancelled call has really ended, or the page leaves. */
    private void awaitHandlers() {
        if (handlers == null) {
            return;
        }
        try {
            handlers.awaitEnded(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin() throws InterruptedException {
        synchronized (lock) {
            if (cancelled) {
                throw new InterruptedException("cancelled before it was sent");
            }
            thread = Thread.currentThread();
        }
    }

    private JsonObject result(ClientRequests client) throws InterruptedException {
        ClientRequests server =
                client.withFreshResults()
                        .withProgress(this::progressed)
                        .withUrlElicitation(FOR_PEOPLE);
        if (isTask) {
            return asTask(server);
        }
        try {
            return server.request(method, params);
        } catch (JsonRpcException e) {
            if (TasksExtension.isMissingIn(e)) { // the tool has to run as a task
                return asTask(server);
            }
            throw e;
        }
    }

    private JsonObject asTask(ClientRequests server) throws InterruptedException {
        CallToolRequest request =
                JsonCodec.of(CallToolRequest.class).read(params).withTask(new TaskMetadata());
        TaskHandle<CallToolResult> started = server.startTool(request);
        boolean cancelNow;
        synchronized (lock) {
            task = started;
            thread = null; // an interrupt would end the wait alone, and leave the task
            Thread.interrupted();
            cancelNow = cancelled;
        }
        if (cancelNow) {
            started.cancel();
        }
        started.onProgress(this::progressed).onStatus(this::changed);
        return (JsonObject) JsonCodec.of(CallToolResult.class).toValue(awaited(started));
    }

    private static CallToolResult awaited(TaskHandle<CallToolResult> started)
            throws InterruptedException {
        try {
            return started.await();
        } catch (ToolFailedException e) {
            return e.result();
        }
    }

    private void progressed(Progress progress) {
        outbox.addPassing(
                JsonObject.of(
                        "type",
                        "progress",
                        "call",
                        id,
                        "progress",
                        progress.progress(),
                        "total",
                        progress.total(),
                        "message",
                        progress.message() == null ? "" : Failures.shortened(progress.message())));
    }

    private void changed(Task now) {
        outbox.addPassing(
                JsonObject.of(
                        "type",
                        "task",
                        "call",
                        id,
                        "task",
                        now.id().value(),
                        "status",
                        now.status().toString(),
                        "message",
                        now.statusMessage() == null
                                ? ""
                                : Failures.shortened(now.statusMessage())));
    }

    /** Cancels the request or its task; the end follows as an event. */
    void cancel() {
        TaskHandle<CallToolResult> started;
        synchronized (lock) {
            boolean isFirst = !cancelled;
            cancelled = true;
            started = task;
            if (isFirst && thread != null) {
                thread.interrupt();
            }
        }
        if (started != null) {
            Thread.ofVirtual().name("mcp-console-cancel").start(() -> cancel(started));
        }
    }

    private void cancel(TaskHandle<CallToolResult> started) {
        try {
            started.cancel();
        } catch (CallException e) {
            outbox.add(
                    JsonObject.of(
                            "type", "not-cancelled", "call", id, "message", Failures.message(e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Interrupts the request, also the wait for a task, since the page has left. */
    void leave(Thread worker) {
        cancel();
        worker.interrupt();
    }
}
