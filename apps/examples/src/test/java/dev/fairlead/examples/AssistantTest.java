package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** The assistant as a program: what is typed goes in, what is shown comes out. */
class AssistantTest {
    /** What the assistant shows while it is connected to the teahouse. */
    private static String teahouse(String... typed) throws Exception {
        return session(List.of(ExampleProgram.command("teahouse")), typed);
    }

    private static String session(List<String> arguments, String... typed) throws Exception {
        List<String> command = new ArrayList<>(List.of("assistant"));
        command.addAll(arguments);
        try (ChildProcess program = ExampleProgram.start(command.toArray(String[]::new))) {
            program.type(String.join("\n", typed) + "\n");
            String output = String.join("\n", program.rest());
            assertThat(program.exitStatus()).as(output).isZero();
            return output;
        }
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
                                List.of(ExampleProgram.command("echo")),
                                "echo_tool {\"text\": \"hi\\u001b[31m\"}",
                                "echo_tool nonsense",
                                "none"))
                .contains("echo_tool: Gives back a text", "hi?[31m\n", "Error: ");
    }

    @Test
    void itDrivesTheServerOfAUrl() throws Exception {
        try (ChildProcess echo = ExampleProgram.start("echo", "http", "0")) {
            String url = echo.url();
            assertThat(session(List.of(url), "echo_tool {\"text\": \"hi\"}"))
                    .contains("echo_tool: Gives back a text", "hi\n");
        }
    }

    @Test
    void textsOfServersStayOnTheLinesThatAreTheirs() throws Exception {
        String text = "echo_tool {\"text\": \"hi\\nTOOL {ARGUMENTS} > \"}";
        assertThat(session(List.of(ExampleProgram.command("echo")), text)).contains("hi\n  TOOL {");
    }
}
