package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The variables that a started server gets of the command line. */
@Timeout(120)
class EnvironmentTest {
    private static final Map<String, String> SECRET =
            Map.of("AWS_SECRET_ACCESS_KEY", "s3cret-s3cret");

    @TempDir Path folder;

    /** What a server that prints its variables and ends had. */
    private static String variables(String... typed) throws Exception {
        return Cli.process(SECRET, line -> {}, typed).err();
    }

    @Test
    void aCommandGetsNoSecretWithoutTheOption() throws Exception {
        assertThat(variables("ping", "--", "sh", "-c", "env >&2"))
                .contains("PATH=")
                .doesNotContain("s3cret");
        assertThat(variables("ping", "--inherit-env", "--", "sh", "-c", "env >&2"))
                .contains("AWS_SECRET_ACCESS_KEY=s3cret-s3cret");
    }

    @Test
    void aServerOfTheFileGetsWhatItsDefinitionNames() throws Exception {
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

        assertThat(variables("ping", "short", "--servers", file.toString()))
                .contains("PATH=")
                .doesNotContain("s3cret");
        assertThat(variables("ping", "named", "--servers", file.toString()))
                .contains("KEY=s3cret-s3cret")
                .doesNotContain("AWS_SECRET_ACCESS_KEY");
        assertThat(variables("ping", "all", "--servers", file.toString()))
                .contains("AWS_SECRET_ACCESS_KEY=s3cret-s3cret");
    }
}
