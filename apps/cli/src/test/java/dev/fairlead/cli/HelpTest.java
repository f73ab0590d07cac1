package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The help of the command line. */
class HelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ping",
                "discover",
                "listen",
                "tools list",
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
                "shell",
                "console",
                "servers",
                "new",
                "hosts",
                "install",
                "uninstall",
                "gateway",
                "dev",
                "bundle",
                "server-json",
                "login",
                "logout",
                "auth status",
                "state-key",
                "completion"
            })
    void everyVerbHasExamples(String verb) {
        Ran ran = Cli.run((verb + " --help").split(" "));
        assertThat(ran.status()).isZero();
        assertThat(ran.out()).contains("Example", "  fairlead " + verb);
        assertThat(ran.out().lines())
                .as("no path is wrapped")
                .noneMatch(line -> line.startsWith("/"));
        assertThat(ran.out().substring(ran.out().indexOf("\nExample")).lines().skip(2))
                .as("none is wrapped, for they are copied")
                .allMatch(line -> line.startsWith("  "));
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void theVersionIsOneLine() {
        assertThat(Cli.run("--version")).isEqualTo(new Ran(0, "fairlead 0.1.0\n", ""));
    }

    @Test
    void theScriptForShellsIsOneThatBashReads() throws Exception {
        Ran ran = Cli.run("completion", "bash");
        assertThat(ran.status()).isZero();
        assertThat(ran.out()).contains("tools", "--timeout");
        Process bash = new ProcessBuilder("bash", "-n").redirectErrorStream(true).start();
        try (var in = bash.getOutputStream()) {
            in.write(ran.out().getBytes(StandardCharsets.UTF_8));
        }
        assertThat(bash.getInputStream().readAllBytes()).isEmpty();
        assertThat(bash.waitFor()).isZero();
    }

    @Test
    void theScriptForShellsIsTheSameInEachLanguage() {
        String script = Cli.run("completion", "bash").out();
        Locale language = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG")); // with digits of its own
        try {
            assertThat(Cli.run("completion", "bash").out()).isEqualTo(script);
        } finally {
            Locale.setDefault(language);
        }
    }

    @Test
    void otherShellsAreRefused() {
        Ran ran = Cli.run("completion", "fish");
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err()).isEqualTo("fairlead: the shell must be bash or zsh but was fish\n");
    }
}
