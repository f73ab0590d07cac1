package dev.fairlead.cli;

import dev.fairlead.cli.hosts.CommandWords;
import dev.fairlead.cli.hosts.FileChange;
import dev.fairlead.cli.hosts.Host;
import dev.fairlead.cli.hosts.HostFile;
import dev.fairlead.cli.hosts.NewServer;
import dev.fairlead.cli.hosts.Platform;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead install}. */
@Command(
        name = "install",
        customSynopsis = {
            "fairlead install HOST NAME [OPTIONS] URL",
            "fairlead install HOST NAME [OPTIONS] -- COMMAND [ARGUMENT...]"
        },
        description = {
            "Adds a server to the file of a host, such as Claude Desktop.",
            "The command gets whole paths, and java becomes the Java that runs this program. The"
                    + " file as it was is kept beside it."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead install claude-desktop hello --dry-run -- java -jar hello.jar",
            "  fairlead install cursor web --project --dry-run http://127.0.0.1:3000/mcp",
            "  fairlead install vscode hello --env KEY --dry-run -- java -jar hello.jar",
            "  fairlead install codex weather --dry-run https://weather.example/mcp \\",
            "      --header 'Authorization=Bearer ${WEATHER_TOKEN}'",
            "  fairlead install json hello -- java -jar hello.jar"
        })
final class Install implements Callable<Integer> {
    private final Console console;
    private final Invocation invocation;

    @Mixin private @Nullable HostOptions options;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "URL",
            description = "the URL of a server that runs already")
    private @Nullable String url;

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            description =
                    "an environment variable of the server; without a value the host passes its"
                            + " own on, so that its file contains no secret. A value may contain"
                            + " $${NAME}. Repeatable")
    private List<String> environment = new ArrayList<>();

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "a header of each request to the URL; may contain $${NAME}. Repeatable")
    private List<String> headers = new ArrayList<>();

    @Option(names = "--force", description = "replace the server of this name")
    private boolean force;

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    private boolean json;

    Install(Console console, Invocation invocation) {
        this.console = console;
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        return new Output(console, json).answer(this::answer, HostLines::installed);
    }

    private JsonObject answer() {
        HostOptions wanted = Objects.requireNonNull(options);
        NewServer server = server();
        if (wanted.isJson()) {
            return JsonObject.of(
                    "mcpServers",
                    JsonObject.of(wanted.name(), server.definition(Host.CLAUDE_CODE)));
        }
        HostFile file = wanted.file(console.environment());
        String name = wanted.name();
        boolean isThere = file.has(name);
        if (isThere && !force) {
            throw new UsageException(
                    file.host().title()
                            + " has a server "
                            + name
                            + " already, in "
                            + file.path()
                            + "; --force replaces it");
        }
        JsonObject definition = server.definition(file.host());
        FileChange change = file.with(name, definition);
        return wanted.write(file, change).with("definition", definition).with("replaced", isThere);
    }

    private NewServer server() {
        List<String> command = invocation.server();
        String address = url;
        if ((command == null || command.isEmpty()) == (address == null)) {
            throw new UsageException(
                    "give either the URL of the server, or -- and the command that starts it");
        }
        if (address != null) {
            if (!environment.isEmpty()) {
                throw new UsageException("--env is for a command; a URL takes --header");
            }
            return new NewServer.Endpoint(checked(address), named("--header", headers));
        }
        if (!headers.isEmpty()) {
            throw new UsageException("--header is for a URL; a command takes --env");
        }
        CommandWords words =
                new CommandWords(
                        console.environment(),
                        Platform.current(),
                        CommandWords.javaOfThisProgram());
        return new NewServer.Program(
                words.whole(Objects.requireNonNull(command)), named("--env", environment));
    }

    private static String checked(String url) {
        try {
            URI uri = URI.create(url);
            if (uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?")) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // falls through to the one message for every bad URL
        }
        throw new UsageException(
                "a URL begins with http:// or https:// and a host, but was " + url);
    }

    /** The values by their names; a variable without one refers to that of the host. */
    private static Map<String, String> named(String option, List<String> words) {
        Map<String, String> named = new LinkedHashMap<>();
        for (String word : words) {
            int separator = word.indexOf('=');
            String name = separator < 0 ? word : word.substring(0, separator);
            if (name.isEmpty() || (separator < 0 && option.equals("--header"))) {
                throw new UsageException(option + " needs NAME=VALUE but was " + name);
            }
            named.put(name, separator < 0 ? "${" + name + "}" : word.substring(separator + 1));
        }
        return named;
    }
}
