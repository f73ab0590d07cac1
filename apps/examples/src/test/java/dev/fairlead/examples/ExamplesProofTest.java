package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.stdio.Stdio;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each example as a process of its own. */
@Tag("proof")
class ExamplesProofTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"calculator", "echo", "hello", "library", "lowlevel", "teahouse", "travel"})
    void serversServeOverStdio(String name) throws Exception {
        try (McpClient client = McpClient.connect(Stdio.command(ExampleProgram.command(name)))) {
            assertThat(client.tools()).isNotEmpty();
        }
    }
}
