package dev.fairlead.proofs;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.Threads;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many sessions over HTTP that call, are asked and cancel at random: both sides count the same, and
 * nothing is left.
 */
@Tag("proof")
class SwarmTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int STEPS = 8;

    record Id(String id) {}

    record Reply(String id) {}

    enum Step {
        work,
        note,
        elicit,
        sample,
        roots,
        hang,
        hang_asking
    }

    /** How often each thing happened to each call. */
    private static final class Tally {
        private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

        void add(String id) {
            counts.computeIfAbsent(id, any -> new AtomicInteger()).incrementAndGet();
        }

        boolean has(String id) {
            return counts.containsKey(id);
        }

        int total() {
            return counts.values().stream().mapToInt(AtomicInteger::get).sum();
        }

        void assertOnceEach(Tally expected) {
            assertThat(counts.keySet()).isEqualTo(expected.counts.keySet());
            assertThat(counts.values()).allMatch(count -> count.get() == 1);
        }
    }

    private final CountDownLatch never = new CountDownLatch(1);

    // counted by the clients
    private final Tally called = new Tally();
    private final Tally hung = new Tally();
    private final Tally asked = new Tally();
    private final Tally told = new Tally();
    private final Tally withdrawn = new Tally();

    // counted by the server
    private final Tally ran = new Tally();
    private final Tally cancelled = new Tally();
    private final Tally asks = new Tally();
    private final Tally tells = new Tally();

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    @Requirement({"CANC-014", "HTTP-029", "BASE-008", "ROOM-060"})
    void nothingIsLostOrDoubledAndNothingIsLeft() throws Exception {
        long seed = Scale.seed("swarm");
        int sessions = Scale.of(100, 1_000);
        Map<String, Integer> threads = Threads.count();
        long begin = System.nanoTime();
        try (McpServer server = server()) {
            HttpServing serving = server.serve(Http.port(0));
            swarm(serving, sessions, seed);
            await().untilAsserted(
                            () ->
                                    assertThat(cancelled.total() >= hung.total())
                                            .as(
                                                    () ->
                                                            "calls are cancelled: "
                                                                    + cancelled.total()
                                                                    + " of "
                                                                    + hung.total())
                                            .isTrue());
            cancelled.assertOnceEach(hung);
            await().untilAsserted(
                            () ->
                                    assertThat(serving.sessions() == 0 && server.sessions() == 0)
                                            .as(() -> serving.sessions() + " sessions are left")
                                            .isTrue());
        }
        Threads.awaitNoMoreThan(threads);
        ran.assertOnceEach(called);
        asked.assertOnceEach(asks);
        told.assertOnceEach(tells);
        System.out.printf(
                Locale.ROOT,
                "swarm: %d sessions, %d calls, %d questions, %d notes, %d cancelled, %d questions"
                        + " withdrawn, %d ms%n",
                sessions,
                ran.total(),
                asks.total(),
                tells.total(),
                cancelled.total(),
                withdrawn.total(),
                (System.nanoTime() - begin) / 1_000_000);
    }

    // ---- the server

    private McpServer server() {
        McpServer.Builder server =
                McpServer.named("swarm", "1").questionTimeout(PATIENCE).requestTimeout(PATIENCE);
        for (Step step : Step.values()) {
            server.tool(step.name(), "A step", Id.class, String.class)
                    .handle((input, call) -> run(step, input.id(), call));
        }
        return server.build();
    }

    private String run(Step step, String id, Call call) throws InterruptedException {
        ran.add(id);
        try {
            return switch (step) {
                case work -> id;
                case note -> {
                    tells.add(id);
                    call.notify("proof/note", JsonObject.of("id", id));
                    yield id;
                }
                case elicit, hang_asking -> {
                    asks.add(id);
                    yield call.elicit(id, Reply.class).orElseThrow().id();
                }
                case sample -> {
                    asks.add(id);
                    yield call.sample(id, 10).text();
                }
                case roots -> call.roots().get(0).uri();
                case hang -> {
                    never.await();
                    yield id;
                }
            };
        } catch (InterruptedException e) {
            cancelled.add(id);
            throw e;
        }
    }

    // ---- the clients

    private void swarm(HttpServing serving, int sessions, long seed) throws Exception {
        Semaphore connecting = new Semaphore(32);
        CountDownLatch done = new CountDownLatch(sessions); // so that all are open together
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < sessions; i++) {
                Session session = new Session(i, new Random(seed * 31 + i));
                all.add(executor.submit(() -> session.run(serving.uri(), connecting, done)));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private final class Session {
        private final int number;
        private final Random random;

        Session(int number, Random random) {
            this.number = number;
            this.random = random;
        }

        Void run(URI uri, Semaphore connecting, CountDownLatch done) throws Exception {
            connecting.acquire();
            McpClient opened;
            try {
                opened = connect(uri);
            } finally {
                connecting.release();
            }
            try (opened) {
                for (int i = 0; i < STEPS; i++) {
                    Step step = Step.values()[random.nextInt(Step.values().length)];
                    step(opened, step, step + "-" + number + "-" + i);
                }
                done.countDown();
                done.await();
                awaitNotes();
            } finally {
                done.countDown();
            }
            return null;
        }

        private void awaitNotes() throws InterruptedException {
            String mine = "-" + number + "-";
            await("all notes arrived")
                    .until(
                            () ->
                                    tells.counts.keySet().stream()
                                            .filter(id -> id.contains(mine))
                                            .allMatch(told::has));
        }

        private McpClient connect(URI uri) throws InterruptedException {
            return McpClient.named("swarm", "1") // of sessions
                    .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                    .requestTimeout(PATIENCE)
                    .onElicitForm(form -> answer(form.message()))
                    .onSample(this::sample)
                    .onRoots(() -> List.of(Root.of(Path.of("/session-" + number))))
                    .onNotification("proof/note", note -> told.add(note.string("id")))
                    .connect(Http.to(uri));
        }

        private Answer<?> answer(String id) throws InterruptedException {
            asked.add(id);
            if (id.startsWith(Step.hang_asking.name())) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    withdrawn.add(id);
                    throw e;
                }
            }
            return Answer.accept(JsonObject.of("id", id));
        }

        private CreateMessageResult sample(CreateMessageRequest request) {
            String id = ((TextContent) request.messages().get(0).content().get(0)).text();
            asked.add(id);
            return CreateMessageResult.text("model", id);
        }

        private void step(McpClient client, Step step, String id) throws Exception {
            called.add(id);
            if (step == Step.hang || step == Step.hang_asking) {
                hung.add(id);
                cancel(client, step, id);
                return;
            }
            String expected = step == Step.roots ? "file:///session-" + number : id;
            assertThat(client.callTool(step.name(), JsonObject.of("id", id)).text())
                    .isEqualTo(expected);
        }

        private void cancel(McpClient client, Step step, String id) throws InterruptedException {
            Thread caller =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            client.callTool(step.name(), JsonObject.of("id", id));
                                        } catch (InterruptedException e) {
                                            // as intended
                                        }
                                    });
            Tally reached = step == Step.hang ? ran : asked;
            await("it began").until(() -> reached.has(id));
            caller.interrupt();
            caller.join();
            if (step == Step.hang_asking) {
                await("the question was withdrawn").until(() -> withdrawn.has(id));
            }
        }
    }
}
