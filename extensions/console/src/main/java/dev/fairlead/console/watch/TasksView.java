package dev.fairlead.console.watch;

import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServerOperator.TaskStatus;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tasks of all owners and nodes, open ones first. */
final class TasksView implements View, AutoCloseable {
    private static final JsonArray NONE = new JsonArray(List.of());
    private static final TaskTrails.Known NOTHING = new TaskTrails.Known(Map.of(), Set.of());

    private final HttpOperator endpoint;
    private final Optional<TaskTrails> trails;

    TasksView(HttpOperator endpoint) {
        this.endpoint = endpoint;
        this.trails =
                endpoint.server().map(server -> new TaskTrails(server, endpoint::nodeReports));
        trails.ifPresent(kept -> endpoint.reportToNodes(kept::report));
    }

    /** Cancels the task of a row; false if it has ended. */
    boolean cancel(String reference) {
        return endpoint.server()
                .filter(server -> server.cancelTask(reference, Snapshot.MAX_ROWS))
                .isPresent();
    }

    @Override
    public Snapshot snapshot(Query query) {
        List<TaskStatus> matching =
                endpoint.server().map(TasksView::tasks).orElse(List.of()).stream()
                        .filter(
                                task ->
                                        query.matches(
                                                task.name(),
                                                task.state(),
                                                task.owner(),
                                                task.node(),
                                                task.message()))
                        .toList();
        TaskTrails.Known known = trails.map(TaskTrails::known).orElse(NOTHING);
        return new Snapshot(
                JsonObject.EMPTY,
                matching.size(),
                matching.stream().map(task -> row(task, known)).toList());
    }

    private static List<TaskStatus> tasks(ServerOperator server) {
        return server.tasks(Snapshot.MAX_ROWS);
    }

    private static Snapshot.Row row(TaskStatus task, TaskTrails.Known known) {
        Double progress = task.progress();
        return new Snapshot.Row(
                task.reference(),
                JsonObject.of(
                        "name", Texts.shortened(task.name()),
                        "state", task.state(),
                        "message", Texts.shortened(task.message()),
                        "owner", Texts.shortened(task.owner()),
                        "node", Texts.shortened(task.node()),
                        "running", known.running().contains(task.reference()),
                        "run", task.run(),
                        "progress", progress == null ? -1 : progress,
                        "question", task.question(),
                        "job", Texts.shortened(task.job()),
                        "created", task.created().toEpochMilli(),
                        "updated", task.updated().toEpochMilli(),
                        "expires", task.expires().toEpochMilli(),
                        "trail", known.trails().getOrDefault(task.reference(), NONE)));
    }

    @Override
    public void close() {
        trails.ifPresent(TaskTrails::close);
    }
}
