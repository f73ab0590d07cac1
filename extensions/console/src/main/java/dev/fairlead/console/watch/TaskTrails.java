package dev.fairlead.console.watch;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNumber;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServerOperator.TaskAct;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The latest acts on tasks and the handlers that are alive, on this node and on those that it can
 * ask. Thread-safe.
 */
final class TaskTrails implements Consumer<TaskAct>, AutoCloseable {
    /** The most acts of all tasks that this node keeps. */
    static final int MAX_ACTS = 1_000;

    /** The most acts in a report to another node. */
    static final int MAX_REPORTED = 300;

    /** The most acts of a task. */
    static final int MAX_SHOWN = 20;

    /** How long the answers of other nodes serve all pages, shorter than they wait. */
    private static final long FRESH = TimeUnit.MILLISECONDS.toNanos(400);

    private static final String ACTS = "acts";
    private static final String RUNNING = "running";

    private final ServerOperator server;
    private final Supplier<List<JsonObject>> others;
    private final Ring<TaskAct> acts = new Ring<>(MAX_ACTS);
    private final ServerOperator.Observation observation;
    private final ReentrantLock lock = new ReentrantLock(); // guards the fields below
    private List<JsonObject> reports = List.of();
    private long askedAt = System.nanoTime() - FRESH;

    /**
     * @param others asks the other nodes for their {@link #report reports}
     */
    TaskTrails(ServerOperator server, Supplier<List<JsonObject>> others) {
        this.server = server;
        this.others = others;
        this.observation = server.observeTasks(this);
    }

    /**
     * The facts about tasks that are not in their store.
     *
     * @param trails the latest acts on each task, the last one first
     * @param running the tasks whose handlers are alive
     */
    record Known(Map<String, JsonArray> trails, Set<String> running) {}

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

    /** Asks the other nodes, and returns the facts of all. */
    Known known() {
        Set<String> running = new HashSet<>(server.runningTasks());
        List<TaskAct> all = new ArrayList<>(acts.latest());
        for (JsonObject report : asked()) {
            strings(report, RUNNING).forEach(running::add);
            elements(report, ACTS).flatMap(TaskTrails::act).forEach(all::add);
        }
        all.sort(Comparator.comparing(TaskAct::time).reversed()); // stable
        return new Known(byTask(all), running);
    }

    /** Returns the reports of the other nodes; one question serves all pages of a moment. */
    private List<JsonObject> asked() {
        lock.lock();
        try {
            if (System.nanoTime() - askedAt >= FRESH) {
                reports = others.get();
                askedAt = System.nanoTime();
            }
            return reports;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the report of this node for others. */
    JsonObject report() {
        return JsonObject.of(
                ACTS,
                acts.latest().stream()
                        .limit(MAX_REPORTED)
                        .map(act -> shown(act).with("task", act.reference()))
                        .toList(),
                RUNNING,
                List.copyOf(server.runningTasks()));
    }

    private static JsonObject shown(TaskAct act) {
        return JsonObject.of(
                "kind",
                act.kind(),
                "at",
                act.time().toEpochMilli(),
                "owner",
                act.owner(),
                "detail",
                act.detail());
    }

    /** Reads an act of another node; empty if it is none. */
    private static Stream<TaskAct> act(JsonValue given) {
        return given instanceof JsonObject act
                        && act.get("task") instanceof JsonString task
                        && act.get("kind") instanceof JsonString kind
                        && act.get("at") instanceof JsonNumber at
                        && at.isLong()
                        && act.get("owner") instanceof JsonString owner
                        && act.get("detail") instanceof JsonString detail
                ? Stream.of(
                        new TaskAct(
                                task.value(),
                                Texts.shortened(kind.value()),
                                Instant.ofEpochMilli(at.longValue()),
                                Texts.shortened(owner.value()),
                                Texts.shortened(detail.value())))
                : Stream.empty();
    }

    private static Stream<JsonValue> elements(JsonObject report, String name) {
        return report.get(name) instanceof JsonArray all ? all.elements().stream() : Stream.empty();
    }

    private static Stream<String> strings(JsonObject report, String name) {
        return elements(report, name)
                .filter(JsonString.class::isInstance)
                .map(text -> ((JsonString) text).value());
    }

    private static Map<String, JsonArray> byTask(List<TaskAct> latest) {
        Map<String, List<JsonValue>> trails = new HashMap<>();
        for (TaskAct act : latest) {
            List<JsonValue> trail =
                    trails.computeIfAbsent(act.reference(), first -> new ArrayList<>());
            if (trail.size() < MAX_SHOWN) {
                trail.add(shown(act));
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
