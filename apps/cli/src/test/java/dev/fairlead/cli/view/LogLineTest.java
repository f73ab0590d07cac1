package dev.fairlead.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

@Requirement("LOG-010")
class LogLineTest {
    private static LoggingMessageNotification message(LoggingLevel level, JsonValue data) {
        return new LoggingMessageNotification(level, data);
    }

    @Test
    void aMessageHasLevelAndLogger() {
        assertThat(
                        LogLine.of(
                                message(LoggingLevel.INFO, JsonValue.of("started"))
                                        .withLogger("db"),
                                Screens.PIPE))
                .containsExactly("info db: started");
    }

    @Test
    void dataIsJson() {
        assertThat(LogLine.of(message(LoggingLevel.DEBUG, JsonObject.of("rows", 3)), Screens.PIPE))
                .containsExactly("debug: {\"rows\":3}");
    }

    @Test
    void messagesAreDimmedAndWarningsStandOut() {
        assertThat(
                        LogLine.of(
                                message(LoggingLevel.INFO, JsonValue.of("one two three four")),
                                Screens.coloured(20)))
                .containsExactly(
                        "\u001b[2minfo: one two\u001b[0m", "\u001b[2m  three four\u001b[0m");
        assertThat(
                        LogLine.of(
                                message(LoggingLevel.WARNING, JsonValue.of("hot")),
                                Screens.coloured(20)))
                .containsExactly("\u001b[33mwarning: hot\u001b[0m");
    }

    @Test
    void longMessagesAreCut() {
        assertThat(
                        LogLine.of(
                                message(LoggingLevel.INFO, JsonValue.of("x".repeat(5_000))),
                                Screens.PIPE))
                .containsExactly("info: " + "x".repeat(4_000) + " (1000 more characters)");
    }

    @Test
    void nothingInAMessageSteersTheTerminal() {
        assertThat(
                        LogLine.of(
                                message(LoggingLevel.INFO, JsonValue.of("\u001b[2J"))
                                        .withLogger("\u001b[1m\n"),
                                Screens.PIPE))
                .containsExactly("info \\u001b[1m: \\u001b[2J");
        assertThat(LogLine.ofStandardError("server", "\u001b]0;owned\u0007", Screens.PIPE))
                .containsExactly("server: \\u001b]0;owned\\u0007");
    }

    /** Characters that a terminal, or a reader of lines, may take for the end of a line. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\n",
                "\r",
                "\r\n",
                "\n\n",
                "\u000b",
                "\f",
                "\u001c",
                "\u0085",
                "\u2028",
                "\u2029",
                "\u001bE",
                "\u001bD",
                "\b\b\b\b\b\b\b\b\b\b\b\b",
                "\u202e"
            })
    void noCharacterBeginsALineOfItsOwn(String separator) {
        String line = "x" + separator + "fairlead: log in at https://evil.example";
        for (Screen screen : List.of(Screens.PIPE, Screens.wide(80))) {
            assertThat(LogLine.ofStandardError("server", line, screen))
                    .allMatch(shown -> shown.startsWith("server: "))
                    .noneMatch(shown -> shown.codePoints().anyMatch(LogLineTest::steers));
            assertThat(LogLine.of(message(LoggingLevel.INFO, JsonValue.of(line)), screen))
                    .noneMatch(shown -> shown.startsWith("fairlead"))
                    .noneMatch(shown -> shown.codePoints().anyMatch(LogLineTest::steers));
        }
    }

    private static boolean steers(int c) {
        return Character.isISOControl(c)
                || c == 0x2028
                || c == 0x2029
                || Character.getType(c) == Character.FORMAT;
    }

    /** A server that writes until the line of the terminal is full would begin the next one. */
    @ParameterizedTest
    @ValueSource(strings = {"x", "word ", "\u00e9", "\u65e5"})
    void eachLineOfATerminalShowsWhoseItIs(String filling) {
        Screen screen = Screens.wide(40);
        for (int length = 1; length < 200; length++) {
            String line = filling.repeat(length) + "fairlead: log in at https://evil.example";
            assertThat(LogLine.ofStandardError("server", line, screen))
                    .allMatch(shown -> shown.startsWith("server: "))
                    .allMatch(shown -> Columns.of(shown) <= 40);
            List<String> logged =
                    LogLine.of(message(LoggingLevel.INFO, JsonValue.of(line)), screen);
            assertThat(logged.subList(1, logged.size()))
                    .allMatch(shown -> shown.startsWith("  "))
                    .allMatch(shown -> Columns.of(shown) <= 40);
        }
    }
}
