package dev.fairlead.cli;

import dev.fairlead.cli.view.Attachment;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.prompts.GetPromptResult;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code fairlead prompts …}. */
@Command(name = "prompts", description = "Lists and gets the prompts of a server.")
final class Prompts {
    private final Runner runner;

    Prompts(Runner runner) {
        this.runner = runner;
    }

    @Command(
            name = "list",
            description = "Lists all prompts.",
            footer = {"", "Example:", "  fairlead prompts list http://127.0.0.1:3000/mcp"})
    int list(@Mixin ServerOptions options) {
        return runner.run(
                options, server -> Lists.all(server, "prompts/list", "prompts"), View.PROMPTS);
    }

    @Command(
            name = "get",
            customSynopsis = "fairlead prompts get NAME [KEY=VALUE...] [OPTIONS] [TARGET]",
            description = "Gets a prompt with its arguments filled in.",
            footer = {
                "",
                "Examples:",
                "  fairlead prompts get pack_for_a_night_train destination=Vienna season=winter \\",
                "      http://127.0.0.1:3000/mcp",
                "  fairlead prompts get pack_for_a_night_train \\",
                "      --args '{\"destination\": \"Rome\", \"season\": \"spring\"}' \\",
                "      http://127.0.0.1:3000/mcp"
            })
    int get(
            @Parameters(paramLabel = "NAME", description = "the name of the prompt") String name,
            @Option(
                            names = "--args",
                            paramLabel = "JSON",
                            description =
                                    "the arguments, a JSON object of strings; @FILE reads it from a"
                                            + " file, - from standard input; KEY=VALUE replaces its"
                                            + " members")
                    @Nullable String arguments,
            @Option(
                            names = "--out",
                            paramLabel = "PATH",
                            description =
                                    "save images, audio and resources of the messages in this"
                                            + " folder, or as this new file")
                    @Nullable String out,
            @Parameters(
                            index = "2..*",
                            paramLabel = "KEY=VALUE",
                            description = "arguments, which are texts")
                    @Nullable List<String> more,
            @Mixin ServerOptions options) {
        Saving saving = runner.saving(out, GetPromptResult.class, Attachment::of);
        Map<String, String> texts = new LinkedHashMap<>(runner.texts("--args", arguments));
        for (String word : options.takeArguments(more == null ? List.of() : more)) {
            int separator = word.indexOf('=');
            texts.put(word.substring(0, separator), word.substring(separator + 1));
        }
        JsonObject request = JsonObject.of("name", name, "arguments", texts);
        return runner.run(
                options,
                server -> get(server, name, request),
                View.PROMPT,
                answer -> saving.save(answer, ExitStatus.OK));
    }

    private JsonObject get(ClientRequests server, String name, JsonObject request)
            throws InterruptedException {
        try {
            return server.withProgress(runner.progress()).request("prompts/get", request);
        } catch (JsonRpcException e) {
            throw UnknownNameException.of(
                    e, () -> Lists.all(server, "prompts/list", "prompts"), "prompts", name);
        }
    }
}
