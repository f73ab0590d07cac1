package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;

/** A command that cannot work ends with the right status, one clear line, and one JSON document. */
@Timeout(600)
class BadInputTest {
    /** The message of the error document that is all of the output. */
    private static String message(Ran ran) {
        assertThat(ran.out()).endsWith("}\n").doesNotContain("\n{");
        return ((JsonObject) JsonValue.parse(ran.out())).object("error").string("message");
    }

    private static void failed(Ran ran, int status, String message) {
        assertThat(ran.err()).isEqualTo("fairlead: " + message + "\n");
        assertThat(ran.status()).isEqualTo(status);
        assertThat(ran.out()).isEmpty();
    }

    @Nested
    class WrongUsage {
        @Test
        void noCommandListsTheCommands() {
            Ran ran = Cli.run();
            assertThat(ran.status()).isEqualTo(64);
            assertThat(ran.err()).startsWith("fairlead: no command given;").contains("tools");
        }

        @Test
        void anUnknownCommandListsTheCommands() {
            Ran ran = Cli.run("tolls", "list", "http://127.0.0.1:9/mcp");
            assertThat(ran.status()).isEqualTo(64);
            assertThat(ran.err())
                    .startsWith(
                            "fairlead: unknown command 'tolls'; did you mean \"tools\"? commands of"
                                    + " fairlead: ping, info, discover, tools, ")
                    .endsWith("\n")
                    .doesNotContain("\tat ");
            assertThat(ran.out()).isEmpty();
        }

        @Test
        void anUnknownSubcommandListsTheSubcommands() {
            failed(
                    Cli.run("tools", "drop"),
                    64,
                    "unknown command 'drop'; commands of fairlead tools: call, list, show");
        }

        @Test
        void aGroupWithoutASubcommandListsTheSubcommands() {
            failed(
                    Cli.run("tools"),
                    64,
                    "no command given; commands of fairlead tools: call, list, show");
        }

        @Test
        void anUnknownOptionPointsToHelp() {
            failed(
                    Cli.run("ping", "--jsno", "http://127.0.0.1:9/mcp"),
                    64,
                    "unknown option '--jsno'; did you mean \"--json\"? fairlead ping --help lists"
                            + " its options");
        }

        @Test
        void argumentsThatAreNoJsonAreRefusedBeforeAnythingStarts() {
            Ran ran = Cli.run("tools", "call", "x", "--json", "--args", "{\"a\":", "nowhere://");
            assertThat(message(ran)).startsWith("--args must be JSON: ");
            assertThat(ran.status()).isEqualTo(64);
        }

        @Test
        void argumentsThatAreNoObjectAreRefused() {
            Ran ran = Cli.run("tools", "call", "x", "--json", "--args", "[1]", "http://h/mcp");
            assertThat(message(ran))
                    .isEqualTo("--args must be a JSON object, such as {\"name\": \"value\"}");
            assertThat(ran.status()).isEqualTo(64);
        }

        @Test
        void optionsOfTasksGoWithTasks() {
            failed(
                    Cli.run("tools", "call", "x", "--ttl", "1000", "http://h/mcp"),
                    64,
                    "--ttl needs --task");
            failed(
                    Cli.run("tools", "call", "x", "--no-wait", "http://h/mcp"),
                    64,
                    "--no-wait needs --task");
            failed(
                    Cli.run("tools", "call", "x", "--task", "--no-wait", "--out", ".", "http://h/"),
                    64,
                    "--out and --no-wait exclude each other: without waiting there is no result");
        }

        @ParameterizedTest
        @ValueSource(strings = {"0", "-1"})
        void aTaskIsKeptForSomeTime(String ttl) {
            failed(
                    Cli.run("tools", "call", "x", "--task", "--ttl", ttl, "http://h/mcp"),
                    64,
                    "--ttl must be at least 1 but was " + ttl);
        }

        @ParameterizedTest
        @ValueSource(strings = {"soon", "1.5", "99999999999999999999"})
        void aTtlIsAWholeNumber(String ttl) {
            Ran ran = Cli.run("tools", "call", "x", "--task", "--ttl", ttl, "http://h/mcp");
            assertThat(ran.status()).isEqualTo(64);
            assertThat(ran.err()).startsWith("fairlead: invalid value for option '--ttl': ");
        }

        @Test
        void aTaskIsNamed() {
            Ran ran = Cli.run("tasks", "get");
            assertThat(ran.status()).isEqualTo(64);
            assertThat(ran.err()).contains("ID");
        }

        @Test
        void aMissingFileOfArgumentsIsNamed() {
            failed(
                    Cli.run("tools", "call", "x", "--args", "@/no/such/file", "http://h/mcp"),
                    64,
                    "--args: no such file: /no/such/file");
        }

