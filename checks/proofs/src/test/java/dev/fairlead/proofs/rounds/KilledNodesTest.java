package dev.fairlead.proofs.rounds;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.proofs.PerRequestCaller;
import dev.fairlead.proofs.crash.Effects;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.AlternatingProxy;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.Scale;
import dev.fairlead.test.support.StateKeyFile;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Two processes with one file of keys and one database, behind a proxy that sends every request to
 * the other one; one of them is killed again and again, in full size while the keys are rotated. A
 * caller sees delay, or that its request failed, and repeats it.
 */
@Tag("proof")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class KilledNodesTest {
    private static final int KILLS = Scale.of(2, 8);
    private static final Duration BETWEEN = Duration.ofSeconds(Scale.of(2, 10));

    /** Longer than a process takes to be there again. */
    private static final Duration TTL = Duration.ofSeconds(Scale.of(600, 120));

    /** A file of keys is read again within 10 s of a change, by a process that is not held up. */
    private static final Duration READ_AGAIN = Duration.ofSeconds(20);

    /** How long a call is repeated. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir Path folder;

    private final PerRequestCaller caller = new PerRequestCaller();
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicLong longest = new AtomicLong();
    private final Map<Integer, String> roundKeys = new ConcurrentHashMap<>();
    private final Map<Integer, String> taskTexts = new ConcurrentHashMap<>();
    private volatile boolean done;

    /** A process of the server, which is started again at the same port. */
    private final class Node implements AutoCloseable {
        private final List<String> arguments;
        private ChildProcess process;
        private final URI uri;

        Node(StateKeyFile keys, String database, Path effects) throws Exception {
            arguments =
                    List.of(keys.path().toString(), TTL.toString(), database, effects.toString());
            process = launch(0);
            uri = URI.create(process.line().orElseThrow());
        }

        private ChildProcess launch(int port) throws IOException {
            List<String> all = new ArrayList<>(arguments);
            all.add(Integer.toString(port));
            return ChildProcess.start(
                    ChildJvm.command(NodeServer.class, all.toArray(String[]::new)));
        }

        void killAndRestart() throws Exception {
            process.close();
            process = launch(uri.getPort());
            assertThat(URI.create(process.line().orElseThrow())).isEqualTo(uri);
        }

        @Override
        public void close() throws Exception {
            process.close();
        }
    }

    /** Streams of changes at one node, opened again whenever its process was killed. */
    private final class Listener {
        private final URI node;
        private final AtomicInteger acknowledged = new AtomicInteger();
        private final AtomicInteger updates = new AtomicInteger();

        Listener(URI node) {
            this.node = node;
        }

        Void listen() throws InterruptedException {
            while (!done) {
                String wanted = "{\"resourceSubscriptions\": [\"" + NodeServer.BOARD + "\"]}";
                try (Stream<String> lines = caller.listen(node, wanted).body()) {
                    lines.forEach(this::line);
                } catch (IOException | UncheckedIOException e) {
                    TimeUnit.MILLISECONDS.sleep(50); // between two attempts
                }
            }
            return null;
        }

        private void line(String line) {
            if (line.contains("notifications/subscriptions/acknowledged")) {
                acknowledged.incrementAndGet();
            } else if (line.contains("notifications/resources/updated")) {
                updates.incrementAndGet();
            }
        }
    }

    @AfterEach
    void close() {
        caller.close();
    }

    @Test
    @Requirement({"N26-MRTR-012", "N26-LIFE-003", "N26-TASK-036"})
    void callersSeeDelayAndNoEffectTwice() throws Exception {
        StateKeyFile keys = StateKeyFile.in(folder);
        Effects effects = new Effects(Files.createDirectories(folder.resolve("effects")));
        try (EmbeddedPostgres postgres =
                        EmbeddedPostgres.builder()
                                .setPGStartupWait(Duration.ofSeconds(60))
                                .start();
                Node one = new Node(keys, url(postgres), effects.folder());
                Node other = new Node(keys, url(postgres), effects.folder());
                AlternatingProxy proxy = new AlternatingProxy(List.of(one.uri, other.uri));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Listener here = new Listener(one.uri);
            Listener there = new Listener(other.uri);
            List<Future<?>> running = new ArrayList<>();
            running.add(threads.submit((Callable<?>) here::listen));
            running.add(threads.submit((Callable<?>) there::listen));
            running.add(threads.submit((Callable<?>) () -> rounds(proxy.uri())));
            running.add(threads.submit((Callable<?>) () -> rounds(proxy.uri())));
            running.add(threads.submit((Callable<?>) () -> tasks(proxy.uri())));
            running.add(threads.submit((Callable<?>) () -> tasks(proxy.uri())));
            if (Scale.isFull()) {
                running.add(threads.submit((Callable<?>) () -> rotate(keys)));
            }
            for (int kill = 0; kill < KILLS; kill++) {
                int rounds = roundKeys.size();
                int tasks = taskTexts.size();
                Thread.sleep(BETWEEN); // the pace of the kills
                await("calls end between the kills")
                        .until(() -> roundKeys.size() > rounds && taskTexts.size() > tasks);
                Node killed = kill % 2 == 0 ? one : other;
                Listener lost = kill % 2 == 0 ? here : there;
                int before = lost.acknowledged.get();
                killed.killAndRestart();
                await("the stream is open again").until(() -> lost.acknowledged.get() > before);
                reaches(other.uri, here);
                reaches(one.uri, there);
            }
            done = true;
            one.close(); // which ends the streams
            other.close();
            for (Future<?> each : running) {
                each.get(); // fails with the first that was refused
            }
            report(proxy);
            check(effects);
        }
    }

    private void report(AlternatingProxy proxy) {
        System.out.printf(
                Locale.ROOT,
                "%d calls in rounds, %d tasks, %d kills, %d answers of 502, %d requests repeated,"
                        + " longest delay %d ms%n",
                roundKeys.size(),
                taskTexts.size(),
                KILLS,
                proxy.failures(),
                repeated.get(),
                TimeUnit.NANOSECONDS.toMillis(longest.get()));
    }

    private static String url(EmbeddedPostgres postgres) {
        return postgres.getJdbcUrl("postgres", "postgres");
    }

    private static Void rotate(StateKeyFile keys) throws Exception {
        keys.add();
        Thread.sleep(READ_AGAIN); // until both nodes have the keys
        keys.move();
        Thread.sleep(READ_AGAIN.plus(TTL)); // until no state of the old key is left
        keys.drop();
        Thread.sleep(READ_AGAIN); // until both nodes have the keys
        return null;
    }

    /** A change at one node reaches a stream at the other one. */
    private void reaches(URI announcing, Listener listener) {
        int before = listener.updates.get();
        await("the change at the other node")
                .untilAsserted(
                        () -> {
                            caller.call(announcing, "announce", JsonObject.EMPTY, "").result();
                            assertThat(listener.updates.get()).isGreaterThan(before);
                        });
    }

    // ---- callers

    private Void rounds(URI proxy) throws Exception {
        while (!done) {
            int call = number.incrementAndGet();
            try {
                JsonObject arguments = JsonObject.of("number", call);
                JsonObject asked = patiently(() -> caller.call(proxy, "rounds", arguments, ""));
                String first = PerRequestCaller.retry(asked, "first", JsonObject.of("text", "one"));
                JsonObject again = patiently(() -> caller.call(proxy, "rounds", arguments, first));
                String second =
                        PerRequestCaller.retry(again, "second", JsonObject.of("text", "two"));
                JsonObject seen =
                        patiently(() -> caller.call(proxy, "rounds", arguments, second))
                                .object("structuredContent");
                assertThat(message(again))
                        .isEqualTo(seen.string("token") + " " + seen.string("key"));
                roundKeys.put(call, seen.string("key"));
            } catch (StoppedException e) {
                break;
            }
        }
        return null;
    }

    private static String message(JsonObject asked) {
        return asked.object("inputRequests").object("second").object("params").string("message");
    }

    private Void tasks(URI proxy) throws Exception {
        while (!done) {
            try {
                task(proxy);
            } catch (StoppedException e) {
                break;
            }
        }
        return null;
    }

    /** A creation that is repeated may have made a task whose id was lost: each has its number. */
    private void task(URI proxy) throws Exception {
        AtomicInteger call = new AtomicInteger();
        JsonObject created =
                patiently(
                        () -> {
                            call.set(number.incrementAndGet());
                            return caller.call(
                                    proxy, "later", JsonObject.of("number", call.get()), "");
                        });
        String id = created.string("taskId");
        String answer = "answer " + call.get();
        JsonObject state = created;
        while (!state.has("result")) {
            assertThat(state.string("status")).as(state.toJson()).isIn("working", "input_required");
            if (state.has("inputRequests")) {
                String key = state.object("inputRequests").names().iterator().next();
                String members =
                        "\"taskId\": \"%s\", \"inputResponses\": %s"
                                .formatted(
                                        id,
                                        JsonObject.of(
                                                        key,
                                                        JsonObject.of(
                                                                "action",
                                                                "accept",
                                                                "content",
                                                                JsonObject.of("text", answer)))
                                                .toJson());
                patiently(() -> caller.post(proxy, "tasks/update", id, members));
            }
            state = patiently(() -> caller.task(proxy, id));
        }
        JsonObject text = (JsonObject) state.object("result").array("content").get(0);
        taskTexts.put(call.get(), text.string("text"));
        assertThat(text.string("text")).contains(" " + answer + " ");
    }

    /** The test is over, and the nodes are gone. */
    private static final class StoppedException extends Exception {
        private static final long serialVersionUID = 1;
    }

    /**
     * Repeats a request while no node answers it. Any other failure fails the test.
     *
     * @throws StoppedException if the test is over
     */
    private JsonObject patiently(Callable<PerRequestCaller.Answer> request) throws Exception {
        long start = System.nanoTime();
        while (true) {
            try {
                PerRequestCaller.Answer answer = request.call();
                if (!isRetryable(answer)) {
                    return answer.result();
                }
            } catch (IOException e) {
                if (done) {
                    throw new StoppedException();
                }
                assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
            } finally {
                longest.accumulateAndGet(System.nanoTime() - start, Math::max);
            }
            repeated.incrementAndGet();
            TimeUnit.MILLISECONDS.sleep(20); // between two attempts
        }
    }

    private static boolean isRetryable(PerRequestCaller.Answer answer) {
        return answer.message().has("error")
                && answer.message().object("error").get("data") instanceof JsonObject data
                && JsonValue.of(true).equals(data.get("retryable"));
    }

    private void check(Effects effects) throws IOException {
        Map<String, List<String>> booked = effects.all();
        assertThat(booked).allSatisfy((step, keys) -> assertThat(keys).as(step).hasSize(1));
        assertThat(roundKeys).isNotEmpty();
        roundKeys.forEach(
                (call, key) -> assertThat(booked.get(call + ".round")).containsExactly(key));
        assertThat(taskTexts).isNotEmpty();
        taskTexts.forEach(
                (call, text) -> {
                    assertThat(text).startsWith(booked.get(call + ".before").getFirst());
                    assertThat(text).endsWith(booked.get(call + ".after").getFirst());
                });
        assertThat(roundKeys.values()).doesNotHaveDuplicates();
    }
}
