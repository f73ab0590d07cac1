package dev.fairlead.proofs.rounds;

import static dev.fairlead.protocol.tools.TaskSupport.REQUIRED;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.jdbc.JdbcChanges;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.proofs.crash.Effects;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;
import dev.fairlead.test.shared.Rebinding;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A node of a server: rounds with effects, tasks and changes. As a program: file of keys, time to
 * live of a state, URL of the database, folder of the effects, port, 0 for any. It prints where it
 * serves.
 */
final class NodeServer {
    static final String BOARD = "news://board";

    private static final int PLENTY = 100_000;

    /** A node that is only slow is not to count as dead. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    /** The number of a call, for its effects. */
    record Work(int number) {}

    record Text(String text) {}

    /** The values in the last round. */
    record Seen(String token, String key, String first, String second) {}

    private NodeServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        Effects effects = new Effects(Path.of(arguments[3]));
        AtomicReference<McpServer> self = new AtomicReference<>();
        try (Database database =
                        Database.postgres(
                                arguments[2],
                                DatabaseOptions.DEFAULT.withLiveness(
                                        Duration.ofSeconds(1), LEASE));
                McpServer server =
                        server(database, effects, self)
                                .requestState(
                                        RequestState.keys(Path.of(arguments[0]))
                                                .ttl(Duration.parse(arguments[1])))
                                .build()) {
            self.set(server);
            HttpServing serving =
                    Rebinding.serve(
                            server,
                            Http.port(Integer.parseInt(arguments[4])).requestRate(PLENTY, PLENTY));
            System.out.println(serving.uri());
            serving.await();
        }
    }

    private static McpServer.Builder server(
            Database database, Effects effects, AtomicReference<McpServer> self) {
        return McpServer.named("nodes", "1")
                .tasks(
                        JdbcTasks.on(database)
                                .maxPerOwner(PLENTY)
                                .operationsPerSecond(PLENTY)
                                .suspicion(PLENTY, Integer.MAX_VALUE))
                .changes(JdbcChanges.on(database))
                .withoutRateLimit()
                .tool("rounds", "Asks twice", Work.class, Seen.class)
                .handle((work, call) -> rounds(work, call, effects))
                .tool("later", "Asks in a task", Work.class, String.class)
                .task(REQUIRED)
                .rerunAfterCrash()
                .handle((work, call) -> later(work, call, effects))
                .tool("announce", "Announces a change", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            self.get().resourceUpdated(BOARD);
                            return "announced";
                        })
                .resource(BOARD, "board", String.class)
                .handle((uri, call) -> "news");
    }

    /** The effect takes place in the second round, whose key is in the state. */
    private static Seen rounds(Work work, Call call, Effects effects) throws Exception {
        String token = call.once("token", String.class, () -> UUID.randomUUID().toString());
        String first = ask(call, "First?", "first");
        String key =
                call.once(
                        "effect",
                        String.class,
                        () -> effects.book(work.number(), "round", call.idempotencyKey()));
        String second = ask(call, token + " " + key, "second");
        return new Seen(token, key, first, second);
    }

    private static String later(Work work, Call call, Effects effects) throws Exception {
        String before =
                call.once(
                        "before",
                        String.class,
                        () -> effects.book(work.number(), "before", call.idempotencyKey()));
        String answer = ask(call, "Name?", "name");
        String after =
                call.once(
                        "after",
                        String.class,
                        () -> effects.book(work.number(), "after", call.idempotencyKey()));
        return before + " " + answer + " " + after;
    }

    private static String ask(Call call, String question, String key) throws InterruptedException {
        return call.ask(Question.elicit(question, Text.class).as(key)).orElseThrow().text();
    }
}
