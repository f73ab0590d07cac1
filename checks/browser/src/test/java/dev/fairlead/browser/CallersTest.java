package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.Console;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.FreePort;

import org.junit.jupiter.api.Test;

import java.net.URI;
import java.util.Set;

/** People with different scopes, and a server that is started again under its page. */
class CallersTest extends BrowserTest {
    private static final String TOKEN = "a-token-of-twenty-characters";

    private static McpServer office() {
        return McpServer.named("office", "1")
                .tool("who", "Names the caller", NoInput.class, String.class)
                .handle((none, call) -> call.caller().subject())
                .tool("ledger", "The ledger of Ann", NoInput.class, String.class)
                .visibleTo(caller -> caller.subject().equals("ann"))
                .handle((none, call) -> "12 crowns")
                .build();
    }

    /** A token is the name of its caller; Ann and Ben operate, Wim watches, others do neither. */
    private static final class Names implements HttpAuthorization {
        @Override
        public Decision decide(HttpExchange request) {
            String name = request.header("Authorization").orElse("").replace("Bearer ", "");
            Set<String> scopes =
                    switch (name) {
                        case "ann", "ben" -> Set.of("operate");
                        case "wim" -> Set.of("watch");
                        default -> Set.of();
                    };
            return name.isEmpty()
                    ? Decision.Refused.unauthorized("Bearer", "No token")
                    : new Decision.Admitted(Caller.of("issuer", name, "client", scopes));
        }

        @Override
        public String challenge(Caller caller, Set<String> required, String message) {
            return "Bearer";
        }
    }

    private static void logIn(Page page, String name) {
        page.locator("#token").fill(name);
        page.keyboard().press("Enter");
    }

    @Test
    void eachPersonSeesWhatTheyMay() {
        try (McpServer server = office();
                ConsolePage ann = new ConsolePage(chromium, ConsolePage.Screen.WIDE);
                ConsolePage ben = new ConsolePage(chromium, ConsolePage.Screen.WIDE);
                ConsolePage wim = new ConsolePage(chromium, ConsolePage.Screen.WIDE);
                ConsolePage eve = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            HttpServing serving =
                    server.serve(
                            Http.port(0).authorization(new Names()).console(Console.forScopes()));
            URI address = serving.uri().resolve("/console/");
            ann.open(address, page -> tries(page, "ann", "who", "ledger"));
            ben.open(address, page -> tries(page, "ben", "who"));
            wim.open(
                    address,
                    page -> {
                        logIn(page, "wim");
                        page.locator("nav a[href='#/calls']").click();
                        ConsolePage.row(page, "ann"); // the calls of all people
                        ConsolePage.row(page, "ben");
                        assertThat(page.locator("nav").innerText())
                                .contains("Sessions", "Calls")
                                .doesNotContain("Try");
                        assertThat(page.locator("tbody button").count()).isZero();
                    });
            eve.open(
                    address,
                    page -> {
                        logIn(page, "eve");
                        page.getByText("This token gives no access").waitFor();
                        Accessibility.checkOnEachScreen(page, "login-scopes");
                        assertThat(page.locator("nav").count()).isZero();
                    });
        }
    }

    private static void tries(Page page, String name, String... tools) {
        logIn(page, name);
        page.locator("nav a[href='#/try']").click();
        page.locator(".things li").first().waitFor();
        assertThat(page.locator(".things strong").allInnerTexts()).containsExactly(tools);
        page.locator(".things button:has-text('who')").click();
        page.locator(".detail .run .primary").click();
        page.locator(".outcome pre:text-is('" + name + "')").waitFor();
    }

    @Test
    void besideAnAuthorizationTheLocalPersonEntersATokenOfTheServer() {
        Console console = Console.local();
        try (McpServer server = office();
                ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            HttpServing serving =
                    server.serve(Http.port(0).authorization(new Names()).console(console));
            person.open(
                    console.address(serving),
                    page -> {
                        page.locator("nav a[href='#/try']").click();
                        page.locator("#access").waitFor();
                        Accessibility.checkOnEachScreen(page, "try-token");
                        page.locator("#access").fill("ann");
                        page.keyboard().press("Enter");
                        page.locator(".things strong:text-is('ledger')").waitFor();
                    });
        }
    }

    @Test
    void aPageReconnectsToAServerThatStartsAgain() throws Exception {
        Console console = Console.local(TOKEN);
        McpServer first = office();
        int port = FreePort.find();
        HttpServing before = first.serve(Http.port(port).console(console));
        try (ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            person.open(
                    console.address(before),
                    page -> {
                        McpClient ferry = greet(before, "ferry");
                        ConsolePage.row(page, "ferry");
                        first.close();
                        ferry.close();
                        page.locator(".live:has-text('Stale since ')").waitFor();
                        assertThat(page.locator(".live").innerText())
                                .matches("Stale since [0-9:]{8}");
                        ConsolePage.row(page, "ferry"); // the last known state stays
                        try (McpServer second = office()) {
                            HttpServing after = second.serve(Http.port(port).console(console));
                            ConsolePage.awaitLive(page);
                            page.getByText("No client has a session").waitFor();
                            McpClient tug = greet(after, "tug");
                            ConsolePage.row(page, "tug").locator("button").click();
                            page.locator("dialog[open] .danger").click();
                            page.getByText("No client has a session").waitFor();
                            tug.close();
                        }
                    });
        } finally {
            first.close();
        }
    }

    /** Opens a session; no other when that is ended. */
    private static McpClient greet(HttpServing serving, String name) throws Exception {
        McpClient client =
                McpClient.named(name, "1")
                        .revisions(Revision.V2025_11_25, Revision.V2025_11_25)
                        .connect(Http.to(serving.uri()).listening(false));
        client.ping();
        return client;
    }
}
