package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Caller;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** People try the server beside whose endpoint the console is. */
class OwnServerTest {
    record NoInput() {}

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final McpServer server =
            McpServer.named("harbour", "1.0")
                    .tool("who", "Names the caller", NoInput.class, String.class)
                    .handle((none, call) -> call.caller().toString())
                    .tool("stubborn", "Ignores its interrupt", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                begun.countDown();
                                try {
                                    new CountDownLatch(1).await();
                                } catch (InterruptedException e) {
                                    interrupted.countDown();
                                }
                                leave.await();
                                return "late";
                            })
                    .build();
    private final Console console = Console.local();
    private final HttpServing serving = server.serve(Http.port(0).console(console));
    private final Browser browser = new Browser(serving.uri().resolve("/console/"));

    @AfterEach
    void close() {
        leave.countDown();
        browser.close();
        server.close();
    }

    private static JsonObject event(Browser.Events events, String type) throws Exception {
        JsonObject event = events.next();
        while (!event.string("type").equals(type)) {
            event = events.next();
        }
        return event;
    }

    private JsonObject send(String page, Object... namesAndValues) throws Exception {
        JsonObject body = JsonObject.of("page", page).with(JsonObject.of(namesAndValues));
        return (JsonObject) JsonValue.parse(browser.post("workbench", body).body());
    }

    private JsonObject call(String page, String tool) throws Exception {
        return (JsonObject) JsonValue.parse(browser.post("workbench", callOf(page, tool)).body());
    }

    private static JsonObject callOf(String page, String tool) {
        return JsonObject.of(
                "page",
                page,
                "act",
                "call",
                "call",
                tool,
                "method",
                "tools/call",
                "params",
                JsonObject.of("name", tool, "arguments", JsonObject.EMPTY));
    }

    @Test
    void aPersonIsACallerLikeAnyOther() throws Exception {
        browser.logIn(console.address(serving).getFragment().substring("token=".length()));
        assertThat(browser.me().object("try").string("url")).isEqualTo(serving.uri().toString());
        try (Browser.Events events = browser.stream("workbench/events")) {
            String page = event(events, "page").string("page");
            call(page, "who");
            assertThat(event(events, "answer").toJson()).contains("anonymous");
        }
    }

    @Test
    void callsOverOtherTransportsAreWatchedToo() throws Exception {
        try (McpClient client = McpClient.connect(server.inProcess())) {
            client.callTool("who", JsonObject.EMPTY);
        }
        browser.logIn(console.address(serving).getFragment().substring("token=".length()));
        try (Browser.Events events = browser.events("view=calls&q=who")) {
            JsonObject rows = events.next("rows").object("rows");
            JsonObject row = rows.object(rows.names().iterator().next());
            assertThat(row.string("transport")).isEqualTo("memory");
            assertThat(row.string("state")).isEqualTo("completed");
        }
    }

    /** Takes the names of callers for their tokens. */
    private static final class Names implements HttpAuthorization {
        @Override
        public Decision decide(HttpExchange request) {
            String name = request.header("Authorization").orElse("").replace("Bearer ", "");
            return name.isEmpty()
                    ? Decision.Refused.unauthorized("Bearer", "No token")
                    : new Decision.Admitted(Caller.of("issuer", name, "client", Set.of("operate")));
        }

        @Override
        public String challenge(Caller caller, Set<String> required, String message) {
            return "Bearer";
        }
    }

    @Test
    void aPersonTriesAsTheCallerOfTheirToken() throws Exception {
        HttpServing guarded =
                server.serve(Http.port(0).authorization(new Names()).console(Console.forScopes()));
        try (Browser ada = new Browser(guarded.uri().resolve("/console/"))) {
            ada.logIn("ada");
            assertThat(ada.me().object("try").bool("token")).isFalse();
            try (Browser.Events events = ada.stream("workbench/events")) {
                String page = event(events, "page").string("page");
                ada.post("workbench", callOf(page, "who"));
                assertThat(event(events, "answer").toJson()).contains("ada");
            }
        }
    }

    @Test
    void aLocalPersonGivesATokenOfTheServer() throws Exception {
        Console local = Console.local();
        HttpServing guarded = server.serve(Http.port(0).authorization(new Names()).console(local));
        try (Browser person = new Browser(guarded.uri().resolve("/console/"))) {
            person.logIn(local.address(guarded).getFragment().substring("token=".length()));
            assertThat(person.me().object("try").bool("token")).isTrue();
            try (Browser.Events events = person.stream("workbench/events")) {
                String page = event(events, "page").string("page");
                assertThat(event(events, "disconnected").string("message")).contains("401");
                person.post(
                        "workbench", JsonObject.of("page", page, "act", "token", "token", "grace"));
                event(events, "connected");
                person.post("workbench", callOf(page, "who"));
                assertThat(event(events, "answer").toJson()).contains("grace");
            }
        }
    }

    @Test
    void aCancelledCallIsCancellingUntilItsHandlerEnds() throws Exception {
        browser.logIn(console.address(serving).getFragment().substring("token=".length()));
        try (Browser.Events events = browser.stream("workbench/events")) {
            String page = event(events, "page").string("page");
            call(page, "stubborn");
            begun.await();
            assertThat(send(page, "act", "cancel", "call", "stubborn").bool("done")).isTrue();
            interrupted.await();
            // the call is still under way: it can be cancelled again, which changes nothing
            assertThat(send(page, "act", "cancel", "call", "stubborn").bool("done")).isTrue();
            call(page, "who");
            assertThat(event(events, "answer").string("call")).isEqualTo("who");
            leave.countDown();
            assertThat(event(events, "cancelled").string("call")).isEqualTo("stubborn");
        }
    }
}
