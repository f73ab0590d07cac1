package dev.fairlead.test.shared;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchema;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.content.Content;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.FeatureChanges;
import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Answers;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Question;
import dev.fairlead.stdio.Stdio;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A server with a feature of every kind. As a program it serves them over stdio. */
public final class ProofServer {
    public static final int PAGE = 25;
    public static final int NUMBERED = 60;

    public record Name(String name) {}

    public record City(String city) {}

    public record Weather(String city, double temperature) {}

    public record Steps(int steps) {}

    enum Color {
        red,
        green
    }

    public record Profile(String name, @Nullable Integer age, Color color) {}

    public record Uri(String uri) {}

    public record Late(String kind, boolean there) {}

    public record Waits(int started, int cancelled) {}

    public record Praise(String language, @Nullable String style) {}

    public record Item(String id) {}

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();

    private ProofServer() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server = create()) {
            server.serve(Stdio.streams()).await();
        }
    }

    public static McpServer create() {
        ProofServer proof = new ProofServer();
        McpServer server =
                McpServer.named("proof", "1")
                        .instructions("Everything is for proofs.")
                        .pageSize(PAGE)
                        .features(proof::plainTools)
                        .features(features -> asking(features, TaskSupport.FORBIDDEN))
                        .features(ProofServer::resources)
                        .features(ProofServer::prompts)
                        .build();
        server.update(changes -> changing(changes, server));
        return server;
    }

    private void plainTools(Features<?> features) {
        features.tool("greet", "Greets", Name.class, String.class)
                .title("Greeter")
                .icon("https://proof.example/greet.png", "image/png")
                .readOnly()
                .handle((input, call) -> "Hello, " + input.name());
        features.tool("weather", "The weather", City.class, Weather.class)
                .handle((input, call) -> new Weather(input.city(), 21.5));
        features.tool("contents", "A block of each kind", NoInput.class, CallToolResult.class)
                .handle((none, call) -> contents());
        features.tool("steps", "Reports progress", Steps.class, String.class)
                .handle(ProofServer::steps);
        features.tool("log", "Logs at two levels", NoInput.class, String.class)
                .handle(ProofServer::log);
        features.tool("fail", "Fails", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            throw new ToolFailedException("as it should");
                        });
        features.tool("crash", "Has a bug", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            throw new IllegalStateException("a secret");
                        });
        features.tool("wait", "Waits until it is cancelled", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            started.incrementAndGet();
                            call.progress(1);
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                cancelled.incrementAndGet();
                                throw e;
                            }
                            return "";
                        });
        features.tool("waits", "How often wait was called", NoInput.class, Waits.class)
                .handle((none, call) -> new Waits(started.get(), cancelled.get()));
    }

    private static CallToolResult contents() {
        return CallToolResult.of(
                Content.text("text"),
                Content.image(new byte[] {1, 2}, "image/png"),
                Content.audio(new byte[] {3, 4}, "audio/wav"),
                Content.link("proof://text", "text"),
                Content.resource(ResourceContents.text("proof://inside", "text/plain", "inside")));
    }

    private static String steps(Steps steps, Call call) {
        for (int i = 1; i <= steps.steps(); i++) {
            call.progress(i, steps.steps(), "step " + i);
        }
        return "took " + steps.steps() + " steps";
    }

    private static String log(NoInput none, Call call) {
        call.log(LoggingLevel.DEBUG, "proof", JsonValue.of("fine"));
        call.log(LoggingLevel.WARNING, "proof", JsonValue.of("odd"));
        return "logged";
    }

    /** The tools that ask their client. */
    public static void asking(Features<?> features, TaskSupport tasks) {
        features.tool("profile", "Asks with a form", NoInput.class, String.class)
                .task(tasks)
                .handle(
                        (none, call) ->
                                switch (call.elicit("Who are you?", Profile.class)) {
                                    case Answer.Accepted<Profile>(Profile profile) ->
                                            profile.toString();
                                    case Answer.Declined<Profile> declined -> "declined";
                                    case Answer.Cancelled<Profile> cancelled -> "cancelled";
                                });
        features.tool("visit", "Leads to a page", NoInput.class, String.class)
                .task(tasks)
                .handle(
                        (none, call) ->
                                call.elicitUrl(
                                                "Please visit",
                                                URI.create("https://proof.example/page"),
                                                () -> "visited")
                                        .orElseThrow());
        features.tool("sample", "Asks a model", Name.class, String.class)
                .task(tasks)
                .handle((input, call) -> call.sample(input.name(), 100).text());
        features.tool("sample_tools", "Asks a model that has tools", NoInput.class, String.class)
                .task(tasks)
                .handle(
                        (none, call) ->
                                call.sample(
                                                CreateMessageRequest.of("use a tool", 100)
                                                        .withTools(
                                                                List.of(
                                                                        new Tool(
                                                                                "add",
                                                                                JsonSchema.of(
                                                                                                Name
                                                                                                        .class)
                                                                                        .json()))))
                                        .text());
        features.tool("ask_all", "Asks for everything together", NoInput.class, String.class)
                .task(tasks)
                .handle(
                        (none, call) -> {
                            var name = Question.elicit("Your name?", Name.class).as("user_name");
                            var greeting = Question.sample("Greet", 50);
                            var roots = Question.roots();
                            Answers answers = call.ask(name, greeting, roots);
                            return answers.to(greeting).text()
                                    + " "
                                    + answers.to(name).orElseThrow().name()
                                    + " "
                                    + answers.to(roots).size();
                        });
        features.tool("roots", "Asks for the roots", NoInput.class, String.class)
                .task(tasks)
                .handle((none, call) -> call.roots().stream().map(Root::uri).toList().toString());
    }

    private static void resources(Features<?> features) {
        features.resource("proof://text", "text", String.class)
                .mimeType("text/plain")
                .handle((request, call) -> "a text");
        features.resource("proof://blob", "blob", byte[].class)
                .mimeType("image/png")
                .handle((request, call) -> new byte[] {1, 2, 3});
        for (int i = 0; i < NUMBERED; i++) {
            String number = String.format(Locale.ROOT, "%02d", i);
            features.resource("proof://numbered/" + number, "numbered-" + number, String.class)
                    .handle((request, call) -> number);
        }
        features.resourceTemplate("proof://items/{id}", "item", Item.class, JsonObject.class)
                .complete(
                        "id", (typed, call) -> starting(typed.value(), "apple", "apricot", "plum"))
                .handle((item, call) -> JsonObject.of("id", item.id()));
    }

    private static void prompts(Features<?> features) {
        features.prompt("praise", "Praises a language", Praise.class)
                .complete(
                        "language",
                        (typed, call) -> starting(typed.value(), "java", "javascript", "perl"))
                .complete(
                        "style",
                        (typed, call) ->
                                typed.others().getOrDefault("language", "").equals("java")
                                        ? starting(typed.value(), "verbose")
                                        : starting(typed.value(), "terse"))
                .handle(
                        (praise, call) ->
                                GetPromptResult.of(
                                        PromptMessage.user("Praise " + praise.language())));
    }

    private static List<String> starting(String typed, String... values) {
        return Stream.of(values).filter(value -> value.startsWith(typed)).toList();
    }

    /** The tools that need the server itself. */
    private static void changing(Features<?> features, McpServer server) {
        features.tool("touch", "Announces that a resource changed", Uri.class, String.class)
                .handle(
                        (input, call) -> {
                            server.resourceUpdated(input.uri());
                            return "touched";
                        });
        features.tool("late", "Adds or takes away a feature", Late.class, String.class)
                .handle(
                        (input, call) -> {
                            server.update(changes -> late(changes, input));
                            return "changed";
                        });
    }

    private static void late(FeatureChanges changes, Late late) {
        switch (late.kind()) {
            case "tool" -> {
                if (late.there()) {
                    changes.tool("late_tool", "Came late", NoInput.class, String.class)
                            .handle((none, call) -> "late");
                } else {
                    changes.removeTool("late_tool");
                }
            }
            case "resource" -> {
                if (late.there()) {
                    changes.resource("proof://late", "late", String.class)
                            .handle((request, call) -> "late");
                } else {
                    changes.removeResource("proof://late");
                }
            }
            default -> {
                if (late.there()) {
                    changes.prompt("late_prompt", "Came late", NoInput.class)
                            .handle((none, call) -> GetPromptResult.of(PromptMessage.user("late")));
                } else {
                    changes.removePrompt("late_prompt");
                }
            }
        }
    }
}
