package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.TaskEvent;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Tasks that a person takes part in, from their creation to their end. */
abstract class TaskReceiverLifeTests extends TaskReceiverTests {
    TaskReceiverLifeTests(TaskReceiverContract contract, ReceiverBench.Opening side) {
        super(contract, side);
    }

    @Test
    @Requirement("TASK-109")
    void aRequestWithoutATaskIsAnsweredWithoutATask() throws Exception {
        ReceiverBench bench = open();
        bench.person.answer("at once");
        assertEquals("at once", bench.said(bench.result(bench.method(), bench.params())));
    }

    @Test
    @Requirement({"TASK-021", "TASK-048", "TASK-050", "TASK-051", "TASK-063"})
    void aPersonTakesTimeAndNothingElseWaits() throws Exception {
        ReceiverBench bench = open();
        JsonObject task = bench.create(JsonObject.of("ttl", 3_600_000));
        assertEquals("working", task.string("status"));
        assertEquals(3_600_000, task.integer("ttl"));
        JsonObject id = ReceiverBench.id(task.string("taskId"));
        bench.person.awaitQuestion();
        long waiting = bench.send("tasks/result", id);
        assertEquals("working", bench.status(id));
        bench.person.answer("after lunch");
        JsonObject result = ReceiverBench.resultOf(bench.response(waiting));
        assertEquals("after lunch", bench.said(result));
        assertEquals(id, result.object("_meta").get("io.modelcontextprotocol/related-task"));
        assertEquals("completed", bench.status(id));
        assertEquals(result, bench.result("tasks/result", id));
    }

    @Test
    @Requirement({"TASK-037", "TASK-038", "TASK-049"})
    void whatThePersonRefusesIsATaskThatFailed() throws Exception {
        ReceiverBench bench = open();
        JsonObject id = bench.created();
        bench.person.deny();
        JsonObject error = bench.error("tasks/result", id);
        assertEquals(-1, code(error));
        assertEquals("The user said no", error.string("message"));
        JsonObject task = bench.result("tasks/get", id);
        assertEquals("failed", task.string("status"));
        assertTrue(task.has("statusMessage"));
    }

    @Test
    @Requirement({"TASK-082", "TASK-083", "TASK-084", "TASK-088", "ROOM-008"})
    void cancellingInterruptsTheHandlerAndEndsTheWait() throws Exception {
        ReceiverBench bench = open();
        JsonObject id = bench.created();
        bench.person.awaitQuestion();
        long waiting = bench.send("tasks/result", id);
        assertEquals("cancelled", bench.result("tasks/cancel", id).string("status"));
        bench.person.awaitInterrupt();
        JsonObject error = bench.response(waiting).object("error");
        assertEquals(-32_603, code(error));
        assertEquals(id.with("status", "cancelled"), error.get("data"));
        bench.person.answer("too late");
        assertEquals("cancelled", bench.status(id));
        assertEquals(-32_602, code(bench.error("tasks/cancel", id)));
    }

    @Test
    @Requirement({"TASK-032", "TASK-089", "ROOM-017"})
    void aQuestionThatIsNotAnsweredInTimeExpires() throws Exception {
        ReceiverBench bench = open();
        Duration ttl = Duration.ofMillis(2_500);
        JsonObject id;
        do { // a task that expires before its handler begins asks no question
            JsonObject task = bench.create(JsonObject.of("ttl", ttl.toMillis()));
            id = ReceiverBench.id(task.string("taskId"));
        } while (!bench.person.isAsked(ttl));
        bench.person.awaitInterrupt();
        for (String method : List.of("tasks/result", "tasks/get", "tasks/cancel")) { // waits first
            JsonObject error = bench.error(method, id);
            assertEquals(-32_602, code(error));
            assertEquals("Task has expired", error.string("message"));
        }
    }

    @Test
    @Requirement("ROOM-013")
    void onlyTheFirstOfTwoTasksBeginsIfTheRequestIsAnsweredWithIt() throws Exception {
        onlyTheTaskThatTheRequestIsAnsweredWithBegins(0);
    }

    @Test
    @Requirement("ROOM-013")
    void onlyTheSecondOfTwoTasksBeginsIfTheRequestIsAnsweredWithIt() throws Exception {
        onlyTheTaskThatTheRequestIsAnsweredWithBegins(1);
    }

