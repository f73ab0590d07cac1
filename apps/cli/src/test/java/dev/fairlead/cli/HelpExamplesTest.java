package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.servers.Environment;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The examples of {@code --help}, run by bash as they stand. Only the port of the server, the id of
 * a task and the place of the program as a server are replaced, for they differ each time. Not run:
 * {@code shell}, which needs a terminal, {@code gateway}, {@code dev} and {@code listen}, which do
 * not end, {@code bundle}, which needs a jar, and {@code login} and {@code logout}, which need a
 * server of the user; they have tests of their own.
 */
@Timeout(600)
class HelpExamplesTest {
    private static final String TASK = "786512e2-9e0d-44bd-8f29-789f320fe840";

    private static LocalShowcase server;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = LocalShowcase.withTour();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A program {@code fairlead} on the path, and a servers file. */
    @BeforeEach
    void install() throws IOException {
        Path program = folder.resolve("fairlead");
        String command = line(LocalProgram.command(this::fairlead));
        Files.writeString(program, "#!/bin/sh\nexec " + command + " \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String servers =
                JsonObject.of(
                                "mcpServers",
                                JsonObject.of("showcase", JsonObject.of("url", server.url())))
                        .toJson();
        Files.writeString(folder.resolve(".mcp.json"), servers);
        Files.writeString(folder.resolve("mcp.json"), servers);
    }

    private int fairlead(List<String> arguments, InputStream in, PrintStream out, PrintStream err)
            throws Exception {
        if (arguments.equals(List.of("serve", "--stdio"))) {
            return LocalShowcase.serveTour(in, out);
        }
        Map<String, String> variables =
                Map.of(
                        "HOME",
                        folder.toString(),
                        "XDG_CONFIG_HOME",
                        folder.resolve("config").toString());
        Console console = new Console(in, out, err, new Environment(variables, folder));
        return Fairlead.run(console, new Interrupts(console), arguments.toArray(String[]::new));
    }

    private static String line(List<String> command) {
        return command.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ping",
                "info",
                "discover",
                "tools list",
                "tools show",
                "tools call",
                "resources list",
                "resources templates",
                "resources read",
                "prompts list",
                "prompts get",
                "complete",
                "tasks list",
                "tasks get",
                "tasks result",
                "tasks cancel",
                "servers",
                "new",
                "server-json",
                "hosts",
                "install",
                "auth status",
                "state-key",
                "completion"
            })
    void everyExampleRuns(String verb) throws Exception {
        List<String> examples = examples(verb);
        assertThat(examples).isNotEmpty();
        for (String example : examples) {
            String command =
                    example.replace("http://127.0.0.1:3000/mcp", server.url())
                            .replace("-- fairlead ", "-- " + folder.resolve("fairlead") + " ")
                            .replace(TASK, example.contains(TASK) ? task(verb) : TASK);
            assertThat(status(command)).as(command + "\n" + Files.readString(output())).isZero();
        }
    }

    /** The commands below "Examples", each with its lines that a backslash continues. */
    private static List<String> examples(String verb) {
        String help = Cli.run((verb + " --help").strip().split(" ")).out();
        List<String> examples = new ArrayList<>();
        StringBuilder example = new StringBuilder();
        for (String line : help.substring(help.indexOf("\nExample") + 1).lines().skip(1).toList()) {
            example.append(line).append('\n');
            if (!line.endsWith("\\")) {
                examples.add(example.toString().strip());
                example.setLength(0);
            }
        }
        return examples;
    }

    private static String task(String verb) {
        String started =
                Cli.run(
                                "tools",
                                "call",
                                "task_echo",
                                "text=x",
                                "delayMs=" + (verb.equals("tasks cancel") ? 60_000 : 100),
                                "--task",
                                "--no-wait",
                                "--json",
                                server.url())
                        .out();
        return ((JsonObject) JsonValue.parse(started)).string("taskId");
    }

    private Path output() {
        return folder.resolve("output");
    }

    private int status(String command) throws Exception {
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", "set -o pipefail; " + command);
        bash.directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .redirectInput(ProcessBuilder.Redirect.from(folder.resolve("mcp.json").toFile()));
        bash.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        bash.environment().put("HOME", folder.toString());
        return bash.start().waitFor();
    }
}
