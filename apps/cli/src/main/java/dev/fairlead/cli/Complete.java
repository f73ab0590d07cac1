package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead complete}. */
@Command(
        name = "complete",
        description = "Suggests values for an argument of a prompt or resource template.",
        footer = {
            "",
            "Examples:",
            "  fairlead complete --prompt pack_for_a_night_train --arg season --value s \\",
            "      http://127.0.0.1:3000/mcp",
            "  fairlead complete --template 'tour://stations/{name}' --arg name --value V \\",
            "      http://127.0.0.1:3000/mcp"
        })
final class Complete implements Callable<Integer> {
    private final Runner runner;

    @ArgGroup(multiplicity = "1")
    private @Nullable Subject subject;

    @Option(
            names = "--arg",
            required = true,
            paramLabel = "NAME",
            description = "the argument of the prompt, or the variable of the template")
    private @Nullable String argument;

    @Option(
            names = "--value",
            required = true,
            paramLabel = "TEXT",
            description = "the start of its value; may be empty")
    private @Nullable String value;

    @Option(
            names = "--args",
            paramLabel = "JSON",
            description = "the arguments with a value already, as a JSON object of strings")
    private @Nullable String others;

    @Mixin private @Nullable ServerOptions options;

    Complete(Runner runner) {
        this.runner = runner;
    }

    /** The prompt or the template that has the argument. */
    private static final class Subject {
        @Option(names = "--prompt", paramLabel = "NAME", description = "a prompt")
        private @Nullable String prompt;

        @Option(names = "--template", paramLabel = "URI", description = "a resource template")
        private @Nullable String template;

        private JsonObject reference() {
            return prompt != null
                    ? JsonObject.of("type", "ref/prompt", "name", prompt)
                    : JsonObject.of("type", "ref/resource", "uri", template);
        }
    }

    @Override
    public Integer call() {
        JsonObject request = request();
        return runner.run(
                Objects.requireNonNull(options),
                server -> server.request("completion/complete", request),
                View.COMPLETION);
    }

    private JsonObject request() {
        JsonObject request =
                JsonObject.of(
                        "ref",
                        Objects.requireNonNull(subject).reference(),
                        "argument",
                        JsonObject.of("name", argument, "value", value));
        return others == null
                ? request
                : request.with(
                        "context", JsonObject.of("arguments", runner.texts("--args", others)));
    }
}
