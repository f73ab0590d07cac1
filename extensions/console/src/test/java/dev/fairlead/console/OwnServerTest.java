package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

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
        return send(
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
