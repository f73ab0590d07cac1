package dev.fairlead.console.watch;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServerOperator.TaskAct;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The latest acts on tasks of this node, each in the trail of its task. Thread-safe. */
final class TaskTrails implements Consumer<TaskAct>, AutoCloseable {
    /** The most acts of all tasks. */
    static final int MAX_ACTS = 1_000;

    /** The most acts of a task. */
    static final int MAX_SHOWN = 20;

    private final Ring<TaskAct> acts = new Ring<>(MAX_ACTS);
    private final ServerOperator.Observation observation;

    TaskTrails(ServerOperator server) {
        this.observation = server.observeTasks(this);
    }

    @Override
    public void accept(TaskAct act) {
        acts.add(
                new TaskAct(
                        act.reference(),
                        act.kind(),
                        act.time(),
                        Texts.shortened(act.owner()),
                        Texts.shortened(act.detail())));
    }

    /** Returns the trail of each task, the latest act first. */
    Map<String, JsonArray> byTask() {
        Map<String, List<JsonValue>> trails = new HashMap<>();
        for (TaskAct act : acts.latest()) {
            List<JsonValue> trail =
                    trails.computeIfAbsent(act.reference(), first -> new ArrayList<>());
            if (trail.size() < MAX_SHOWN) {
                trail.add(
                        JsonObject.of(
                                "kind",
                                act.kind(),
                                "at",
                                act.time().toEpochMilli(),
                                "owner",
                                act.owner(),
                                "detail",
                                act.detail()));
            }
        }
        Map<String, JsonArray> found = new HashMap<>();
        trails.forEach((task, trail) -> found.put(task, new JsonArray(trail)));
        return found;
    }

    @Override
    public void close() {
        observation.close();
    }
}
