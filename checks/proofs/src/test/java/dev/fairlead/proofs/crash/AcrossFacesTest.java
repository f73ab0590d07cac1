package dev.fairlead.proofs.crash;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.proofs.PerRequestCaller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.RawSession;
import dev.fairlead.test.support.Scale;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Tasks that one design creates and the other answers, and whose process is killed or frozen
 * meanwhile. Half of them are created in a session of revision 2025-11-25 and answered by {@code
 * tasks/update}; the others are created by a request of 2026-07-28 and answered in a session.
 */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
final class AcrossFacesTest {
    private static final int TASKS = Scale.of(12, 200);
    private static final int ROUNDS = Scale.of(1, 5);

    /** The longest pause between two steps of a task, in milliseconds. */
    private static final int PAUSE = Scale.of(500, 3_000);

    /** How long a task and the crashes that hit it may take. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** A node that is only slow is not to count as dead. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    @TempDir Path folder;

    private final PerRequestCaller caller = new PerRequestCaller();
    private final Map<Integer, Queue<String>> answers = new ConcurrentHashMap<>();
    private final List<Created> created = new ArrayList<>();
    private Effects effects;

    /** A task, and whether a session created it. */
    private record Created(int number, boolean bySession, String id) {}

    @BeforeEach
    void open() throws Exception {
        effects = new Effects(Files.createDirectories(folder.resolve("effects")));
    }

    @AfterEach
    void close() {
        caller.close();
    }

