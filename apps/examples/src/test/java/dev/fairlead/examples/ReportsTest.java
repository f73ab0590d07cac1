package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Revision;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

@EachEra
class ReportsTest {
    @Parameter private Revision revision;

    @Test
    void threeReportsAreWrittenWhileAFourthIsWaitedFor() throws Exception {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        try (McpClient client =
                McpClient.named("test", "1")
                        .revisions(revision, revision)
                        .connect(Reports.server().build().inProcess())) {
            Reports.order(client, new PrintStream(screen, true, StandardCharsets.UTF_8));
        }
        assertThat(screen.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "The year 2021 was good.",
                        "The year 2023 was good.",
                        "The year 2024 was good.",
                        "The year 2025 was good.");
    }
}
