package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;

class SystemBrowserTest {
    @ParameterizedTest
    @Requirement({"SEC-011", "SEC-012"})
    @CsvSource({"Linux, xdg-open", "Mac OS X, open", "Windows 11, rundll32"})
    void theUrlIsOneArgumentAndNoShellReadsIt(String system, String program) {
        URI url =
                URI.create(
                        "https://login.example/authorize?state=$(reboot)&x=%22;`id`"
                                .replace("`", "%60"));

        assertThat(SystemBrowser.command(system, url))
                .startsWith(program)
                .endsWith(url.toString())
                .noneMatch(part -> part.equals("sh") || part.equals("cmd") || part.equals("-c"));
    }
}
