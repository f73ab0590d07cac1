package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.examples.Calculator.Numbers;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.testing.McpTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

@EachEra
class CalculatorTest {
    @Parameter private Revision revision;

    private final McpTest test = McpTest.of(Calculator.server());
    private McpClient client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = test.revision(revision).client();
    }

    @AfterEach
    void close() {
        test.close();
    }

    private double call(String tool, double a, double b) throws InterruptedException {
        return client.tool(tool, Numbers.class, Double.class).call(new Numbers(a, b));
    }

    @ParameterizedTest
    @CsvSource({
        "add, 1, 2, 3",
        "subtract, 1, 2, -1",
        "multiply, 1.5, 4, 6",
        "divide, 1, 4, 0.25",
    })
    void calculates(String tool, double a, double b, double result) throws Exception {
        assertThat(call(tool, a, b)).isEqualTo(result);
    }

    @Test
    void whatCannotBeCalculatedIsAFailureThatSaysWhy() {
        assertThatThrownBy(() -> call("divide", 1, 0))
                .isInstanceOf(ToolFailedException.class)
                .hasMessage("cannot divide by zero");
        assertThatThrownBy(() -> call("multiply", 1e200, 1e200))
                .isInstanceOf(ToolFailedException.class)
                .hasMessage("the result is too large");
    }

    @Test
    void aTextIsNoNumber() throws Exception {
        assertThat(client.callTool("add", JsonObject.of("a", "one", "b", 2)).isError()).isTrue();
    }

    @Test
    void greetsWhomTheUriNames() throws Exception {
        assertThat(client.readResource("greeting://Ada").text()).isEqualTo("Hello, Ada!");
    }

    @Test
    void thePromptAsksForAGreetingInTheWantedStyle() throws Exception {
        assertThat(text(client.getPrompt("greet_user", Map.of("name", "Ada"))))
                .isEqualTo("Please write a warm, friendly greeting for someone named Ada.");
        assertThat(text(client.getPrompt("greet_user", Map.of("name", "Ada", "style", "formal"))))
                .isEqualTo("Please write a formal, professional greeting for someone named Ada.");
        assertThat(
                        client.complete(new PromptReference("greet_user"), "style", "f")
                                .completion()
                                .values())
                .containsExactly("friendly", "formal");
    }

    private static String text(GetPromptResult prompt) {
        return ((TextContent) prompt.messages().getFirst().content()).text();
    }
}