    @Test
    @Requirement({"N26-TASK-036", "TASK-107"})
    void onSqliteTheyOutliveTheProcessThatCreatedThem() throws Exception {
        Random random = new Random(Scale.seed("tasks across both designs on SQLite"));
        try (Node node = Node.start("file:" + folder.resolve("tasks.db"), effects.folder())) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Created> fresh = create(node, random);
                awaitQuestions(node.uri(), fresh);
                node.killAndRestart();
                answer(node, fresh, random);
            }
            check(node);
        }
    }

    @Test
    @Requirement({"N26-TASK-036", "TASK-107"})
    void onPostgresqlAnotherNodeHasThem() throws Exception {
        Random random = new Random(Scale.seed("tasks across both designs on PostgreSQL"));
        try (EmbeddedPostgres postgres = CrashTest.postgres();
                Node one = Node.start(CrashTest.url(postgres), effects.folder(), LEASE);
                Node other = Node.start(CrashTest.url(postgres), effects.folder(), LEASE)) {
            for (int round = 0; round < ROUNDS; round++) {
                List<Created> fresh = create(one, random);
                awaitQuestions(other.uri(), fresh);
                one.killAndRestart();
                answer(other, fresh, random);
            }
            check(one);
        }
    }

    @Test
    @Requirement("N26-TASK-036")
    void onPostgresqlANodeThatWakesFindsThemAnswered() throws Exception {
        Random random = new Random(Scale.seed("tasks of a frozen node across both designs"));
        try (EmbeddedPostgres postgres = CrashTest.postgres();
                Node frozen = Node.start(CrashTest.url(postgres), effects.folder(), LEASE);
                Node awake = Node.start(CrashTest.url(postgres), effects.folder(), LEASE)) {
            List<Created> fresh = create(frozen, random);
            awaitQuestions(awake.uri(), fresh);
            frozen.signal("STOP");
            await("the other takes over").until(() -> CrashTest.isTakenOver(postgres));
            answer(awake, fresh, random);
            frozen.signal("CONT");
            check(frozen);
        }
    }

    @Test
    @Requirement("N26-TASK-036")
    void onSqliteAProcessThatWakesTakesTheirAnswers() throws Exception {
        Random random = new Random(Scale.seed("tasks of a frozen process across both designs"));
        try (Node node = Node.start("file:" + folder.resolve("tasks.db"), effects.folder())) {
            List<Created> fresh = create(node, random);
            awaitQuestions(node.uri(), fresh);
            node.signal("STOP");
            Thread.sleep(LEASE.plusSeconds(1)); // it is frozen for longer than a lease
            node.signal("CONT");
            answer(node, fresh, random);
            check(node);
        }
    }

    private List<Created> create(Node node, Random random) throws Exception {
        List<Created> fresh = new ArrayList<>();
        RawSession session = RawSession.open(node.uri().getPort());
        for (int i = 0; i < TASKS; i++) {
            int number = created.size() + 1;
            JsonObject work = JsonObject.of("number", number, "pause", random.nextInt(PAUSE));
            boolean bySession = number % 2 == 0;
            String id = bySession ? bySession(session, work) : byRequest(node.uri(), work);
            created.add(new Created(number, bySession, id));
            fresh.add(created.getLast());
        }
        return fresh;
    }

    private static String bySession(RawSession session, JsonObject work) throws Exception {
        JsonObject request =
                JsonObject.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        1,
                        "method",
                        "tools/call",
                        "params",
                        JsonObject.of(
                                "name", "steady", "arguments", work, "task", JsonObject.EMPTY));
        String answer = session.post(request.toJson()).body();
        return ((JsonObject) JsonValue.parse(answer))
                .object("result")
                .object("task")
                .string("taskId");
    }

    private String byRequest(URI node, JsonObject work) throws Exception {
        return caller.call(node, "steady", work, "").result().string("taskId");
    }

    /** Until then no client can answer: that each has asked is read at a node, over one design. */
    private void awaitQuestions(URI node, List<Created> tasks) {
        for (Created task : tasks) {
            await("task " + task.number() + " asks")
                    .until(() -> caller.task(node, task.id()).result().has("inputRequests"));
        }
    }

    /** Answers each task over the other design, while in full size its node is killed again. */
    private void answer(Node node, List<Created> tasks, Random random) throws Exception {
        try (McpClient session = client(node, Revision.V2025_11_25);
                McpClient requests = client(node, Revision.V2026_07_28);
                ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            for (Created task : tasks) {
                McpClient other = task.bySession() ? requests : session;
                ends.add(waiting.submit((Callable<?>) () -> checked(task, end(other, task))));
            }
            if (Scale.isFull()) {
                TimeUnit.MILLISECONDS.sleep(random.nextInt(PAUSE)); // a random moment
                node.killAndRestart();
            }
            for (Future<?> end : ends) {
                end.get(); // fails with the failure of the task
            }
        }
    }

    private McpClient client(Node node, Revision revision) throws Exception {
        return McpClient.named("across", "1")
                .revisions(revision, revision)
                .onElicitForm(this::answer)
                .requestTimeout(Duration.ofSeconds(60))
                .connect(Http.to(node.uri()));
    }

    private Answer<?> answer(ElicitForm form) {
        int number = Integer.parseInt(form.message().substring(0, form.message().indexOf(':')));
        String answer = UUID.randomUUID().toString();
        answers.computeIfAbsent(number, key -> new ConcurrentLinkedQueue<>()).add(answer);
        return Answer.accept(JsonObject.of("name", answer));
    }

    private static String end(McpClient client, Created task) throws Exception {
        return client.task(new TaskId(task.id()), CallToolResult.class).await(PATIENCE).text();
    }

    private String checked(Created task, String end) throws Exception {
        String[] parts = end.split(" ", -1);
        assertThat(parts).as("task %s ended with %s", task, end).hasSize(4);
        assertThat(answers.get(task.number())).contains(parts[2]);
        return end;
    }

    /** Each task has one end, the same over both designs, and each effect took place once. */
    private void check(Node node) throws Exception {
        Map<String, List<String>> booked = effects.all();
        assertThat(booked).allSatisfy((step, keys) -> assertThat(keys).as(step).hasSize(1));
        try (McpClient session = client(node, Revision.V2025_11_25);
                McpClient requests = client(node, Revision.V2026_07_28)) {
            for (Created task : created) {
                String end = end(session, task);
                assertThat(end(requests, task)).isEqualTo(end);
                String[] parts = checked(task, end).split(" ", -1);
                assertThat(booked.get(task.number() + ".first")).containsExactly(parts[1]);
                assertThat(booked.get(task.number() + ".heard")).containsExactly(parts[2]);
                assertThat(booked.get(task.number() + ".second")).containsExactly(parts[3]);
            }
        }
        System.out.println(created.size() + " tasks across both designs");
    }
}
