package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;

/** The access to the console, and the stream of a view. */
class ConsoleTest {
    private final Console console = Console.local();
    private final McpServer server = McpServer.named("harbour", "1.0").build();
    private HttpServing serving;
    private Browser browser;

    @BeforeEach
    void serve() {
        serving = server.serve(Http.port(0).console(console));
        browser = new Browser(serving.uri().resolve("/console/"));
    }

    @AfterEach
    void close() {
        browser.close();
        server.close();
    }

    private String token() {
        return console.address(serving).getFragment().substring("token=".length());
    }

    /** Opens a session; no other when that is ended. */
    private McpClient client(String name) throws InterruptedException {
        return McpClient.named(name, "2.1")
                .revisions(Revision.V2025_06_18, Revision.V2025_11_25)
                .connect(Http.to(serving.uri()).listening(false));
    }

    @Test
    void withoutItsPathsAreUnknown() throws Exception {
        HttpServing without = server.serve(Http.port(0));
        try (Browser other = new Browser(without.uri().resolve("/console/"))) {
            HttpResponse<String> unknown = other.get("/nothing");
            for (String path : console.paths()) {
                HttpResponse<String> answer = other.get(path);
                assertThat(answer.statusCode()).isEqualTo(404).isEqualTo(unknown.statusCode());
                assertThat(answer.body()).isEqualTo(unknown.body());
                assertThat(answer.headers().map().keySet())
                        .isEqualTo(unknown.headers().map().keySet());
            }
        }
    }

    @Test
    void fromAnotherMachineItsPathsAreUnknown() throws Exception {
        Console hidden = Console.local();
        HttpServing behind = server.serve(Http.port(0).trustProxies("127.0.0.1").console(hidden));
        try (Browser other = new Browser(behind.uri().resolve("/console/"))) {
            other.headers.put("X-Forwarded-For", "203.0.113.9");
            int unknown = other.get("/nothing").statusCode();
            assertThat(hidden.paths())
                    .allSatisfy(
                            path -> assertThat(other.get(path).statusCode()).isEqualTo(unknown));
        }
    }

