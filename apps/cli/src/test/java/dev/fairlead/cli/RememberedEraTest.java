package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What one process of the command line finds out about a server, and the next one uses. */
@Timeout(120)
class RememberedEraTest {
    @TempDir Path state;

    private Ran run(String... typed) throws Exception {
        Ran ran = Cli.process(Map.of("XDG_STATE_HOME", state.toString()), line -> {}, typed);
        assertThat(ran.status()).as("%s", ran).isZero();
        return ran;
    }

    private String file() throws Exception {
        return Files.readString(state.resolve("fairlead/eras.json"));
    }

    /** The requests that a command sent, by the frames of {@code --trace}. */
    private static List<String> sent(Ran ran) {
        List<String> methods = new ArrayList<>();
        for (String line : ran.err().lines().toList()) {
            if (line.contains(" sent [")) {
                methods.addAll(
                        List.of("server/discover", "initialize", "tools/list").stream()
                                .filter(method -> line.contains("\"method\":\"" + method + "\""))
                                .toList());
            }
        }
        return methods;
    }

    @Test
    void anOldServerIsNotAskedAgain() throws Exception {
        String[] list = Cli.on("old", "tools", "list", "--json", "--trace");
        assertThat(sent(run(list))).startsWith("server/discover", "initialize", "tools/list");
        assertThat(file()).contains("\"era\":\"handshake\"");
        assertThat(sent(run(list))).startsWith("initialize", "tools/list");
        Files.writeString(state.resolve("fairlead/eras.json"), "no JSON");
        assertThat(sent(run(list))).startsWith("server/discover", "initialize");
    }

    @Test
    void aSilentServerIsWaitedForOnce() throws Exception {
        String[] ping = Cli.on("passes-over", "ping", "--json", "--trace", "--timeout", "20000");
        assertThat(sent(run(ping))).containsExactly("server/discover", "initialize");
        assertThat(sent(run(ping))).containsExactly("initialize");
    }

    @Test
    void aNewServerIsRememberedAndAPinIsNot() throws Exception {
        try (ChildProcess server = Cli.showcase()) {
            String url = server.url();
            assertThat(sent(run("tools", "list", "--json", "--trace", url)))
                    .startsWith("server/discover", "tools/list")
                    .doesNotContain("initialize");
            assertThat(file()).contains("\"era\":\"per-request\"").doesNotContain("127.0.0.1");
            // a pinned revision neither uses nor changes what is remembered
            String kept = file();
            assertThat(
                            sent(
                                    run(
                                            "tools",
                                            "list",
                                            "--json",
                                            "--trace",
                                            "--revision",
                                            "2025-11-25",
                                            url)))
                    .startsWith("initialize", "tools/list");
            assertThat(file()).isEqualTo(kept);
        }
    }
}