    /** Checks an interceptor that proceeds twice, such as one that repeats a failed request. */
    private void onlyTheTaskThatTheRequestIsAnsweredWithBegins(int wanted) throws Exception {
        BlockingQueue<TaskId> cancelled = new LinkedBlockingQueue<>();
        Tasks tasks = newTasks().maxPerOwner(2).onEvent(event -> noteCancelled(event, cancelled));
        ReceiverBench bench =
                open(
                        tasks,
                        false,
                        (call, next) ->
                                List.of(next.proceed(call), next.proceed(call)).get(wanted));
        for (int i = 0; i < 3; i++) { // tasks left over would count against the limit
            JsonObject id = bench.created();
            TaskId other = cancelled.poll(30, TimeUnit.SECONDS);
            assertNotNull(other, "the task that the peer does not know is cancelled");
            assertNotEquals(id.string("taskId"), other.value());
            bench.person.awaitQuestion();
            assertTrue(bench.person.wasAskedNothing(), "one handler runs");
            bench.person.answer("once");
            assertEquals("once", bench.said(bench.result("tasks/result", id)));
        }
        assertTrue(cancelled.isEmpty());
    }

    @Test
    @Requirement("ROOM-013")
    void aTaskThatTheRequestIsNotAnsweredWithNeverBegins() throws Exception {
        BlockingQueue<TaskId> cancelled = new LinkedBlockingQueue<>();
        AtomicReference<ReceiverBench> side = new AtomicReference<>();
        Tasks tasks = newTasks().maxPerOwner(1).onEvent(event -> noteCancelled(event, cancelled));
        ReceiverBench bench =
                open(
                        tasks,
                        false,
                        (call, next) -> {
                            next.proceed(call);
                            return Outcome.complete(side.get().plain());
                        });
        side.set(bench);
        for (int i = 0; i < 3; i++) {
            JsonObject plain =
                    bench.result(bench.method(), bench.params().with("task", JsonObject.EMPTY));
            assertFalse(plain.has("task"), plain::toJson);
            assertNotNull(cancelled.poll(30, TimeUnit.SECONDS), "the task is cancelled");
        }
        assertTrue(bench.person.wasAskedNothing());
    }

    private static void noteCancelled(TaskEvent event, Queue<TaskId> cancelled) {
        if (event.kind() == TaskEvent.Kind.CANCELLED) {
            cancelled.add(Objects.requireNonNull(event.task()));
        }
    }

    @Test
    @Requirement("TASK-101")
    void onlySoManyTasksAreTakenAtATime() throws Exception {
        ReceiverBench bench = open(tasks -> tasks.maxPerOwner(1));
        JsonObject first = bench.created();
        bench.person.awaitQuestion();
        JsonObject refused =
                bench.error(bench.method(), bench.params().with("task", JsonObject.EMPTY));
        assertEquals(-32_000, code(refused));
        bench.result("tasks/cancel", first);
        bench.person.awaitInterrupt();
        JsonObject second = bench.created();
        bench.person.answer("yes");
        assertEquals("yes", bench.said(bench.result("tasks/result", second)));
    }

    @Test
    @Requirement({"TASK-089", "TASK-092"})
    void anUnknownTaskIsUnknownToEveryMethod() throws Exception {
        ReceiverBench bench = open();
        JsonObject id = ReceiverBench.id("AAAAAAAAAAAAAAAAAAAAAA");
        for (String method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
            JsonObject error = bench.error(method, id);
            assertEquals(-32_602, code(error));
            assertEquals("Unknown task: AAAAAAAAAAAAAAAAAAAAAA", error.string("message"));
        }
    }

    @Test
    @Requirement({"TASK-075", "TASK-076"})
    void allTasksAreListedPageByPage() throws Exception {
        ReceiverBench bench = open(tasks -> tasks.pageSize(2));
        Set<String> created = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            created.add(bench.created().string("taskId"));
        }
        List<String> listed = new ArrayList<>();
        JsonObject page = bench.result("tasks/list", JsonObject.EMPTY);
        listed.addAll(ids(page));
        while (page.has("nextCursor")) {
            assertEquals(2, ids(page).size());
            page = bench.result("tasks/list", JsonObject.of("cursor", page.string("nextCursor")));
            listed.addAll(ids(page));
        }
        assertEquals(5, listed.size());
        assertEquals(created, Set.copyOf(listed));
    }

    private static List<String> ids(JsonObject page) {
        List<String> ids = new ArrayList<>();
        for (JsonValue task : page.array("tasks").elements()) {
            ids.add(((JsonObject) task).string("taskId"));
        }
        return ids;
    }

    @Test
    void closingTheSideInterruptsItsHandlers() throws Exception {
        ReceiverBench bench = open();
        bench.created();
        bench.person.awaitQuestion();
        bench.close();
        bench.person.awaitInterrupt();
    }
}
