package dev.fairlead.benchmarks;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Owner;
import dev.fairlead.tasks.TaskOutcome;
import dev.fairlead.tasks.engine.TaskContext;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Has tasks wait for a person, and says what they cost. */
final class WaitingNode {
    static final int FEW = 100;
    static final int MANY = 10_000;

    private static final int CREATORS = 32;
    private static final RawJson QUESTION =
            RawJson.parse(
                    "{\"message\":\"May it go on?\","
                            + "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}");

    private final String url;
    private final OpenEngine opened;
    private int begun;

    WaitingNode(String url) {
        this.url = url;
        this.opened = new OpenEngine(url, WaitingNode::ask);
    }

    private static TaskOutcome ask(TaskContext context) throws InterruptedException {
        return context.ask("elicitation/create", QUESTION);
    }

    /**
     * Says how much is written with few and with many tasks, and how much memory each takes.
     *
     * @param seconds how long what is written is counted
     */
    void run(String seconds) throws Exception {
        Duration time = Duration.ofSeconds(Long.parseLong(seconds));
        begin(FEW);
        long before = liveHeap();
        double few = written(time);
        begin(MANY + FEW);
        long heap = (liveHeap() - before) / MANY;
        double many = written(time);
        Node.say("waiting %s %s %s".formatted(few, many, heap));
    }

    private void begin(int tasks) throws InterruptedException {
        List<Thread> creators = new ArrayList<>();
        int first = begun;
        for (int i = 0; i < CREATORS; i++) {
            int creator = i;
            creators.add(
                    Thread.startVirtualThread(
                            () -> {
                                for (int t = first + creator; t < tasks; t += CREATORS) {
                                    opened.start(new Owner.Local("owner" + t % 1_000));
                                }
                            }));
        }
        for (Thread creator : creators) {
            creator.join();
        }
        begun = tasks;
        Pauses.until(
                Duration.ofMinutes(2), () -> opened.engine().gauges().waitingForInput() >= tasks);
    }

    /** How many changes a second reach the database while nothing happens. */
    private double written(Duration time) throws Exception {
        if (url.equals("memory:")) {
            return 0;
        }
        WriteCount count = WriteCount.of(url);
        Pauses.pause(Duration.ofSeconds(2)); // the server reports late what it has counted
        long before = count.now();
        Pauses.pause(time);
        return (count.now() - before) / (double) time.toSeconds();
    }

    /** What is in use after everything was collected that can be. */
    private static long liveHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Pauses.pause(Duration.ofMillis(200));
            least =
                    Math.min(
                            least,
                            ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
