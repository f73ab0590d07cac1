package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;

import dev.fairlead.auth.proxy.AuthorizationProxy;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.content.AudioContent;
import dev.fairlead.protocol.content.ResourceLink;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.showcase.tour.Tour;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

/** Pages, and parts of pages, that the other tests do not show. */
class AccessibilityTest extends BrowserTest {
    private static final String RESOURCE = "http://127.0.0.1:1/mcp";
    private static final String REDIRECT = "https://desk.example/back";
    private static final String AUTHORIZE =
            "response_type=code&state=1&code_challenge_method=S256"
                    + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
                    + "&redirect_uri="
                    + REDIRECT
                    + "&resource="
                    + RESOURCE
                    + "&client_id=";

    /** A server that asks each kind of question, and returns each kind of content. */
    private static McpServer office() {
        return McpServer.named("office", "1.0")
                .instructions("Pay before you sail.")
                .tool("pay", "Asks to visit a page", NoInput.class, String.class)
                .handle(
                        (none, call) ->
                                call.elicitUrl(
                                                "Pay the berth",
                                                URI.create("https://harbour.example/pay?order=47"),
                                                () -> "Paid")
                                        .orElseThrow())
                .tool("write", "Asks the model", NoInput.class, String.class)
                .handle((none, call) -> call.sample("A poem about ferries", 50).text())
                .tool("look", "Asks for directories", NoInput.class, String.class)
                .handle((none, call) -> call.roots().getFirst().uri())
                .tool("radio", "Returns a sound and a link", NoInput.class, CallToolResult.class)
                .handle(
                        (none, call) -> {
                            call.log(LoggingLevel.WARNING, "Fog at the pier");
                            return new CallToolResult(
                                    List.of(
                                            new TextContent("Fog"),
                                            new AudioContent("UklGRg==", "audio/wav"),
                                            new ResourceLink("docs://tides", "tides")));
                        })
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pay", "write", "look"})
    void questionsOfOtherKinds(String tool) throws Exception {
        tryOffice(
                page -> {
                    call(page, tool);
                    page.locator(".question").waitFor();
                    Accessibility.checkOnEachScreen(page, "question-" + tool);
                });
    }

    @Test
    void messagesSoundsAndTheCallsBefore() throws Exception {
        tryOffice(
                page -> {
                    page.locator(".instructions summary").click();
                    call(page, "radio");
                    page.locator(".outcome audio").waitFor();
                    page.locator(".lines summary").click();
                    page.locator(".lines li:has-text('Fog')").waitFor();
                    Accessibility.checkOnEachScreen(page, "try-contents");
                    page.locator(".outcome button:text-is('Raw JSON')").click();
                    Accessibility.checkOnEachScreen(page, "try-raw");
                });
    }

    private static void tryOffice(ConsolePage.Use use) throws Exception {
        try (TriedServer tried = new TriedServer(office(), Revision.V2025_11_25);
                ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            person.open(tried.address(), use);
            assertThat(person.complaints).isEmpty();
        }
    }

    private static void call(Page page, String tool) {
        page.locator(".things button:has(strong:text-is('" + tool + "'))").click();
        page.locator(".detail .run .primary").click();
    }

    @Test
    void thePageOfTheTourInsideTheConsole() throws Exception {
        try (TriedServer tried = new TriedServer(Tour.server("1", Tasks.inMemory(), b -> b));
                ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            person.open(
                    tried.address(),
                    page -> {
                        page.locator(".things button:has-text('Show a route')").click();
                        page.locator("#f-train").fill("NT1");
                        page.locator(".detail .run .primary").click();
                        page.frameLocator("iframe.app").locator("svg polyline").waitFor();
                        Accessibility.checkWithFrames(page);
                    });
            assertThat(person.complaints).isEmpty();
        }
    }

    @Test
    void dialogsFiltersAndHostileNames() throws Exception {
        try (Harbour harbour = new Harbour();
                ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            person.open(
                    harbour.address(),
                    page -> {
                        McpClient client = harbour.client(Harbour.HOSTILE);
                        try {
                            client.callTool(Harbour.HOSTILE, JsonObject.EMPTY);
                        } catch (JsonRpcException e) {
                            assertThat(e.code()).isEqualTo(-32602);
                        }
                        for (String view : List.of("calls", "figures", "sessions")) {
                            page.locator("nav a[href='#/" + view + "']").click();
                            ConsolePage.row(page, "onerror=alert(1)");
                            Accessibility.checkOnEachScreen(page, view + "-hostile");
                        }
                        page.locator("tbody button").click();
                        page.locator("dialog[open]").waitFor();
                        Accessibility.checkOnEachScreen(page, "dialog");
                        page.getByText("Keep it").click();
                        page.locator("input[type=search]").fill("nobody");
                        page.getByText("No session matches the filter").waitFor();
                        Accessibility.checkOnEachScreen(page, "sessions-none");
                    });
            assertThat(person.complaints).isEmpty();
        }
    }

    @Test
    void thePageOfAnEndpoint() {
        try (Harbour harbour = new Harbour();
                Chromium.Profile person = chromium.profile()) {
            visit(
                    person,
                    harbour.serving().uri(),
                    page -> Accessibility.checkOnEachScreen(page, "landing"));
        }
    }

    @Test
    void pagesOfALoginThatIsDeniedOrInvalid() throws Exception {
        try (InstantUpstream upstream = new InstantUpstream();
                McpServer server = McpServer.named("reports", "1").build();
                Chromium.Profile person = chromium.profile()) {
            HttpServing serving =
                    server.serve(
                            Http.port(0)
                                    .authorization(
                                            AuthorizationProxy.at(RESOURCE)
                                                    .upstream(upstream.upstream())
                                                    .scopes("reports:read")));
            String issuer = "http://" + serving.uri().getAuthority();
            String client = ProxyConformanceTest.register(issuer, REDIRECT);
            visit(
                    person,
                    serving.uri().resolve("/authorize?" + AUTHORIZE + client),
                    page -> {
                        page.locator("button[value=deny]").click();
                        page.locator("h1:text-is('You did not allow access')").waitFor();
                        Accessibility.checkOnEachScreen(page, "denied");
                    });
            visit(
                    person,
                    serving.uri().resolve("/authorize?client_id=unknown"),
                    page -> {
                        page.locator("h1:has-text('This login cannot go on')").waitFor();
                        Accessibility.checkOnEachScreen(page, "invalid-login");
                    });
        }
    }

    private static void visit(Chromium.Profile person, URI url, Consumer<Page> use) {
        person.<Boolean>open(
                url,
                page -> {
                    use.accept(page);
                    return true;
                });
    }
}
