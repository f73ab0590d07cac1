package dev.fairlead.cli;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.tasks.DetailedTask;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code fairlead listen}: prints changes of a server as they come. */
@Command(
        name = "listen",
        description = {
            "Prints changes of a server as they come, until Ctrl-C or until its output is closed:"
                    + " one line for each, with --json a JSON document.",
            "Without --tools, --prompts, --resources, --uri and --task it prints the changes of all"
                    + " lists."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead listen http://127.0.0.1:3000/mcp",
            "  fairlead listen --json --uri tour://bookings --count 1 \\",
            "      http://127.0.0.1:3000/mcp"
        })
final class Listen implements Callable<Integer> {
    /** The most events that wait to be printed; of more, the newest are dropped. */
    private static final int WAITING = 10_000;

    private final Runner runner;
    private final BlockingQueue<Change> changes = new LinkedBlockingQueue<>(WAITING);

    @Option(names = "--tools", description = "print changes of the list of tools")
    private boolean tools;

    @Option(names = "--prompts", description = "print changes of the list of prompts")
    private boolean prompts;

    @Option(
            names = "--resources",
            description = "print changes of the lists of resources and templates")
    private boolean resources;

    @Option(
            names = "--uri",
            paramLabel = "URI",
            description = "print changes of this resource; repeatable")
    private List<String> uris = new ArrayList<>();

    @Option(
            names = "--task",
            paramLabel = "ID",
            description = "print changes of this task; repeatable")
    private List<String> tasks = new ArrayList<>();

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "end after this many changes; without it Ctrl-C ends the command")
    private @Nullable Integer count;

    @Mixin private @Nullable ServerOptions options;

    Listen(Runner runner) {
        this.runner = runner;
    }

    /** A change that is to be printed. */
    @FunctionalInterface
    private interface Change {
        /** Returns the change as it is printed, which may take a request; null for none. */
        @Nullable Event event(ClientRequests server) throws InterruptedException;
    }

    /** A change, for programs and for people. */
    private record Event(JsonObject json, String line) {
        static Event of(String method, JsonObject params, String line) {
            JsonObject event = JsonObject.of("method", method);
            return new Event(params.isEmpty() ? event : event.with("params", params), line);
        }
    }

    @Override
    public Integer call() {
        Integer most = count;
        if (most != null && most < 1) {
            throw new UsageException("--count must be at least 1 but was " + most);
        }
        return runner.lines(
                Objects.requireNonNull(options),
                this::listenTo,
                (server, output) -> {
                    checkDeclared(server.serverCapabilities());
                    watch(server);
                    print(server, output, most);
                });
    }

    /** Prints changes until there were so many, the time is over, or the reader has left. */
    private void print(McpClient server, Output output, @Nullable Integer most)
            throws InterruptedException {
        ServerOptions given = Objects.requireNonNull(options);
        long limit = given.isTimeoutSet() ? given.timeout().toNanos() : Long.MAX_VALUE;
        long started = System.nanoTime();
        int printed = 0;
        boolean isRead = true;
        while (isRead && (most == null || printed < most)) {
            long left = limit - (System.nanoTime() - started);
            Change change =
                    given.isTimeoutSet()
                            ? changes.poll(left, TimeUnit.NANOSECONDS)
                            : changes.take();
            if (change == null) {
                if (most == null) {
                    return;
                }
                throw new RequestTimeoutException(
                        "%s of %s changes within %s ms (--timeout)"
                                .formatted(printed, most, given.timeout().toMillis()));
            }
            Event event = change.event(server);
            if (event != null) {
                isRead = output.event(event.json(), event.line());
                printed++;
            }
        }
    }

    private boolean isAll() {
        return !tools && !prompts && !resources && uris.isEmpty() && tasks.isEmpty();
    }

    /** Changes that the server does not declare would be waited for in vain. */
    private void checkDeclared(ServerCapabilities server) {
        checkDeclared("tools", tools, server.toolsListChanged());
        checkDeclared("prompts", prompts, server.promptsListChanged());
        checkDeclared("resources", resources, server.resourcesListChanged());
        boolean any =
                server.toolsListChanged()
                        || server.promptsListChanged()
                        || server.resourcesListChanged();
        if (isAll() && !any) {
            throw new CapabilityException(
                    "tools.listChanged",
                    "listen needs one of the capabilities tools.listChanged, prompts.listChanged"
                            + " and resources.listChanged of the peer");
        }
    }

    private static void checkDeclared(String list, boolean isWanted, boolean isDeclared) {
        if (isWanted && !isDeclared) {
            throw CapabilityException.missing(list + ".listChanged", "listen --" + list);
        }
    }

    private void listenTo(McpClient.Builder client) {
        boolean all = isAll();
        client.onConnectionLost(why -> changes.put(server -> ended(server, why)));
        if (tools || all) {
            client.onToolsChanged(list -> changed(Notifications.TOOL_LIST_CHANGED, "tools"));
        }
        if (prompts || all) {
            client.onPromptsChanged(list -> changed(Notifications.PROMPT_LIST_CHANGED, "prompts"));
        }
        if (resources || all) {
            client.onResourcesChanged(
                    list -> changed(Notifications.RESOURCE_LIST_CHANGED, "resources"));
        }
    }

    private void changed(Notification<?> notification, String what) {
        Event event =
                Event.of(
                        notification.name(),
                        JsonObject.EMPTY,
                        "The list of " + what + " has changed.");
        changes.offer(server -> event);
    }

    /** A session ends with its server; in later revisions the server is started again. */
    private static @Nullable Event ended(ClientRequests server, ConnectionException why) {
        if (server.revision().era() == Era.HANDSHAKE) {
            throw why;
        }
        return null;
    }

    private void watch(ClientRequests server) throws InterruptedException {
        for (String uri : uris) {
            server.watch(
                    uri,
                    changed -> {
                        Event event =
                                Event.of(
                                        Notifications.RESOURCE_UPDATED.name(),
                                        JsonObject.of("uri", changed),
                                        changed + " has changed.");
                        changes.offer(connected -> event);
                    });
        }
        for (String id : tasks) {
            server.getTask(new TaskId(id)); // an unknown one is refused
            server.task(new TaskId(id), JsonObject.class)
                    .onStatus(task -> changes.offer(connected -> event(task, connected)));
        }
    }

    /** Returns a change of a task in the form of the revision. */
    private static Event event(Task task, ClientRequests server) throws InterruptedException {
        String line = "Task " + task.id().value() + " is " + task.status() + ".";
        return server.revision().era() == Era.HANDSHAKE
                ? Event.of(Notifications.TASK_STATUS.name(), json(Task.class, task), line)
                : Event.of(Notifications.TASK.name(), detailed(task, server), line);
    }

    private static <T> JsonObject json(Class<T> type, T value) {
        return (JsonObject) JsonCodec.of(type).toValue(value);
    }

    /** Adds the details to the status of a task: its questions, its result or its error. */
    private static JsonObject detailed(Task task, ClientRequests server)
            throws InterruptedException {
        JsonObject alone = json(DetailedTask.class, DetailedTask.of(task));
        try {
            JsonObject now =
                    server.request(
                            Methods.GET_DETAILED_TASK.name(),
                            JsonObject.of("taskId", task.id().value()));
            boolean isSame =
                    Stream.of("status", "statusMessage")
                            .allMatch(name -> Objects.equals(now.get(name), alone.get(name)));
            return isSame ? now.without("resultType", "_meta") : alone;
        } catch (JsonRpcException e) { // it has expired meanwhile
            return alone;
        }
    }
}