    @Test
    void filesNeedNoLoginAndHaveThePolicy() throws Exception {
        for (String path : console.paths()) {
            if (path.endsWith("/") || (path.contains(".") && !path.endsWith("sandbox.html"))) {
                HttpResponse<String> answer = browser.get(path);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().firstValue("Content-Security-Policy"))
                        .hasValueSatisfying(
                                policy ->
                                        assertThat(policy)
                                                .startsWith(
                                                        "default-src 'none'; script-src 'self';")
                                                .contains("frame-ancestors 'none'")
                                                .doesNotContain("unsafe"));
                assertThat(answer.body()).doesNotContain(token());
            }
        }
        assertThat(browser.get("/console").headers().firstValue("Location")).hasValue("/console/");
    }

    @Test
    void pagesOfServersHaveAnOriginOfTheirOwnAndNoNetwork() throws Exception {
        assertThat(browser.get("sandbox.html").headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(
                        policy ->
                                assertThat(policy)
                                        .startsWith("sandbox allow-scripts; default-src 'none';")
                                        .contains("frame-ancestors 'self'")
                                        .doesNotContain("connect-src", "allow-same-origin"));
    }

    @Test
    void aFileThatTheBrowserHasIsNotSentAgain() throws Exception {
        HttpResponse<String> first = browser.get("app.js");
        browser.headers.put("If-None-Match", first.headers().firstValue("ETag").orElseThrow());
        assertThat(browser.get("app.js").statusCode()).isEqualTo(304);
    }

    @Test
    void withoutALoginNothingIsShownOrDone() throws Exception {
        assertThat(browser.get("me").statusCode()).isEqualTo(401);
        assertThat(browser.get("me").body()).doesNotContain("harbour");
        assertThat(browser.get("events?view=sessions").statusCode()).isEqualTo(401);
        assertThat(browser.asPage().post("act", JsonObject.of("act", "end-session")).statusCode())
                .isEqualTo(401);
    }

    @Test
    void aWrongTokenGivesNoLogin() throws Exception {
        browser.asPage();
        for (String wrong : List.of("", token().substring(1), token() + "x", "ü")) {
            HttpResponse<String> answer = browser.post("login", JsonObject.of("token", wrong));
            assertThat(answer.statusCode()).isEqualTo(401);
            assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    @Test
    void theCookieIsForTheConsoleAlone() throws Exception {
        HttpResponse<String> answer =
                browser.asPage().post("login", JsonObject.of("token", token()));
        assertThat(answer.headers().firstValue("Set-Cookie"))
                .hasValueSatisfying(
                        cookie ->
                                assertThat(cookie)
                                        .startsWith("fairlead-console-" + serving.port() + "=")
                                        .endsWith("; Path=/console/; HttpOnly; SameSite=Strict")
                                        .doesNotContain(token()));
    }

    @Test
    void anotherPageOfThisMachineCanDoNothing() throws Exception {
        browser.logIn(token());
        try (McpClient client = client("ferry")) {
            client.ping();
            JsonObject end = JsonObject.of("act", "end-session", "of", sessionOf("ferry"));
            browser.headers.put("Origin", "http://127.0.0.1:1");
            assertThat(browser.post("act", end).statusCode()).isEqualTo(403);
            assertThat(browser.post("login", JsonObject.of("token", token())).statusCode())
                    .isEqualTo(403);
            browser.headers.remove("Origin");
            assertThat(browser.post("act", end).statusCode()).isEqualTo(403);
            browser.asPage().headers.put("Content-Type", "text/plain");
            assertThat(browser.post("act", end).statusCode()).isEqualTo(403);
            browser.asPage().headers.remove("X-Console-Token");
            assertThat(browser.post("act", end).statusCode()).isEqualTo(401);
            assertThat(serving.sessions()).isEqualTo(1);
        }
    }

    /** Another server of this machine receives the cookie, and is no browser. */
    @Test
    void theCookieAloneWatchesAndDoesNotAct() throws Exception {
        String secret = browser.logIn(token()).headers.get("X-Console-Token");
        assertThat(browser.get("me").body()).contains("operates").doesNotContain(secret);
        browser.headers.remove("X-Console-Token");
        assertThat(browser.get("me").statusCode()).isEqualTo(401);
        assertThat(browser.get("me").body()).doesNotContain(secret);
        assertThat(browser.post("act", JsonObject.of("act", "end-session")).statusCode())
                .isEqualTo(401);
        try (Browser.Events events = browser.events("view=sessions")) {
            assertThat(events.status()).isEqualTo(200);
            assertThat(events.next().toJson()).doesNotContain(secret);
        }
    }

    @Test
    void aForeignHostOrOriginIsRefused() throws Exception {
        browser.headers.put("Origin", "https://evil.example");
        assertThat(browser.get("").statusCode()).isEqualTo(403);
        assertThat(browser.get("me").statusCode()).isEqualTo(403);
    }

    @Test
    void theStreamSendsAViewAndThenItsDifferences() throws Exception {
        browser.logIn(token());
        try (Browser.Events events = browser.events("view=sessions");
                McpClient client = client("ferry")) {
            assertThat(events.status()).isEqualTo(200);
            JsonObject first = events.next();
            assertThat(first.names()).contains("head", "summary", "total", "now");
            client.ping();
            JsonObject row =
                    (JsonObject)
                            ((JsonObject) events.next("rows").get("rows"))
                                    .members()
                                    .values()
                                    .iterator()
                                    .next();
            assertThat(row.string("client")).isEqualTo("ferry");
            assertThat(row.string("version")).isEqualTo("2.1");
            assertThat(row.string("revision")).isEqualTo("2025-11-25");
            assertThat(row.string("address")).isEqualTo("127.0.0.1");
        }
    }

    private String sessionOf(String client) throws Exception {
        try (Browser.Events events = browser.events("view=sessions&q=" + client)) {
            JsonObject rows = (JsonObject) events.next("rows").get("rows");
            return rows.names().iterator().next();
        }
    }

    @Test
    void aPersonEndsASession() throws Exception {
        browser.logIn(token());
        try (McpClient client = client("ferry")) {
            client.ping();
            String name = sessionOf("ferry");
            JsonObject end = JsonObject.of("act", "end-session", "of", name);
            assertThat(browser.post("act", end).body()).isEqualTo("{\"done\":true}");
            assertThat(browser.post("act", end).body()).isEqualTo("{\"done\":false}");
            assertThat(serving.sessions()).isZero();
        }
    }

    @Test
    void afterALogoutNothingIsShown() throws Exception {
        browser.logIn(token());
        assertThat(browser.post("logout", JsonObject.EMPTY).statusCode()).isEqualTo(204);
        assertThat(browser.get("me").statusCode()).isEqualTo(401);
    }

    @Test
    void aSeventeenthPageDoesNotWatch() throws Exception {
        browser.logIn(token());
        List<Browser.Events> open = new java.util.ArrayList<>();
        try {
            for (int i = 0; i < 16; i++) {
                open.add(browser.events("view=sessions"));
                assertThat(open.getLast().status()).isEqualTo(200);
            }
            assertThat(browser.get("events?view=sessions").statusCode()).isEqualTo(503);
        } finally {
            for (Browser.Events events : open) {
                events.close();
            }
        }
    }

    @Test
    void theServerEndsItsStreams() throws Exception {
        browser.logIn(token());
        try (Browser.Events events = browser.events("view=sessions")) {
            events.next();
            serving.close();
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    events.next();
                                }
                            })
                    .isInstanceOf(java.io.IOException.class);
        }
    }

    @Test
    void aConsoleAloneNeedsNoServer() throws Exception {
        Console alone = Console.local().path("/look/");
        try (ConsoleServing port = Http.port(0).console(alone).serveConsole()) {
            URI address = alone.address(port);
            assertThat(address.getPath()).isEqualTo("/look/");
            try (Browser other = new Browser(port.uri())) {
                assertThat(other.get("").statusCode()).isEqualTo(200);
                other.logIn(address.getFragment().substring("token=".length()));
                assertThat(other.me().has("watch")).isFalse();
                assertThat(other.get("events?view=sessions").statusCode()).isEqualTo(404);
            }
        }
    }

    @Test
    void aStreamOfASessionIsShown() throws Exception {
        try (McpClient client =
                McpClient.named("ferry", "1")
                        .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                        .connect(Http.to(serving.uri()))) {
            client.ping();
            browser.logIn(token());
            try (Browser.Events events = browser.events("view=streams")) {
                JsonObject rows = events.next("rows").object("rows");
                JsonObject row = rows.object(rows.names().iterator().next());
                assertThat(row.string("client")).isEqualTo("ferry");
                assertThat(row.string("kind")).isEqualTo("GET");
                assertThat(row.bool("resumable")).isTrue();
                assertThat(row.integer("waiting")).isZero();
            }
        }
    }

    @Test
    void scopesNeedAnAuthorization() {
        assertThatThrownBy(() -> server.serve(Http.port(0).console(Console.forScopes())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HttpOptions.authorization");
    }

    @Test
    void thePathHasASlashAtBothEnds() {
        for (String wrong : List.of("", "/", "console", "/console", "/a//b/", "/a?/")) {
            assertThatThrownBy(() -> console.path(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void noTextOfItContainsTheToken() {
        assertThat(console.toString()).doesNotContain(token());
        assertThat(serving.description().toString()).doesNotContain(token());
    }
}