        @Test
        void aMissingServerIsReportedWithItsSyntax() {
            failed(
                    Cli.run("tools", "list"),
                    64,
                    "no server given; give its URL, or -- and the command that starts it");
            failed(
                    Cli.run("tools", "list", "--"),
                    64,
                    "no server given; give its URL, or -- and the command that starts it");
        }

        @Test
        void twoServersAreOneTooMany() {
            failed(
                    Cli.run("ping", "http://127.0.0.1:9/mcp", "--", "true"),
                    64,
                    "give either TARGET or a command after --, not both");
        }

        @Test
        void aWrongUrlIsRefused() {
            Ran ran = Cli.run("ping", "--json", "ftp://127.0.0.1/mcp");
            assertThat(message(ran)).contains("http");
            assertThat(ran.status()).isEqualTo(64);
        }

        @Test
        void aWrongTimeoutIsRefused() {
            for (String wrong : List.of("soon", "1.5", "99999999999999999999")) {
                failed(
                        Cli.run("ping", "--timeout", wrong, "http://h/mcp"),
                        64,
                        "invalid value for option '--timeout': '"
                                + wrong
                                + "' is not a whole number in range; fairlead ping --help lists its"
                                + " options");
            }
            failed(
                    Cli.run("ping", "--timeout", "0", "http://h/mcp"),
                    64,
                    "--timeout must be at least 1 but was 0");
        }

        @Test
        void aTimeoutThatClocksCannotHoldIsRefused() {
            String max = Long.toString(Long.MAX_VALUE);
            String message = "--timeout must be at most 2073600000 (24 days) but was " + max;
            failed(Cli.run("ping", "--timeout", max, "http://h/mcp"), 64, message);
            assertThat(Cli.run("ping", "--timeout", "2073600000", "http://127.0.0.1:1/").status())
                    .isEqualTo(3);
        }

        @Test
        void aTransportThatDoesNotFitIsRefused() {
            assertThat(Cli.run("ping", "--transport", "stdio", "http://h/mcp").status())
                    .isEqualTo(64);
            failed(
                    Cli.run("ping", "--transport", "carrier-pigeon", "http://h/mcp"),
                    64,
                    "--transport must be stdio, http or sse but was carrier-pigeon");
        }

        @Test
        void aRootThatIsNoFileUriIsRefused() {
            failed(
                    Cli.run("ping", "--root", "http://example.com/", "http://h/mcp"),
                    64,
                    "--root: uri must begin with file:// but was http://example.com/");
        }

        @Test
        void answersThatAreNoJsonAreRefused() {
            Ran ran = Cli.run("ping", "--elicit", "yes", "http://h/mcp");
            assertThat(ran.status()).isEqualTo(64);
            assertThat(ran.err()).startsWith("fairlead: --elicit must be JSON: ");
        }

        @Test
        void aCompletionNeedsExactlyOneSubject() {
            assertThat(Cli.run("complete", "--arg", "a", "--value", "", "http://h/mcp").status())
                    .isEqualTo(64);
            assertThat(
                            Cli.run(
                                            "complete",
                                            "--prompt=a",
                                            "--template=b",
                                            "--arg=a",
                                            "--value=",
                                            "http://h/mcp")
                                    .status())
                    .isEqualTo(64);
        }
    }

    @Nested
    class NoAnswer {
        @Test
        void aClosedPortCannotBeReached() throws Exception {
            try (Socket taken = new Socket()) { // nothing listens there
                taken.bind(new InetSocketAddress("127.0.0.1", 0));
                String place = "127.0.0.1:" + taken.getLocalPort();
                Ran ran = Cli.run("tools", "list", "--json", "http://" + place + "/mcp");
                assertThat(ran.status()).isEqualTo(3);
                assertThat(message(ran)).contains(place).contains("cannot be reached");
            }
        }

        @Test
        void aServerThatIsNoneOfMcpIsNoConnection() throws Exception {
            Ran ran = Cli.run("ping", "--json", "--", "true");
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).contains("true ended with exit status 0");
        }

