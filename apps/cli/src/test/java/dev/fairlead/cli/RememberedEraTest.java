package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.test.support.FreshClients;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;

/** The era of a server, found out by one command and used by another process. */
@Timeout(120)
class RememberedEraTest {
    @TempDir Path state;

    /** The requests that a command sent in the JVM of the test, which forgets what it found out. */
    private List<String> sent(String... typed) {
        FreshClients.forget();
        try (Logged frames = new Logged("dev.fairlead.wire", Level.FINER)) {
            List<String> all = new ArrayList<>(List.of(typed));
            all.add(2, "--trace");
            Ran ran =
                    Cli.runWith(
                            Map.of("XDG_STATE_HOME", state.toString()), all.toArray(String[]::new));
            assertThat(ran.status()).as("%s", ran).isZero();
            return frames.lines().stream()
                    .filter(line -> line.contains(" sent ["))
                    .flatMap(
                            line ->
                                    Stream.of("server/discover", "initialize", "tools/list")
                                            .filter(
                                                    method ->
                                                            line.contains(
                                                                    "\"method\":\""
                                                                            + method
                                                                            + "\"")))
                    .toList();
        }
    }

    private String file() throws Exception {
        return Files.readString(state.resolve("fairlead/eras.json"));
    }

    @Test
    void anOldServerIsNotAskedAgain() throws Exception {
        String[] list = Cli.on("old", "tools", "list", "--json");
        assertThat(sent(list)).startsWith("server/discover", "initialize", "tools/list");
        assertThat(file()).contains("\"era\":\"handshake\"");
        assertThat(sent(list)).startsWith("initialize", "tools/list");
        Files.writeString(state.resolve("fairlead/eras.json"), "no JSON");
        assertThat(sent(list)).startsWith("server/discover", "initialize");
    }

    @Test
    void aSilentServerIsWaitedForOnce() throws Exception {
        String[] ping = Cli.on("passes-over", "ping", "--json", "--timeout", "120000");
        assertThat(sent(ping)).containsExactly("server/discover", "initialize");
        assertThat(sent(ping)).containsExactly("initialize");
    }

    @Test
    void aNewServerIsRememberedAndAPinIsNot() throws Exception {
        try (LocalShowcase server = new LocalShowcase()) {
            String url = server.url();
            assertThat(sent("tools", "list", "--json", url))
                    .startsWith("server/discover", "tools/list")
                    .doesNotContain("initialize");
            assertThat(file()).contains("\"era\":\"per-request\"").doesNotContain("127.0.0.1");
            // a pinned revision neither uses nor changes what is remembered
            String kept = file();
            assertThat(sent("tools", "list", "--json", "--revision", "2025-11-25", url))
                    .startsWith("initialize", "tools/list");
            assertThat(file()).isEqualTo(kept);
        }
    }
}
