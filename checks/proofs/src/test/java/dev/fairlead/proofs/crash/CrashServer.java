package dev.fairlead.proofs.crash;

import static dev.fairlead.protocol.tools.TaskSupport.REQUIRED;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.shared.Rebinding;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A server whose tasks have effects outside and ask questions. As a program: URL of the database,
 * port, 0 for any, folder of the effects, lease. It prints one line when it serves.
 */
final class CrashServer {
    static final String SERVING = "serving ";

    private static final int PLENTY = 100_000;

    private CrashServer() {}

    /**
     * The work of a task.
     *
     * @param number of the task
     * @param pause between its steps, in milliseconds
     */
    record Work(int number, int pause) {}

    /** The form of the question of a task. */
    record Name(String name) {}

    public static void main(String[] arguments) throws InterruptedException {
        Effects effects = new Effects(Path.of(arguments[2]));
        Duration lease = Duration.parse(arguments[3]);
        try (Database database = open(arguments[0], lease);
                McpServer server = server(database, effects)) {
            HttpListener listener =
                    Http.port(Integer.parseInt(arguments[1])).streamAfter(Duration.ofHours(1));
            HttpServing serving = Rebinding.serve(server, listener);
            System.out.println(SERVING + serving.uri());
            serving.await();
        }
    }

    private static Database open(String url, Duration lease) {
        return url.startsWith("file:")
                ? Database.open(url)
                : Database.postgres(
                        url, DatabaseOptions.DEFAULT.withLiveness(Duration.ofSeconds(1), lease));
    }

    private static McpServer server(Database database, Effects effects) {
        return McpServer.named("crash", "1")
                .tool("steady", "Runs again after a crash", Work.class, String.class)
                .task(REQUIRED)
                .rerunAfterCrash()
                .handle((work, call) -> steady(work, call, effects))
                .tool("fragile", "Does not run again after a crash", Work.class, String.class)
                .task(REQUIRED)
                .handle((work, call) -> fragile(work, call, effects))
                .tasks(
                        JdbcTasks.on(database)
                                .maxPerOwner(PLENTY)
                                .maxRunning(PLENTY)
                                .operationsPerSecond(PLENTY)
                                .suspicion(PLENTY, Integer.MAX_VALUE)
                                .pollInterval(Duration.ofSeconds(3)))
                .withoutRateLimit()
                .maxRequests(PLENTY)
                .build();
    }

    private static String steady(Work work, Call call, Effects effects) throws Exception {
        String first =
                call.once(
                        "first",
                        String.class,
                        () -> effects.book(work.number(), "first", call.idempotencyKey()));
        Thread.sleep(work.pause());
        String name = call.elicit(work.number() + ": who?", Name.class).orElseThrow().name();
        effects.book(work.number(), "heard", name); // in every run: it must hear the same
        call.progress(1, 2);
        Thread.sleep(work.pause());
        String second =
                call.once(
                        "second",
                        String.class,
                        () -> effects.book(work.number(), "second", call.idempotencyKey()));
        return String.join(" ", String.valueOf(work.number()), first, name, second);
    }

    private static String fragile(Work work, Call call, Effects effects) throws Exception {
        call.once(
                "only",
                String.class,
                () -> effects.book(work.number(), "only", call.idempotencyKey()));
        Thread.sleep(2L * work.pause());
        return work.number() + " done";
    }
}
