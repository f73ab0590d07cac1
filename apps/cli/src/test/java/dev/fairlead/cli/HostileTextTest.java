package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose every text tries to control the terminal or to forge a line. */
@Timeout(600)
class HostileTextTest {
    /**
     * Control characters (C0, DEL, C1), directions, invisible characters, tags, line separators.
     */
    private static final String UNSAFE =
            "[\\p{Cntrl}\\x{7f}-\\x{9f}\\x{ad}\\x{200b}\\x{200e}\\x{200f}\\x{2028}-\\x{202e}"
                    + "\\x{2060}-\\x{206f}\\x{feff}\\x{e0000}-\\x{e007f}]";

    private static void assertSafe(String output) {
        assertThat(output.lines().toList())
                .noneMatch(line -> line.matches("(?s).*" + UNSAFE + ".*"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tools list",
                "tools call odd",
                "resources list",
                "resources templates",
                "resources read x:y",
                "prompts list",
                "prompts get x",
                "complete --prompt x --arg y --value z"
            })
    void jsonHasEscapesOnly(String command) {
        Ran ran = Cli.run(Cli.on("hostile", (command + " --json").split(" ")));

        assertThat(ran.status()).as(ran.err()).isZero();
        assertThat(ran.out())
                .endsWith("\n")
                .hasLineCount(1)
                .contains("\\u009b", "\\u202e", "\\udb40");
        assertSafe(ran.out());
        assertThat(((JsonObject) JsonValue.parse(ran.out())).string("x-text"))
                .as("the same JSON")
                .isEqualTo(ScriptedStdioServer.HOSTILE);
    }

    @Test
    void anErrorIsOneLineWithEscapes() {
        Ran ran = Cli.run(Cli.on("hostile", "tools", "call", "fails", "--json"));

        assertThat(ran.status()).isEqualTo(ExitStatus.REFUSED);
        assertSafe(ran.out());
        assertSafe(ran.err());
        assertThat(ran.err().lines().filter(line -> line.startsWith("fairlead: ")))
                .hasSize(1)
                .allMatch(line -> line.endsWith(" (-32000)"));
        assertThat(((JsonObject) JsonValue.parse(ran.out())).object("error").string("message"))
                .isEqualTo(ScriptedStdioServer.HOSTILE);
    }

    @Test
    void aLogMessageCannotForgeALineOfTheProgram() {
        Ran ran = Cli.run(Cli.on("hostile", "tools", "call", "logs"));

        assertSafe(ran.err());
        assertThat(ran.err()).contains("info: no\n  fairlead: forged");
        assertThat(ran.err().lines()).noneMatch(line -> line.startsWith("fairlead: forged"));
    }
}
