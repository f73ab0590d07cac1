package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.fairlead.tasks.TaskOverview;
import dev.fairlead.tasks.TaskOverview.Seen;
import dev.fairlead.tasks.TaskRun;
import dev.fairlead.tasks.TaskState;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The overview for operators; a store without one passes. */
abstract class TaskOverviewTests extends TaskStoreTests {
    private static final Duration HOUR = Duration.ofHours(1);

    TaskOverviewTests(TaskStoreContract contract) {
        super(contract);
    }

    private static List<TaskRun> runs(List<Seen> seen) {
        return seen.stream().map(each -> each.task().key()).toList();
    }

    @Test
    void withoutTasksItIsEmpty() {
        TaskOverview overview = store.overview().orElse(null);
        if (overview != null) {
            assertEquals(List.of(), overview.open(10));
            assertEquals(List.of(), overview.ended(10));
        }
    }

    @Test
    void tasksOfAllOwnersAreShownTheLastToExpireFirst() throws Exception {
        TaskOverview overview = store.overview().orElse(null);
        if (overview != null) {
            TaskRun first = create(ALICE, HOUR.multipliedBy(2));
            TaskRun second = create(BOB, HOUR.multipliedBy(3));
            TaskRun third = create(ALICE, HOUR);
            assertEquals(List.of(second, first, third), runs(overview.open(10)));
            assertEquals(List.of(second, first), runs(overview.open(2)));
            assertEquals(List.of(), overview.ended(10));
        }
    }

    @Test
    void endedTasksAreShownApart() throws Exception {
        TaskOverview overview = store.overview().orElse(null);
        if (overview != null) {
            TaskRun open = create();
            TaskRun failed = create(BOB, HOUR);
            store.end(failed, failure("broken"), "over");
            TaskRun cancelled = create();
            cancel(cancelled);
            assertEquals(List.of(open), runs(overview.open(10)));
            assertEquals(
                    Set.of(TaskState.FAILURE, TaskState.CANCELLED),
                    overview.ended(10).stream()
                            .map(each -> each.task().state())
                            .collect(Collectors.toSet()));
            assertEquals(1, overview.ended(1).size());
        }
    }

    @Test
    void aTaskIsShownAsItsOwnerFindsIt() throws Exception {
        TaskOverview overview = store.overview().orElse(null);
        if (overview != null) {
            TaskRun run = create();
            store.update(run, "half", 0.5);
            Seen seen = overview.open(10).getFirst();
            assertEquals(stored(run), seen.task());
            assertEquals(node.name(), seen.node());
            assertNull(seen.question());
        }
    }

    @Test
    void theFirstOpenQuestionIsShown() throws Exception {
        TaskOverview overview = store.overview().orElse(null);
        if (overview != null) {
            TaskRun run = create();
            store.ask(run, List.of(question(1), question(2)));
            assertEquals(question(1).method(), overview.open(10).getFirst().question());
            answer(run, 1, "yes");
            answer(run, 2, "yes");
            assertNull(overview.open(10).getFirst().question());
        }
    }

    @Test
    void aParkedTaskIsHeldByNoNode() throws Exception {
        TaskOverview overview = store.overview().orElse(null);
        if (overview != null) {
            TaskRun run = create();
            store.park(run, "job", null);
            Seen seen = overview.open(10).getFirst();
            assertNull(seen.node());
            assertEquals("job", seen.task().job());
        }
    }

    @Test
    void expiredTasksAreNotShown() throws Exception {
        TaskOverview overview = store.overview().orElse(null);
        if (overview != null) {
            create(ALICE, shortTtl());
            TaskRun ended = create(BOB, shortTtl());
            store.end(ended, failure("broken"), "over");
            pass(shortTtl());
            assertEquals(List.of(), overview.open(10));
            assertEquals(List.of(), overview.ended(10));
        }
    }
}
