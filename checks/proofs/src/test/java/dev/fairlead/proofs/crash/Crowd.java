package dev.fairlead.proofs.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Requestors that start tasks at some nodes and wait for them at others, and record
 * acknowledgements, answers and results. Two of three tasks may run again.
 */
final class Crowd implements AutoCloseable {
    /** How long a task and all the crashes that hit it may take. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** How many tasks are started, or asked for again, at a time. */
    private static final int AT_A_TIME = 16;

    private final List<McpClient> clients;
    private final long seed;
    private final int pause;
    private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<Integer, Started> started = new ConcurrentHashMap<>();
    private final Map<Integer, Queue<String>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger last;
    private final AtomicInteger open = new AtomicInteger();

    /** A task that was acknowledged, and how it ended. */
    private static final class Started {
        private final boolean steady;
        private final TaskId id;
        private final Queue<String> ends = new ConcurrentLinkedQueue<>();

        private Started(boolean steady, TaskId id) {
            this.steady = steady;
            this.id = id;
        }
    }

    /**
     * @param first number of the tasks, which begin behind it
     * @param pause the longest between two steps of a task, in milliseconds
     */
    Crowd(int first, List<URI> nodes, Random random, int pause) {
        this.last = new AtomicInteger(first);
        this.seed = random.nextLong();
        this.pause = pause;
        this.clients = nodes.stream().map(this::connect).toList();
    }

    private McpClient connect(URI node) {
        try {
            return McpClient.named("crowd", "1")
                    .onElicitForm(this::answer)
                    .requestTimeout(Duration.ofSeconds(60))
                    .connect(Http.to(node));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Answer<?> answer(ElicitForm form) {
        int number = Integer.parseInt(form.message().substring(0, form.message().indexOf(':')));
        String answer = UUID.randomUUID().toString();
        answers.computeIfAbsent(number, key -> new ConcurrentLinkedQueue<>()).add(answer);
        return Answer.accept(JsonObject.of("name", answer));
    }

    /** Starts tasks until so many are under way, several at a time: they end meanwhile. */
    void fill(int tasks) throws InterruptedException {
        List<Thread> starting = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            starting.add(Thread.startVirtualThread(() -> startUntil(tasks)));
        }
        for (Thread thread : starting) {
            thread.join();
        }
    }

    private void startUntil(int tasks) {
        try {
            while (open.get() < tasks) {
                start(last.incrementAndGet());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(int number) throws InterruptedException {
        boolean steady = number % 3 != 0;
        // of the number alone, so that a seed repeats it whichever thread starts the task
        var random = new SplittableRandom(seed + number);
        McpClient client = clients.get(number % clients.size());
        CallToolRequest request =
                new CallToolRequest(
                        steady ? "steady" : "fragile",
                        JsonObject.of("number", number, "pause", random.nextInt(pause)));
        try {
            TaskId id = client.startTool(request).id().orElseThrow();
            Started task = new Started(steady, id);
            started.put(number, task);
            open.incrementAndGet();
            McpClient elsewhere = clients.get(random.nextInt(clients.size()));
            waiting.execute(() -> follow(elsewhere, task));
        } catch (CallException e) {
            return; // not acknowledged
        }
    }

    private void follow(McpClient client, Started task) {
        try {
            TaskHandle<CallToolResult> handle = client.task(task.id, CallToolResult.class);
            task.ends.add(handle.await(PATIENCE).text());
        } catch (JsonRpcException e) {
            task.ends.add("error " + e.code() + " " + e.getMessage());
        } catch (CallException e) {
            task.ends.add("nothing: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.decrementAndGet();
        }
    }

    int open() {
        return open.get();
    }

    /** How many tasks were acknowledged. */
    int acknowledged() {
        return started.size();
    }

    /** Waits for all ends. */
    void finish() throws InterruptedException {
        waiting.shutdown();
        assertThat(waiting.awaitTermination(PATIENCE.toMinutes() + 1, TimeUnit.MINUTES))
                .as("every task ends")
                .isTrue();
    }

    /**
     * Every acknowledged task has one end, the same when it is asked for again; the results of
     * those that may run again agree with their answers and effects.
     *
     * @return how many of those that may not run again were interrupted
     */
    int check(Effects effects) throws Exception {
        Map<String, List<String>> booked = effects.all();
        assertThat(booked).allSatisfy((step, keys) -> assertThat(keys).as(step).hasSize(1));
        int interrupted = 0;
        for (Map.Entry<Integer, Started> entry : started.entrySet()) {
            int number = entry.getKey();
            Started task = entry.getValue();
            assertThat(task.ends).as("ends of task %s", number).hasSize(1);
            String end = task.ends.element();
            if (task.steady) {
                checkSteady(number, end, booked);
            } else if (!end.equals(number + " done")) {
                assertThat(end).as("end of task %s", number).contains("may not run again");
                interrupted++;
            }
        }
        askAgain();
        started.forEach(
                (number, task) ->
                        assertThat(task.ends)
                                .as("ends of task %s", number)
                                .hasSize(2)
                                .containsOnly(task.ends.element()));
        return interrupted;
    }

    private void askAgain() {
        try (ExecutorService asking =
                Executors.newFixedThreadPool(AT_A_TIME, Thread.ofVirtual().factory())) {
            started.values()
                    .forEach(task -> asking.execute(() -> follow(clients.getFirst(), task)));
        }
    }

    private void checkSteady(int number, String end, Map<String, List<String>> booked) {
        String[] parts = end.split(" ", -1);
        assertThat(parts).as("task %s ended with %s", number, end).hasSize(4);
        assertThat(booked.get(number + ".first")).containsExactly(parts[1]);
        assertThat(booked.get(number + ".heard")).containsExactly(parts[2]);
        assertThat(answers.get(number)).contains(parts[2]);
        assertThat(booked.get(number + ".second")).containsExactly(parts[3]);
    }

    @Override
    public void close() {
        waiting.shutdownNow();
        clients.forEach(McpClient::close);
    }
}
