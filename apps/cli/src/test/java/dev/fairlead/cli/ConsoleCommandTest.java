package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code fairlead console}. */
class ConsoleCommandTest {
    @Test
    void itServesAPageUntilItIsStopped() throws Exception {
        List<String> words = new ArrayList<>(ChildJvm.command(Main.class, "console", "--"));
        words.addAll(LocalShowcase.command());
        Process process = new ProcessBuilder(words).start();
        try (BufferedReader out = process.inputReader();
                HttpClient browser = HttpClient.newHttpClient()) {
            String line = out.readLine();
            assertThat(line)
                    .matches("Try .* at http://127\\.0\\.0\\.1:\\d+/console/#token=[\\w-]{32}");
            assertThat(out.readLine()).isEqualTo("Stop with Ctrl-C.");
            URI page = URI.create(line.replaceAll(".* at |#.*", ""));
            assertThat(
                            browser.send(
                                            HttpRequest.newBuilder(page).build(),
                                            BodyHandlers.ofString())
                                    .body())
                    .contains("<fairlead-console>");
            process.destroy();
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--elicit {}", "--sample yes", "--root file:///tmp", "--json"})
    void optionsThatAnswerForThePersonAreRefused(String option) {
        List<String> words = new ArrayList<>(List.of("console", "http://127.0.0.1:1/mcp"));
        words.addAll(List.of(option.split(" ")));
        Ran ran = Cli.run(words.toArray(String[]::new));
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.out() + ran.err()).contains("cannot be used here");
    }
}
