package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The variables that a started server gets of the command line. */
@Timeout(600)
class EnvironmentTest {
    @TempDir Path folder;

    /** Runs commands one after the other; each starts a server that prints its variables. */
    static final class Commands {
        public static void main(String[] files) {
            String[] env = {"--", "sh", "-c", "env >&2"};
            print("ping", env);
            print("ping --inherit-env", env);
            for (String name : List.of("short", "named", "all")) {
                print("ping " + name + " --servers " + files[0]);
            }
        }

        private static void print(String typed, String... more) {
            Ran ran =
                    Cli.run(
                            Stream.concat(Stream.of(typed.split(" ")), Stream.of(more))
                                    .toArray(String[]::new));
            System.out.println(JsonObject.of("variables", ran.err()).toJson());
        }
    }

    @Test
    void aProgramGetsOtherVariablesOnlyIfThatIsAskedFor() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("servers.json"),
                        """
                        {"mcpServers": {
                          "short": {"command": "sh", "args": ["-c", "env >&2"]},
                          "named": {"command": "sh", "args": ["-c", "env >&2"],
                                    "env": {"KEY": "${AWS_SECRET_ACCESS_KEY}"}},
                          "all": {"command": "sh", "args": ["-c", "env >&2"], "inheritEnv": true}}}
                        """);
        ProcessBuilder commands =
                new ProcessBuilder(ChildJvm.command(Commands.class, file.toString()));
        commands.environment().put("AWS_SECRET_ACCESS_KEY", "s3cret-s3cret");

        List<String> variables;
        try (ChildProcess process = ChildProcess.start(commands)) {
            variables =
                    process.rest().stream()
                            .map(line -> (JsonObject) JsonValue.parse(line))
                            .map(line -> line.string("variables"))
                            .toList();
            assertThat(variables).as(process.errors()).hasSize(5);
        }

        assertThat(variables.get(0)).contains("PATH=").doesNotContain("s3cret");
        assertThat(variables.get(1)).contains("AWS_SECRET_ACCESS_KEY=s3cret-s3cret");
        assertThat(variables.get(2)).contains("PATH=").doesNotContain("s3cret");
        assertThat(variables.get(3))
                .contains("KEY=s3cret-s3cret")
                .doesNotContain("AWS_SECRET_ACCESS_KEY");
        assertThat(variables.get(4)).contains("AWS_SECRET_ACCESS_KEY=s3cret-s3cret");
    }
}
