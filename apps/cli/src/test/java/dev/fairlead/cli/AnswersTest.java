package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The output for scripts with a real server: exactly one JSON document, and the status. */
@Timeout(600)
class AnswersTest {
    private static LocalShowcase server;

    @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException {
        server = new LocalShowcase();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Runs with {@code --json}; nothing else may be said. */
    private static Ran run(String... typed) {
        List<String> all = new ArrayList<>(List.of(typed));
        all.add("--json");
        all.add(server.url());
        Ran ran = Cli.run(all.toArray(String[]::new));
        assertThat(ran.out()).endsWith("}\n").doesNotContain("\n{");
        return ran;
    }

    /** The same command in the newest revision with sessions. */
    private static String[] old(String... typed) {
        return Stream.concat(Stream.of(typed), Stream.of("--revision", "2025-11-25"))
                .toArray(String[]::new);
    }

    private static final String CACHED = ",\"ttlMs\":0,\"cacheScope\":\"private\"";

    /** A result of revision 2026-07-28 with these members. */
    private static String completed(String members) {
        return "{\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"
                + "{\"name\":\"fairlead-showcase\",\"version\":\"0.1.0\",\"title\":\"Fairlead"
                + " showcase\"}},"
                + members
                + "}";
    }

    private static String answer(String... typed) {
        Ran ran = run(typed);
        assertThat(ran).extracting(Ran::status, Ran::err).containsExactly(0, "");
        return ran.out().strip();
    }

    private static JsonObject object(String... typed) {
        return (JsonObject) JsonValue.parse(answer(typed));
    }

    private static String text(String... typed) {
        JsonArray content = object(typed).array("content");
        return ((JsonObject) content.elements().getFirst()).string("text");
    }

    @Test
    void aPingIsAnEmptyObject() {
        assertThat(answer("ping")).isEqualTo("{}");
    }

    @Test
    void aServerOfTheOldTransportAnswersAskedForOrNot() {
        Ran asked =
                Cli.run(
                        "ping",
                        "--json",
                        "--transport",
                        "sse",
                        server.url().replaceFirst("/mcp$", "/sse"));
        Ran found = Cli.run("ping", "--json", server.url().replaceFirst("/mcp$", "/sse"));

        assertThat(asked).isEqualTo(new Ran(0, "{}\n", ""));
        assertThat(found).isEqualTo(new Ran(0, "{}\n", ""));
    }

    @Test
    void aServerThatLacksTheOldTransportIsNoConnection() {
        Ran ran = Cli.run("ping", "--json", "--transport", "sse", server.url());

        assertThat(ran.status()).isEqualTo(3);
        assertThat(ran.out() + ran.err()).contains("offers no HTTP+SSE");
    }

    @Test
    void listsHaveTheItemsOfAllPages() {
        JsonObject resources = object("resources", "list", "--revision", "2025-11-25");
        assertThat(resources.names()).containsExactly("resources");
        JsonObject later = object("resources", "list");
        assertThat(later.names())
                .containsExactlyInAnyOrder(
                        "resources", "resultType", "_meta", "ttlMs", "cacheScope");
        assertThat(later.array("resources")).isEqualTo(resources.array("resources"));
        assertThat(resources.array("resources").elements())
                .hasSizeGreaterThan(60)
                .extracting(resource -> ((JsonObject) resource).string("uri"))
                .contains("interop://page/000", "interop://page/059");
    }

    @Test
    void everyGroupLists() {
        assertThat(object("tools", "list").array("tools").elements()).isNotEmpty();
        assertThat(object("prompts", "list").array("prompts").elements()).isNotEmpty();
        assertThat(object("resources", "templates").array("resourceTemplates").elements())
                .isNotEmpty();
    }

    @Test
    void noMemberOfAnItemAndNoDigitIsLost() {
        Ran ran = Cli.run(Cli.on("plain", "tools", "list", "--json"));
        assertThat(ran.status()).isZero();
        assertThat(ran.out())
                .isEqualTo(
                        "{\"tools\":["
                                + ScriptedStdioServer.ODD_TOOL
                                + ",{\"name\":\"second\",\"inputSchema\":{}}],"
                                + "\"_meta\":{\"a\":1},\"x-last\":true}\n");
    }

    @Test
    void aCursorThatIsNullIsNone() {
        assertThat(Cli.run(Cli.on("null-cursor", "tools", "list", "--json")).out())
                .isEqualTo("{\"tools\":[]}\n");
    }

    @Test
    void everyLogMessageOfACallIsShown() {
        assertThat(logged("logs")).contains("step 1\n", "step 2\n").endsWith("info: step 100\n");
    }

    @Test
    void everyLogMessageOfACallThatIsRefusedIsShown() {
        assertThat(logged("refuses")).endsWith("info: step 100\nfairlead: No. (-32000)\n");
    }

    /** The log without the line of the program itself, which may come at any time. */
    private static String logged(String script) {
        String err =
                Cli.run(Cli.on(script, "tools", "call", "x", "--json"))
                        .err()
                        .replace("server: heard notifications/initialized\n", "");
        assertThat(err.lines().filter(line -> line.startsWith("info: step ")))
                .hasSize(ScriptedStdioServer.LOGS);
        return err;
    }

    @Test
    void aFormGetsThoseMembersOfTheAnswerThatItAsksFor() {
        Ran ran =
                Cli.run(
                        Cli.on(
                                "asks",
                                "tools",
                                "call",
                                "x",
                                "--elicit",
                                "{\"price\":\"12\",\"of another form\":1}"));
        assertThat(ran.out())
                .contains("\"result\":{\"action\":\"accept\",\"content\":{\"price\":\"12\"}}");
    }

    @Test
    void resourcesAreRead() {
        String contents =
                "\"contents\":[{\"uri\":\"test://static-text\",\"mimeType\":"
                        + "\"text/plain\",\"text\":\"This is the content of the static text"
                        + " resource.\"}]";
        String[] read = {"resources", "read", "test://static-text"};
        assertThat(answer(old(read))).isEqualTo("{" + contents + "}");
        assertThat(answer(read)).isEqualTo(completed(contents + CACHED));
    }

    @Test
    void promptsAreFilledIn() {
        assertThat(answer("prompts", "get", "interop_prompt", "--args", "{\"lang\":\"java\"}"))
                .contains("Say something nice about java");
    }

    @Test
    void argumentsOfPromptsThatAreNoTextsBecomeTexts() {
        String args = "{\"arg1\": 1.50, \"arg2\": true, \"arg3\": null}";
        assertThat(answer("prompts", "get", "test_prompt_with_arguments", "--args", args))
                .contains("1.50", "true");
    }

    @Test
    void argumentsAreCompleted() {
        String completion =
                "\"completion\":{\"values\":[\"python\",\"perl\",\"php\"],\"total\":3,"
                        + "\"hasMore\":false}";
        String[] typed = {"complete", "--prompt", "interop_prompt", "--arg", "lang", "--value=p"};
        assertThat(answer(old(typed))).isEqualTo("{" + completion + "}");
        assertThat(answer(typed)).isEqualTo(completed(completion));
        assertThat(
                        object(
                                        "complete",
                                        "--template",
                                        "interop://items/{id}",
                                        "--arg",
                                        "id",
                                        "--value",
                                        "")
                                .object("completion")
                                .integer("total"))
                .isEqualTo(150);
    }

    @Test
    void toolsAreCalled() {
        assertThat(text("tools", "call", "interop_echo", "--args", "{\"text\": \"hé 日本 \\u001b\"}"))
                .isEqualTo("hé 日本 \u001b");
    }

    @Test
    void argumentsAreWordsThatTheSchemaTypes() {
        assertThat(text("tools", "call", "interop_echo", "text=12")).isEqualTo("12");
        assertThat(text("tools", "call", "interop_slow", "ms=1", "steps:=2")).isEqualTo("slept 1");
        assertThat(text("tools", "call", "interop_echo", "--args", "{\"text\": \"a\"}", "text=b"))
                .isEqualTo("b");
        Ran ran = Cli.run("tools", "call", "interop_slow", "ms=soon", server.url());
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err()).isEqualTo("fairlead: ms must be integer but was soon\n");
        Ran two = Cli.run("tools", "call", "x", "elsewhere", "a=b", server.url());
        assertThat(two.status()).isEqualTo(64);
        assertThat(two.err())
                .isEqualTo(
                        "fairlead: unexpected argument '"
                                + server.url()
                                + "': the server is elsewhere already, and arguments"
                                + " have the form KEY=VALUE\n");
    }

