package dev.fairlead.docs;

import static dev.fairlead.protocol.tools.TaskSupport.OPTIONAL;

import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.DatabaseOptions;
import dev.fairlead.jdbc.WrappingKey;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;
import dev.fairlead.server.handler.Retry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The code of the page about asking. */
final class AskingSnippets {
    private AskingSnippets() {}

    record Name(String name) {}

    static McpServer together() {
        // @start region="together"
        McpServer server =
                McpServer.named("welcome", "1.0.0")
                        .tool("welcome", "Greets a person", NoInput.class, String.class)
                        .task(OPTIONAL)
                        .handle(
                                (none, call) -> {
                                    var name = Question.elicit("What is your name?", Name.class);
                                    var greeting = Question.sample("Write a greeting", 50);
                                    Answers answers = call.ask(name, greeting);
                                    return answers.to(greeting).text()
                                            + " "
                                            + answers.to(name).orElseThrow().name();
                                })
                        .build();
        // @end
        return server;
    }

    static McpServer held(ReentrantLock door) {
        // @start region="held"
        McpServer server =
                McpServer.named("warehouse", "1.0.0")
                        .tool("open_door", "Opens the door", NoInput.class, String.class)
                        .holdsWhileAsking()
                        .handle(
                                (none, call) -> {
                                    door.lockInterruptibly();
                                    try {
                                        return "Opened for "
                                                + call.elicit("Who are you?", Name.class)
                                                        .orElseThrow()
                                                        .name();
                                    } finally {
                                        door.unlock();
                                    }
                                })
                        .build();
        // @end
        return server;
    }

    static McpServer.Builder keys(Path file) {
        // @start region="keys"
        McpServer.Builder server =
                McpServer.named("shop", "2.0.0")
                        .requestState(RequestState.keys(file).ttl(Duration.ofMinutes(10)));
        // @end
        return server;
    }

    static McpServer wrapped(String url) {
        // @start region="wrapped"
        WrappingKey key = WrappingKey.read(Path.of("/etc/shop/wrapping-key"));
        Database database = Database.postgres(url, DatabaseOptions.DEFAULT.withWrappingKey(key));
        McpServer server = McpServer.named("shop", "2.0.0").store(database).build();
        // @end
        return server;
    }

    static McpServer thrown() {
        Tool definition = new Tool("welcome", JsonObject.of("type", "object"));
        // @start region="thrown"
        McpServer server =
                McpServer.named("welcome", "1.0.0")
                        .tool(definition)
                        .handle(
                                (request, call) -> {
                                    Retry retry = call.retry().orElse(null);
                                    if (retry == null) {
                                        throw new InputRequiredException(
                                                List.of(
                                                        Question.elicit("Your name?", Name.class)
                                                                .as("user_name")),
                                                JsonValue.of("first step"));
                                    }
                                    JsonObject answer = retry.answers().get("user_name");
                                    return CallToolResult.text(retry.state() + ": " + answer);
                                })
                        .build();
        // @end
        return server;
    }
}