        @RepeatedTest(5)
        void aServerThatEndsAtOnceIsNamedWithItsExitStatus() {
            Ran ran = Cli.run("tools", "list", "--json", "--", "false");
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).contains("false ended with exit status 1");
        }

        @Test
        void aProgramThatIsNotThereIsNamed() {
            Ran ran = Cli.run("ping", "--json", "--", "fairlead-no-such-program");
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).contains("fairlead-no-such-program");
        }

        @Test
        void aServerThatNeverAnswersIsGivenUp() {
            Ran ran =
                    Cli.runUntilReached(
                            reached -> reached.out().contains("tools/call"),
                            timeout ->
                                    Cli.on(
                                            "silent",
                                            "tools",
                                            "call",
                                            "x",
                                            "--json",
                                            "--timeout",
                                            Integer.toString(timeout)));
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).contains("tools/call");
        }

        @Test
        void aServerThatNeverSaysHelloIsGivenUp() {
            Ran ran = Cli.run(Cli.on("mute", "ping", "--json", "--timeout", "500"));
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).isNotBlank();
        }

        @Test
        void aServerThatDiesDuringACallIsNamedWithItsExitStatus() {
            Ran ran = Cli.run(Cli.on("dies", "tools", "call", "x", "--json"));
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).contains("ended with exit status 7");
        }

        @Test
        @Requirement("PAGE-007")
        void aCursorThatComesAgainEndsTheList() {
            try (Logged log = new Logged("dev.fairlead.cli", Level.WARNING)) {
                Ran ran = Cli.run(Cli.on("circle", "tools", "list", "--json"));
                assertThat(ran.status()).isZero();
                assertThat(ran.out()).isEqualToIgnoringWhitespace("{\"tools\":[]}");
                assertThat(log.lines())
                        .containsExactly(
                                "WARNING The server: tools/list repeats a cursor, which ends the"
                                        + " list");
            }
        }

        @Test
        @Requirement("PAGE-007")
        void pagesThatDoNotEndAreGivenUp() {
            Ran ran = Cli.run(Cli.on("endless", "tools", "list", "--json"));
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).isEqualTo("tools/list has more than 16777216 bytes");
        }

        @Test
        void aListThatIsNoneIsSaid() {
            Ran ran = Cli.run(Cli.on("no-list", "tools", "list", "--json"));
            assertThat(ran.status()).isEqualTo(3);
            assertThat(message(ran)).isEqualTo("The result of tools/list lacks the array tools");
        }
    }

    @Nested
    class Refused {
        @Test
        void whatTheServerDoesNotOfferIsRefused() {
            Ran ran = Cli.run(Cli.on("plain", "prompts", "list", "--json"));
            String message = "prompts/list needs the capability prompts of the peer";
            assertThat(ran)
                    .isEqualTo(
                            new Ran(
                                    2,
                                    "{\"error\":{\"code\":-32601,\"message\":\""
                                            + message
                                            + "\"}}\n",
                                    "server: heard notifications/initialized\nfairlead: "
                                            + message
                                            + "\n"));
        }
    }

    @Nested
    class BehindTheAnswer {
        @TempDir Path folder;

        private Ran save(String script) {
            return Cli.run(
                    Cli.on(script, "tools", "call", "x", "--json", "--out", folder.toString()));
        }

        @Test
        void whatFailsIsOnlySaid() {
            Ran ran = save("untyped");
            assertThat(ran.out()).isEqualTo("{\"content\":[{\"text\":\"no type\"}]}\n");
            assertThat(ran.err()).contains("fairlead: --out ");
            assertThat(ran.status()).isEqualTo(3);
        }

        @Test
        void anImageThatIsNoneEndsWithStatus3BehindThoseThatWereSaved() {
            Ran ran = save("images");
            assertThat(ran.err())
                    .endsWith(
                            "Saved "
                                    + folder.resolve("image.png")
                                    + " (image/png, 3 bytes)\n"
                                    + "fairlead: --out image.gif: the server sent invalid"
                                    + " base64\n");
            assertThat(ran.status()).isEqualTo(3);
        }

        @Test
        void aToolThatFailedKeepsStatus1() {
            assertThat(save("images-failed").status()).isEqualTo(1);
        }

        @Test
        @EnabledOnOs(OS.LINUX)
        void aFolderThatTakesNoFileEndsWithStatus74() {
            Ran ran = Cli.run(Cli.on("images", "tools", "call", "x", "--out", "/proc"));
            assertThat(ran.status()).isEqualTo(74);
            assertThat(ran.err()).contains("fairlead: --out /proc/image.png");
        }
    }

    @Nested
    class Disturbances {
        @Test
        @Requirement("STDIO-004")
        void garbageOnStandardOutputOfAServerIsPassedOver() {
            Ran ran = Cli.run(Cli.on("garbage", "ping", "--json"));
            assertThat(ran.status()).isZero();
            assertThat(ran.out()).isEqualTo("{}\n");
        }

        @Test
        void anAnswerOfAHundredMegabytesIsPrinted() {
            Ran ran =
                    Cli.run(Cli.on("huge", "tools", "call", "x", "--json", "--timeout", "500000"));
            assertThat(ran.status()).isZero();
            assertThat(ran.out()).hasSizeGreaterThan(100 << 20).endsWith("x\"}]}\n");
        }
    }
}