    @Test
    void argumentsComeFromAFileOrFromStandardInput() throws IOException {
        Path file = folder.resolve("arguments.json");
        Files.writeString(file, "{\"text\": \"from a file\"}\n");
        assertThat(text("tools", "call", "interop_echo", "--args", "@" + file))
                .isEqualTo("from a file");
        Ran ran =
                Cli.runWithInput(
                        "{\"text\": \"from input\"}",
                        "tools",
                        "call",
                        "interop_echo",
                        "--args",
                        "-",
                        "--json",
                        server.url());
        assertThat(ran.out()).contains("from input");
    }

    @Test
    void aToolThatFailsIsPrintedAndEndsWithStatus1() {
        String failure =
                "\"content\":[{\"type\":\"text\",\"text\":\"This tool intentionally"
                        + " returns an error for testing\"}],\"isError\":true";
        String[] typed = {"tools", "call", "test_error_handling"};
        assertThat(run(old(typed))).isEqualTo(new Ran(1, "{" + failure + "}\n", ""));
        assertThat(run(typed)).isEqualTo(new Ran(1, completed(failure) + "\n", ""));
    }

    @Test
    void anErrorIsPrintedAndEndsWithStatus2() {
        Ran ran = run("tools", "call", "nope");
        assertThat(ran.status()).isEqualTo(2);
        assertThat(ran.out())
                .isEqualTo("{\"error\":{\"code\":-32602,\"message\":\"Unknown tool: nope\"}}\n");
        assertThat(ran.err()).isEqualTo("fairlead: Unknown tool: nope (-32602)\n");
    }

