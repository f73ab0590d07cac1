package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The clients of pages that try a server. */
class WorkbenchTest {
    record NoInput() {}

    record Trip(String to, int days) {}

    record Cargo(String what, int tons) {}

    private static final URI PAGE = URI.create("https://harbour.example/pay?order=4711");

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final McpServer server =
            McpServer.named("harbour", "1.0")
                    .tool("sail", "Sails", Trip.class, String.class)
                    .handle((trip, call) -> "Sailed to " + trip.to())
                    .tool("load", "Asks what to load", NoInput.class, String.class)
                    .handle(
                            (none, call) ->
                                    "Loaded "
                                            + call.elicit("What?", Cargo.class)
                                                    .orElseThrow()
                                                    .what())
                    .tool("write", "Asks the model", NoInput.class, String.class)
                    .handle((none, call) -> "Wrote " + call.sample("A poem", 50).text())
                    .tool("look", "Asks for directories", NoInput.class, String.class)
                    .handle((none, call) -> "Saw " + call.roots().getFirst().uri())
                    .tool("pay", "Asks to visit a page", NoInput.class, String.class)
                    .handle((none, call) -> call.elicitUrl("Pay", PAGE, () -> "Paid").orElseThrow())
                    .tool("wait", "Waits", NoInput.class, String.class)
                    .task(TaskSupport.OPTIONAL)
                    .handle(
                            (none, call) -> {
                                call.progress(1, 3, "begun");
                                begun.countDown();
                                try {
                                    new CountDownLatch(1).await();
                                    return "";
                                } finally {
                                    interrupted.countDown();
                                }
                            })
                    .tool("long", "Returns much", NoInput.class, String.class)
                    .handle((none, call) -> "x".repeat(3 << 20))
                    .build();
    private final HttpServing harbour;
    private ConsoleServing serving;
    private Browser browser;
    private Browser.Events events;
    private String page;

    WorkbenchTest() {
        harbour = server.serve(Http.port(0));
    }

    private void open(Revision revision) throws Exception {
        open(new TestTarget(harbour.uri(), revision));
    }

    private void open(TestTarget target) throws Exception {
        Console console = Console.local().target(target);
        serving = Http.port(0).console(console).serveConsole();
        URI address = console.address(serving);
        browser = new Browser(serving.uri());
        browser.logIn(address.getFragment().substring("token=".length()));
        events = browser.stream("workbench/events");
        page = events.next().string("page");
    }

    @AfterEach
    void close() throws Exception {
        if (events != null) {
            events.close();
        }
        browser.close();
        serving.close();
        server.close();
    }

    private JsonObject send(Object... namesAndValues) throws Exception {
        JsonObject body = JsonObject.of("page", page).with(JsonObject.of(namesAndValues));
        return (JsonObject) JsonValue.parse(browser.post("workbench", body).body());
    }

    private JsonObject call(String id, String tool, JsonObject arguments) throws Exception {
        return send(
                "act",
                "call",
                "call",
                id,
                "method",
                "tools/call",
                "params",
                JsonObject.of("name", tool, "arguments", arguments));
    }

