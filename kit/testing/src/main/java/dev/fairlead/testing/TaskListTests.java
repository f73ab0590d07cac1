package dev.fairlead.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fairlead.protocol.Owner;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.tasks.StoredTask;
import dev.fairlead.tasks.TaskPage;
import dev.fairlead.tasks.TaskRun;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lists of tasks, page by page. */
abstract class TaskListTests extends TaskStoreTests {
    TaskListTests(TaskStoreContract contract) {
        super(contract);
    }

    private List<TaskRun> create(int tasks) throws Exception {
        List<TaskRun> created = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            created.add(create());
        }
        return created;
    }

    private static List<TaskRun> runs(TaskPage page) {
        return page.tasks().stream().map(StoredTask::key).toList();
    }

    @Test
    void withoutTasksTheListIsEmpty() {
        TaskPage page = store.list(ALICE, null, 10);
        assertEquals(List.of(), page.tasks());
        assertNull(page.next());
    }

    @Test
    @Requirement({"TASK-076", "TASK-077"})
    void pagesHoldAllTasksInTheOrderOfTheirCreation() throws Exception {
        List<TaskRun> created = create(7);
        TaskPage first = store.list(ALICE, null, 3);
        TaskPage second = store.list(ALICE, next(first), 3);
        TaskPage third = store.list(ALICE, next(second), 3);
        assertEquals(created.subList(0, 3), runs(first));
        assertEquals(created.subList(3, 6), runs(second));
        assertEquals(created.subList(6, 7), runs(third));
        assertNull(third.next());
    }

    private static String next(TaskPage page) {
        String next = page.next();
        assertTrue(next != null && !next.isEmpty(), "there are more pages");
        return String.valueOf(next);
    }

    @Test
    void afterTheLastTaskThereIsNoPage() throws Exception {
        List<TaskRun> created = create(4);
        TaskPage first = store.list(ALICE, null, 2);
        TaskPage second = store.list(ALICE, first.next(), 2);
        assertEquals(created.subList(2, 4), runs(second));
        assertNull(second.next());
        assertNull(store.list(ALICE, null, 4).next());
        assertEquals(created, runs(store.list(ALICE, null, Integer.MAX_VALUE)));
    }

    @Test
    void whatIsListedIsWhatIsFound() throws Exception {
        TaskRun ended = create();
        store.end(ended, failure("done"), "over");
        TaskRun cancelled = create();
        cancel(cancelled);
        TaskRun asking = create();
        store.update(asking, "half", 0.5);
        store.ask(asking, question(1));
        TaskRun parked = create();
        store.park(parked, "job", null);
        TaskRun resumed = nextRun(create());
        List<StoredTask> found =
                List.of(
                        stored(ended),
                        stored(cancelled),
                        stored(asking),
                        stored(parked),
                        stored(resumed));
        assertEquals(found, store.list(ALICE, null, 10).tasks());
    }

    @Test
    void whatIsNoPlaceInTheListIsRefused() throws Exception {
        create(3);
        String next = next(store.list(ALICE, null, 1));
        for (String text : HOSTILE_TEXTS) {
            assertRefused(text);
        }
        assertRefused("null");
        assertRefused("1");
        assertRefused("-1");
        assertRefused(Long.toString(Long.MAX_VALUE));
        assertRefused("99999999999999999999999999");
        assertRefused("AAAAAAAAAAA");
        assertRefused(next + "A");
        assertRefused(" " + next);
    }

    private void assertRefused(String after) {
        assertThrows(
                IllegalArgumentException.class, () -> store.list(ALICE, after, 1), () -> after);
    }

    @Test
    void aPageHasAtLeastOnePlace() {
        assertThrows(IllegalArgumentException.class, () -> store.list(ALICE, null, 0));
        assertThrows(IllegalArgumentException.class, () -> store.list(ALICE, null, -1));
    }

    @Test
    @Requirement("TASK-096")
    void theCursorOfAnotherOwnerRevealsNoneOfTheirTasks() throws Exception {
        create(3);
        String foreign = next(store.list(ALICE, null, 1));
        create(BOB, Duration.ofHours(1));
        try {
            assertTrue(
                    store.list(BOB, foreign, 10).tasks().stream()
                            .allMatch(task -> task.owner().equals(BOB)));
        } catch (IllegalArgumentException e) {
            // refused, which is as good
        }
    }

    @Test
    void pagesContinueWhereATaskWasRemoved() throws Exception {
        node.retention = Duration.ofMillis(100);
        Duration hour = Duration.ofHours(1);
        Owner owner;
        TaskRun first;
        TaskRun going;
        TaskRun alsoGoing;
        TaskRun last;
        TaskPage page;
        int attempts = 0;
        do { // if this thread is delayed, the task may expire before it is listed
            owner = new Owner.Local("lists " + ++attempts);
            first = create(owner, hour);
            going = create(owner, shortTtl());
            alsoGoing = create(owner, shortTtl());
            last = create(owner, hour);
            page = store.list(owner, null, 2);
        } while (!movesClock() && attempts < 10 && !runs(page).contains(going));
        assertEquals(List.of(first, going), runs(page));
        pass(shortTtl().plus(node.retention));
        TaskRun gone = alsoGoing;
        sweepUntil(() -> store.find(gone.owner(), gone.id()).isEmpty());
        TaskRun newest = create(owner, hour);
        TaskPage next = store.list(owner, page.next(), 10);
        assertEquals(List.of(last, newest), runs(next));
    }

    @Test
    @Requirement("TASK-076")
    void tasksThatStayAreOnExactlyOnePageHoweverManyCome() throws Exception {
        List<TaskRun> staying = create(50);
        AtomicBoolean listed = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Boolean> coming =
                new FutureTask<>(
                        () -> {
                            for (int i = 0; i < 1_000 && !listed.get(); i++) {
                                create();
                                create(BOB, Duration.ofHours(1));
                                begun.countDown();
                            }
                            return true;
                        });
        Thread.ofPlatform().daemon().name("contract-helper").start(coming);
        begun.await();
        List<TaskRun> seen = new ArrayList<>();
        String after = null;
        do {
            TaskPage page = store.list(ALICE, after, 3);
            seen.addAll(runs(page));
            after = page.next();
        } while (after != null && seen.size() < 200);
        listed.set(true);
        coming.get();
        assertEquals(staying, seen.subList(0, staying.size()));
        assertEquals(seen.stream().distinct().toList(), seen);
    }

    @Test
    void everyTaskIsListedDespiteConcurrentCreation() throws Exception {
        List<Integer> attempts = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            attempts.add(i);
        }
        Race<Integer> race = new Race<>(attempts);
        for (int i = 0; i < 4; i++) {
            race.with(attempt -> create().number() == 1);
        }
        assertEquals(attempts.stream().map(attempt -> 4).toList(), race.winners());
        List<TaskRun> seen = new ArrayList<>();
        String after = null;
        do {
            TaskPage page = store.list(ALICE, after, 7);
            seen.addAll(runs(page));
            after = page.next();
        } while (after != null);
        assertEquals(100, seen.stream().distinct().count());
        assertEquals(100, seen.size());
    }
}
