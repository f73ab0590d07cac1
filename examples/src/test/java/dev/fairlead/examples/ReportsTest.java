package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

class ReportsTest {
    @Test
    void threeReportsAreWrittenWhileAFourthIsWaitedFor() throws Exception {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        try (McpClient client = McpClient.connect(Reports.server().build().inProcess())) {
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