    private JsonObject event(String type) throws Exception {
        JsonObject event = events.next();
        while (!event.string("type").equals(type)) {
            event = events.next();
        }
        return event;
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_06_18", "V2025_11_25", "V2026_07_28"})
    void aPageCallsATool(Revision revision) throws Exception {
        open(revision);
        JsonObject about = event("connected").object("about");
        assertThat(about.string("revision")).isEqualTo(revision.date());
        assertThat(about.object("server").string("name")).isEqualTo("harbour");
        assertThat(call("c1", "sail", JsonObject.of("to", "Oban", "days", 3)).toJson())
                .isEqualTo("{\"done\":true}");
        JsonObject answer = event("answer");
        assertThat(answer.string("call")).isEqualTo("c1");
        assertThat(answer.toJson()).contains("Sailed to Oban");
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void aPageSeesTheMessagesOfItsCalls(Revision revision) throws Exception {
        open(revision);
        event("connected");
        send(
                "act",
                "call",
                "call",
                "c1",
                "frames",
                true,
                "method",
                "tools/call",
                "params",
                JsonObject.of(
                        "name",
                        "sail",
                        "arguments",
                        JsonObject.of("to", "x".repeat(9_000), "days", 3),
                        "_meta",
                        JsonObject.of("example/password", "swordfish")));
        JsonObject sent = event("frame");
        assertThat(sent.string("call")).isEqualTo("c1");
        assertThat(sent.bool("sent")).isTrue();
        assertThat(sent.integer("chars")).isGreaterThan(9_000);
        assertThat(sent.string("text"))
                .contains("tools/call")
                .doesNotContain("swordfish")
                .hasSizeLessThan(5_000);
        JsonObject received = event("frame");
        assertThat(received.bool("sent")).isFalse();
        assertThat(received.string("text")).contains("Sailed to xxx");
        event("answer");
        call("c2", "sail", JsonObject.of("to", "Oban", "days", 3)); // asks for none
        assertThat(events.next().string("type")).isEqualTo("answer");
    }

    @Test
    void theServersMessagesNameTheField() throws Exception {
        open(Revision.V2025_11_25);
        call("c1", "sail", JsonObject.of("to", "Oban", "days", "three"));
        JsonObject result = event("answer").object("result");
        assertThat(result.bool("isError")).isTrue();
        assertThat(result.toJson()).contains("Invalid arguments: days must be an integer");
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_06_18", "V2026_07_28"})
    void aPersonAnswersAQuestion(Revision revision) throws Exception {
        open(revision);
        call("c1", "load", JsonObject.EMPTY);
        JsonObject question = event("question");
        assertThat(question.object("ask").string("message")).isEqualTo("What?");
        String id = question.string("question");
        JsonObject wrong =
                send(
                        "act",
                        "answer",
                        "question",
                        id,
                        "action",
                        "accept",
                        "content",
                        JsonObject.of("what", "coal", "tons", "many"));
        assertThat(wrong.bool("done")).isFalse();
        assertThat(wrong.object("errors").names()).containsExactly("tons");
        JsonObject right =
                send(
                        "act",
                        "answer",
                        "question",
                        id,
                        "action",
                        "accept",
                        "content",
                        JsonObject.of("what", "coal", "tons", 3));
        assertThat(right.bool("done")).isTrue();
        assertThat(event("question-over").string("question")).isEqualTo(id);
        assertThat(event("answer").toJson()).contains("Loaded coal");
    }

    /** Answers the next question. */
    private JsonObject answer(JsonObject answer) throws Exception {
        JsonObject question = event("question");
        JsonObject sent =
                JsonObject.of("act", "answer", "question", question.string("question"))
                        .with(answer);
        JsonObject body = JsonObject.of("page", page).with(sent);
        assertThat(browser.post("workbench", body).body()).isEqualTo("{\"done\":true}");
        return question.object("ask");
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void aPersonAnswersAsTheModel(Revision revision) throws Exception {
        open(revision);
        call("c1", "write", JsonObject.EMPTY);
        JsonObject asked = answer(JsonObject.of("action", "accept", "text", "The tide turns"));
        assertThat(asked.object("request").toJson()).contains("A poem");
        assertThat(event("answer").toJson()).contains("Wrote The tide turns");
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void aPersonNamesDirectories(Revision revision) throws Exception {
        open(revision);
        call("c1", "look", JsonObject.EMPTY);
        answer(JsonObject.of("action", "accept", "roots", JsonArray.of("file:///srv/harbour")));
        assertThat(event("answer").toJson()).contains("Saw file:///srv/harbour");
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void aPersonSeesTheWholeUrlOfAPageToVisit(Revision revision) throws Exception {
        open(revision);
        call("c1", "pay", JsonObject.EMPTY);
        JsonObject asked = answer(JsonObject.of("action", "accept"));
        assertThat(asked.string("url")).isEqualTo(PAGE.toString());
        assertThat(asked.string("host")).isEqualTo("harbour.example");
        assertThat(event("answer").toJson()).contains("Paid");
    }

    @Test
    void aPersonDeclines() throws Exception {
        open(Revision.V2025_11_25);
        call("c1", "pay", JsonObject.EMPTY);
        answer(JsonObject.of("action", "decline"));
        assertThat(event("answer").toJson()).contains("declined");
    }

    @Test
    void aCancelledCallEndsAsCancelled() throws Exception {
        open(Revision.V2025_11_25);
        call("c1", "wait", JsonObject.EMPTY);
        assertThat(event("progress").string("message")).isEqualTo("begun");
        assertThat(send("act", "cancel", "call", "c1").bool("done")).isTrue();
        assertThat(event("cancelled").string("call")).isEqualTo("c1");
        interrupted.await();
        assertThat(send("act", "cancel", "call", "c1").bool("done")).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void aCancelledTaskEndsAsCancelled(Revision revision) throws Exception {
        open(revision);
        JsonObject params = JsonObject.of("name", "wait", "arguments", JsonObject.EMPTY);
        send("act", "call", "call", "c1", "method", "tools/call", "params", params, "task", true);
        assertThat(event("task").string("call")).isEqualTo("c1");
        begun.await();
        assertThat(send("act", "cancel", "call", "c1").bool("done")).isTrue();
        assertThat(event("cancelled").string("call")).isEqualTo("c1");
        interrupted.await();
    }

    @Test
    void aLongResultIsCut() throws Exception {
        open(Revision.V2025_11_25);
        call("c1", "long", JsonObject.EMPTY);
        JsonObject answer = event("answer");
        assertThat(answer.integer("cut")).isEqualTo(2048);
        assertThat(answer.toJson().length()).isBetween(2_000_000, 2_200_000);
    }

    @Test
    void aServerThatIsAwayCostsAMessage() throws Exception {
        harbour.close();
        open(Revision.V2025_11_25);
        assertThat(event("disconnected").string("message")).contains(harbour.uri().toString());
        call("c1", "sail", JsonObject.EMPTY);
        assertThat(event("failed").string("call")).isEqualTo("c1");
    }

    @Test
    void aPersonCancelsAConnectionThatDoesNotCome() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/mcp");
            open(new TestTarget(url, Revision.V2025_11_25));
            event("connecting");
            assertThat(send("act", "disconnect").bool("done")).isTrue();
            assertThat(event("disconnected").string("message")).contains("cancelled");
            send("act", "connect");
            event("connecting");
        }
    }

    @Test
    void aPageThatLeavesEndsItsCalls() throws Exception {
        open(Revision.V2025_11_25);
        call("c1", "wait", JsonObject.EMPTY);
        begun.await();
        serving.close();
        interrupted.await();
    }

    @Test
    void otherRequestsAndPagesAreRefused() throws Exception {
        open(Revision.V2025_11_25);
        assertThat(
                        send("act", "call", "call", "c1", "method", "logging/setLevel")
                                .string("message"))
                .isEqualTo("The page may not send logging/setLevel");
        String own = page;
        page = "another";
        assertThat(call("c1", "sail", JsonObject.EMPTY).string("message"))
                .startsWith("This page is not connected any more");
        page = own;
        browser.headers.put("Origin", "http://127.0.0.1:1");
        HttpResponse<String> other =
                browser.post("workbench", JsonObject.of("page", page, "act", "call"));
        assertThat(other.statusCode()).isEqualTo(403);
        browser.asPage();
        browser.headers.remove("Cookie");
        assertThat(browser.get("workbench/events").statusCode()).isEqualTo(401);
    }

    @Test
    void aSeventeenthPageDoesNotTry() throws Exception {
        open(Revision.V2025_11_25);
        List<Browser.Events> open = new ArrayList<>();
        try {
            for (int i = 1; i < 16; i++) {
                open.add(browser.stream("workbench/events"));
                assertThat(open.getLast().status()).isEqualTo(200);
            }
            assertThat(browser.get("workbench/events").statusCode()).isEqualTo(503);
        } finally {
            for (Browser.Events one : open) {
                one.close();
            }
        }
    }
}