    @Test
    void aCallThatTakesLongerThanAllowedEndsWithStatus3() {
        Ran ran =
                run(
                        "tools",
                        "call",
                        "interop_slow",
                        "--args",
                        "{\"ms\":60000}",
                        "--timeout",
                        "500");
        assertThat(ran.status()).isEqualTo(3);
    }

    @Test
    void progressDoesNotExtendALimitThatWasSet() {
        String args = "{\"ms\":60000,\"steps\":600}";
        Ran ran = run("tools", "call", "interop_slow", "--args", args, "--timeout", "1000");
        assertThat(ran.status()).isEqualTo(3);
    }

    @Test
    void formsAreDeclinedUnlessAnAnswerWasGiven() {
        String args = "{\"message\":\"Who?\"}";
        assertDeclined("form", run("tools", "call", "test_elicitation", "--args", args));
        assertThat(
                        text(
                                "tools",
                                "call",
                                "test_elicitation",
                                "--args",
                                args,
                                "--elicit",
                                "{\"username\":\"ada\",\"email\":\"ada@example.com\"}"))
                .contains("accept", "ada@example.com");
    }

    @Test
    @Requirement("ELIC-047")
    void pagesAreDeclinedUnlessConsentWasGiven() {
        assertDeclined("page", run("tools", "call", "interop_elicit_url"));
        assertThat(text("tools", "call", "interop_elicit_url", "--elicit", "{}"))
                .isEqualTo("action=accept");
    }

    private static void assertDeclined(String what, Ran ran) {
        assertThat(ran.status()).isZero();
        assertThat(ran.out()).contains("decline");
        assertThat(ran.err()).startsWith("fairlead: the server asked ").contains(what, "declined");
    }

    @Test
    void samplingIsOfferedOnlyWithAnAnswer() {
        String args = "{\"prompt\":\"Hello?\"}";
        String[] typed = {"tools", "call", "test_sampling", "--args", args};
        assertThat(run(old(typed)).status()).isEqualTo(1);
        Ran refused = run(typed);
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.out()).startsWith("{\"error\":{\"code\":-32021,");
        assertThat(text("tools", "call", "test_sampling", "--args", args, "--sample", "Hi."))
                .isEqualTo("LLM response: Hi.");
    }

    @Test
    void rootsAreOfferedWhenGiven() {
        assertThat(run(old("tools", "call", "interop_roots")).status()).isEqualTo(1);
        assertThat(run("tools", "call", "interop_roots").out())
                .startsWith("{\"error\":{\"code\":-32021,");
        assertThat(
                        text(
                                "tools",
                                "call",
                                "interop_roots",
                                "--root",
                                "file:///a",
                                "--root",
                                "file:///b"))
                .isEqualTo("[\"file:///a\",\"file:///b\"]");
    }

    @Test
    void theArgumentsOfTheServerAreItsOwn() {
        List<String> command = new ArrayList<>(List.of("ping", "--json", "--"));
        command.addAll(
                LocalProgram.command(
                        (arguments, in, out, err) -> {
                            err.println("arguments " + arguments);
                            return LocalShowcase.serve(in, out);
                        }));
        command.addAll(List.of("--stdio", "--json=no"));
        Ran ran = Cli.run(command.toArray(String[]::new));
        assertThat(ran).isEqualTo(new Ran(0, "{}\n", "server: arguments [--stdio, --json=no]\n"));
    }
}
