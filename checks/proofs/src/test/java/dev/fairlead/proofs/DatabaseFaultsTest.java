package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.support.DatabaseProxy;
import dev.fairlead.test.support.RawSession;
import dev.fairlead.test.support.Scale;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server whose tasks and events are in a PostgreSQL that breaks its connections, or is silent for
 * a while: clients whose own connections stand notice only delay. {@code -Dfairlead.proofs=full}
 * does it in more moments, and for longer.
 */
@Tag("proof")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class DatabaseFaultsTest {
    private static final int CALLERS = 8;
    private static final String QUESTION = "\"method\":\"elicitation/create\"";
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+|\"[^\"]+\")");
    private static final Pattern TASK = Pattern.compile("\"taskId\":\"([^\"]+)\"");

    private static EmbeddedPostgres postgres;

    record Name(String name) {}

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private volatile CountDownLatch go = new CountDownLatch(1);
    private DatabaseProxy proxy;
    private Database database;
    private McpServer server;
    private int port;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres =
                EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(1))
                        .setServerConfig("max_connections", "100")
                        .start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void serve() throws Exception {
        proxy = new DatabaseProxy(postgres.getPort());
        String url = postgres.getJdbcUrl("postgres", "postgres") + "&socketTimeout=2";
        database = Database.postgres(proxy.through(url));
        server =
                McpServer.named("desk", "1")
                        .tool("talk", "Asks twice", NoInput.class, String.class)
                        .handle(this::talk)
                        .tool("errand", "Asks once", NoInput.class, String.class)
                        .task(TaskSupport.REQUIRED)
                        .handle(this::ask)
                        .tool("work", "Works until it may end", NoInput.class, String.class)
                        .task(TaskSupport.REQUIRED)
                        .handle(this::work)
                        .tasks(JdbcTasks.on(database))
                        .build();
        port =
                server.serve(
                                Http.port(0)
                                        .eventStore(JdbcEvents.on(database))
                                        .streamAfter(Duration.ofMillis(50))
                                        .heartbeat(Duration.ofMillis(500)))
                        .port();
    }

    @AfterEach
    void close() throws Exception {
        proxy.resume();
        callers.shutdownNow();
        server.close();
        database.close();
        proxy.close();
    }

    private String talk(NoInput none, Call call) throws InterruptedException {
        call.elicit("first", Name.class).orElseThrow();
        go.await();
        return "talked " + call.elicit("second", Name.class).orElseThrow().name();
    }

    private String ask(NoInput none, Call call) throws InterruptedException {
        go.await();
        return "asked " + call.elicit("once", Name.class).orElseThrow().name();
    }

    private String work(NoInput none, Call call) throws InterruptedException {
        go.await();
        return "worked";
    }

    /** One caller on its way: the session, and the stream on which it waits. */
    private record Caller(RawSession session, RawSession.Stream stream) implements AutoCloseable {
        /** Waits for a question, and answers it. */
        void answer(String message) throws IOException {
            String question = stream.lineWith("\"message\":\"" + message + "\"");
            session.post(
                    "{\"jsonrpc\":\"2.0\",\"id\":"
                            + group(ID, question)
                            + ",\"result\":{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}}");
        }

        void heartbeat() throws IOException {
            String line = stream.lineWith(":");
            while (!line.strip().equals(":")) {
                line = stream.lineWith(":");
            }
        }

        String result() throws IOException {
            return stream.lineWith("\"id\":7");
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    private static String group(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private Caller call(String tool) throws IOException {
        RawSession session = RawSession.open(port);
        return new Caller(session, session.begin(RawSession.call(7, tool)));
    }

    /** Starts a task, and waits in {@code tasks/result}. */
    private Caller awaitTask(String tool) throws IOException {
        RawSession session = RawSession.open(port);
        String created =
                session.post(
                                RawSession.call(6, tool)
                                        .replace(
                                                "\"arguments\"",
                                                "\"task\":{\"ttl\":3600000},\"arguments\""))
                        .body();
        String task = group(TASK, created);
        Caller caller =
                new Caller(
                        session,
                        session.begin(
                                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tasks/result\","
                                        + "\"params\":{\"taskId\":\""
                                        + task
                                        + "\"}}"));
        caller.stream().lineWith("id: "); // the stream has begun
        return caller;
    }

    private <T> List<Future<T>> each(Callable<T> caller) {
        List<Future<T>> all = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            all.add(callers.submit(caller));
        }
        return all;
    }

    private static <T> List<T> all(List<Future<T>> futures) throws Exception {
        List<T> values = new ArrayList<>();
        for (Future<T> future : futures) {
            values.add(future.get(10, TimeUnit.MINUTES));
        }
        return values;
    }

    private static String lookFor(Caller caller, String question) throws IOException {
        try (caller) {
            caller.answer(question);
            return caller.result();
        }
    }

    /** Breaks all connections to the database once while something is stored, then lets go. */
    private void cutOnceAt(String text) {
        proxy.cutAt(text);
        go.countDown();
    }

    @ParameterizedTest
    @ValueSource(strings = {QUESTION, "talked Ada"})
    @Requirement({"SSE-007", "SSE-022"})
    void connectionsThatBreakDuringACallLoseNeitherQuestionNorAnswer(String moment)
            throws Exception {
        CountDownLatch asked = new CountDownLatch(CALLERS);
        List<Future<String>> results =
                each(
                        () -> {
                            Caller caller = call("talk");
                            caller.answer("first");
                            asked.countDown();
                            return lookFor(caller, "second");
                        });
        assertThat(asked.await(5, TimeUnit.MINUTES)).isTrue();
        cutOnceAt(moment);

        assertThat(all(results)).allSatisfy(result -> assertThat(result).contains("talked Ada"));
        assertThat(proxy.hasCut()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {QUESTION, "asked Ada"})
    @Requirement({"TASK-055", "TASK-058", "TASK-061"})
    void connectionsThatBreakLoseNoQuestionOfATaskThatIsWaitedFor(String moment) throws Exception {
        List<Caller> waiting = all(each(() -> awaitTask("errand")));
        List<Future<String>> results = new ArrayList<>();
        waiting.forEach(caller -> results.add(callers.submit(() -> lookFor(caller, "once"))));
        cutOnceAt(moment);

        assertThat(all(results)).allSatisfy(result -> assertThat(result).contains("asked Ada"));
        assertThat(proxy.hasCut()).isTrue();
    }

    @Test
    @Requirement({"TASK-055", "TASK-058", "TASK-061"})
    void connectionsThatBreakInAnyMomentLoseNothing() throws Exception {
        for (int moment = 0; moment < Scale.of(2, 100); moment++) {
            go = new CountDownLatch(1);
            List<Caller> waiting = all(each(() -> awaitTask("errand")));
            List<Future<String>> results = new ArrayList<>();
            waiting.forEach(caller -> results.add(callers.submit(() -> lookFor(caller, "once"))));
            go.countDown();
            TimeUnit.MILLISECONDS.sleep(moment); // some moment; which one does not matter
            proxy.cut();

            assertThat(all(results))
                    .as("cut after %s ms", moment)
                    .allSatisfy(result -> assertThat(result).contains("asked Ada"));
        }
    }

    @Test
    @Requirement({"TASK-050", "TASK-057"})
    void aCallerOfTasksResultKeepsWaitingWhileTheDatabaseIsSilent() throws Exception {
        List<Caller> waiting = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            waiting.addAll(all(each(() -> awaitTask("work"))));
        }
        proxy.silence();
        List<Future<String>> results = new ArrayList<>();
        for (Caller caller : waiting) {
            results.add(
                    callers.submit(
                            () -> {
                                try (caller) {
                                    caller.heartbeat();
                                    return caller.result();
                                }
                            }));
        }
        TimeUnit.SECONDS.sleep(Scale.of(17, 45)); // so long the database is away
        proxy.resume();
        go.countDown();

        assertThat(all(results)).allSatisfy(result -> assertThat(result).contains("worked"));
    }

    /**
     * Checks the end of a server: one call after the other would wait for the database some
     * minutes.
     */
    @Test
    void theServerEndsInTimeWhileTheDatabaseIsSilent() throws Exception {
        RawSession one = RawSession.open(port);
        List<Caller> waiting = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            waiting.add(call("talk"));
            waiting.add(new Caller(one, one.begin(RawSession.call(100 + i, "talk"))));
        }
        for (Caller caller : waiting) {
            caller.answer("first");
        }
        proxy.silence();
        long begun = System.nanoTime();
        server.close();

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(50));
        for (Caller caller : waiting) {
            assertThat(caller.stream().lineWith("\"error\""))
                    .contains("The server was closed before it answered");
            caller.close();
        }
    }
}
