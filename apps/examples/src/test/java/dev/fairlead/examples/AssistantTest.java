package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;

/** The assistant: input from the keyboard, output on the screen. */
class AssistantTest {
    /** The output of the assistant while it is connected to the teahouse. */
    private static String teahouse(String... typed) throws Exception {
        return session(Teahouse.server(), typed);
    }

    private static String session(McpServer.Builder builder, String... typed) throws Exception {
        try (McpServer server = builder.build()) {
            return session(() -> new Assistant().run(server.inProcess()), typed);
        }
    }

    /** A run of the assistant. */
    @FunctionalInterface
    private interface Run {
        void run() throws Exception;
    }

    private static String session(Run assistant, String... typed) throws Exception {
        return Captured.of(
                        String.join("\n", typed) + "\n",
                        () -> {
                            assistant.run();
                            return 0;
                        })
                .out();
    }

    @Test
    void aFormIsFilledInAndSentWhenThePersonSaysSo() throws Exception {
        assertThat(teahouse("order_tea", "blue", "green", "9", "2", "y"))
                .contains(
                        "teahouse asks: Which tea?",
                        "Send {\"kind\":\"green\",\"sugar\":2}?",
                        "{\"kind\":\"green\",\"sugar\":2}\n");
    }

    @Test
    void aFieldLeftEmptyHasItsDefault() throws Exception {
        assertThat(teahouse("order_tea", "black", "", "y"))
                .contains("{\"kind\":\"black\",\"sugar\":0}\n");
    }

    @Test
    void aFormCanBeDeclined() throws Exception {
        assertThat(teahouse("order_tea", "black", "", "n")).contains("Failed: ");
    }

    @Test
    void inputThatEndsWithinAFormCancelsIt() throws Exception {
        assertThat(teahouse("order_tea", "black")).contains("Failed: ");
    }

    @Test
    void aSampleIsGivenAfterTheQuestionAndTheAnswerAreAllowed() throws Exception {
        assertThat(teahouse("haiku", "y", "y"))
                .contains("The server asks the model: Write a haiku about tea")
                .containsPattern("deny > Steam above the cup");
    }

    @Test
    void aSampleThatIsDeniedFailsTheTool() throws Exception {
        assertThat(teahouse("haiku", "n"))
                .doesNotContain("Steam above")
                .contains("User rejected sampling request");
        assertThat(teahouse("haiku", "y", "n")).contains("User rejected sampling request");
    }

    @Test
    void itDrivesTheServerOfACommand() throws Exception {
        assertThat(
                        session(
                                () -> Assistant.main(ExampleProgram.command("echo")),
                                "echo_tool {\"text\": \"hi\\u001b[31m\"}",
                                "echo_tool nonsense",
                                "none"))
                .contains("echo_tool: Gives back a text", "hi?[31m\n", "Error: ");
    }

    @Test
    void itDrivesTheServerOfAUrl() throws Exception {
        try (McpServer echo = Echo.server().build();
                HttpServing serving = echo.serve(Http.port(0))) {
            String[] url = {serving.uri().toString()};
            assertThat(session(() -> Assistant.main(url), "echo_tool {\"text\": \"hi\"}"))
                    .contains("echo_tool: Gives back a text", "hi\n");
        }
    }

    @Test
    void textsOfServersStayOnTheLinesThatAreTheirs() throws Exception {
        String text = "echo_tool {\"text\": \"hi\\nTOOL {ARGUMENTS} > \"}";
        assertThat(session(Echo.server(), text)).contains("hi\n  TOOL {");
    }
}
