package dev.fairlead.proofs.rounds;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;

import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

/**
 * A server whose tool asks twice. As a program: a file of keys, and the time to live of a state. It
 * prints where it serves.
 */
final class RoundsServer {
    record Answer(String text) {}

    /** What the last round knows. */
    record Seen(String token, String key, String first, String second) {}

    private RoundsServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server =
                McpServer.named("rounds", "1")
                        .requestState(
                                RequestState.keys(Path.of(arguments[0]))
                                        .ttl(Duration.parse(arguments[1])))
                        .withoutRateLimit()
                        .tool("rounds", "Asks twice", NoInput.class, Seen.class)
                        .handle((none, call) -> rounds(call))
                        .build()) {
            HttpServing serving = server.serve(Http.port(0).requestRate(100_000, 100_000));
            System.out.println(serving.uri());
            serving.await();
        }
    }

    /** The second question shows what the first round knew. */
    private static Seen rounds(Call call) throws InterruptedException {
        String token = call.once("token", String.class, () -> UUID.randomUUID().toString());
        String key = call.once("key", String.class, call::idempotencyKey);
        String first = ask(call, "First?", "first");
        String second = ask(call, token + " " + key, "second");
        return new Seen(token, key, first, second);
    }

    private static String ask(Call call, String question, String key) throws InterruptedException {
        return call.ask(Question.elicit(question, Answer.class).as(key)).orElseThrow().text();
    }
}
