package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;

import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.Range;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** People try a server in a real browser. */
class TryServerTest extends BrowserTest {
    private static final String PIXEL =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    /** A text that would do harm as markup, or turn the reading direction. */
    private static final String HOSTILE =
            "<img src=x onerror=alert(1)> <script>alert(2)</script> \u202Egnp.exe"
                    + " [x](javascript:alert(3))";

    /** A page that shows the result, and tries to reach the console and the network. */
    private static final String APP =
            """
            <!doctype html><body style="font: 16px sans-serif; margin: 16px">
            <p id="depth">…</p><button id="more">Measure again</button><p id="safe"></p>
            <button id="chart">Open the chart</button>
            <script>
            const send = message => parent.postMessage({jsonrpc: '2.0', ...message}, '*');
            addEventListener('message', ({data}) => {
              if (data.id === 1) send({method: 'ui/notifications/initialized', params: {}});
              if (data.method === 'ui/notifications/tool-result')
                document.querySelector('#depth').textContent =
                  'Depth ' + data.params.structuredContent.metres + ' m';
              if (data.id === 2)
                document.querySelector('#depth').textContent =
                  'Again ' + data.result.structuredContent.metres + ' m';
            });
            document.querySelector('#more').onclick = () => send({id: 2, method: 'tools/call',
              params: {name: 'depth', arguments: {}}});
            document.querySelector('#chart').onclick = () => send({id: 3, method: 'ui/open-link',
              params: {url: 'https://harbour.example/chart'}});
            send({id: 1, method: 'ui/initialize', params: {protocolVersion: '2026-01-26',
              appInfo: {name: 'depth', version: '1'}, appCapabilities: {}}});
            let reached = [];
            try { parent.document.title; reached.push('parent'); } catch {}
            try { document.cookie; reached.push('cookie'); } catch {}
            document.querySelector('#safe').textContent = 'reached: ' + reached.join();
            </script>
            """;

    record Depth(int metres) {}

    private static final String CALL = ".detail .run .primary";

    enum Cabin {
        DECK,
        INSIDE,
        SUITE
    }

    record Traveller(
            @Doc("As in the passport") String name,
            @Range(min = 0, max = 120) int age,
            @Nullable Boolean vegetarian) {}

    record Trip(
            @Doc("The harbour of arrival") String to,
            @Doc("How many days") @Range(min = 1, max = 30) int days,
            Cabin cabin,
            @Doc("The people on board") List<Traveller> travellers,
            @Nullable @Doc("Anything else, by name") Map<String, String> notes) {}

    record Booking(String number, String to, int people, List<String> ports) {}

    record Cargo(@Doc("Coal, wool, fish") String what, @Range(min = 1, max = 90) int tons) {}

    record NoInput() {}

    record Named(String name) {}

    private final CountDownLatch leave = new CountDownLatch(1);
    private final McpServer server =
            McpServer.named("harbour", "1.4.0")
                    .title("Harbour office")
                    .instructions("Book trips before you load cargo.")
                    .tool("book_trip", "Books a trip for several people", Trip.class, Booking.class)
                    .title("Book a trip")
                    .idempotent()
                    .handle(
                            (trip, call) ->
                                    new Booking(
                                            "HB-4711",
                                            trip.to(),
                                            trip.travellers().size(),
                                            List.of("Oban", "Tobermory", trip.to())))
                    .tool("load_cargo", "Asks what to load", NoInput.class, String.class)
                    .title("Load cargo")
                    .handle(
                            (none, call) -> {
                                Cargo cargo =
                                        call.elicit("What shall we load?", Cargo.class)
                                                .orElseThrow();
                                return "Loaded " + cargo.tons() + " t of " + cargo.what();
                            })
                    .tool("sail", "Sails until the tide turns", NoInput.class, String.class)
                    .title("Sail with the tide")
                    .handle(
                            (none, call) -> {
                                call.progress(3, 8, "off Lismore");
                                leave.await();
                                return "Arrived";
                            })
                    .tool("photo", "Shows the harbour", NoInput.class, CallToolResult.class)
                    .readOnly()
                    .handle(
                            (none, call) ->
                                    new CallToolResult(
                                            List.of(
                                                    new TextContent(HOSTILE),
                                                    new ImageContent(PIXEL, "image/png"),
                                                    new ImageContent(PIXEL, "image/svg+xml"))))
                    .tool("depth", "Measures the depth", NoInput.class, Depth.class)
                    .title("Measure the depth")
                    .meta(JsonObject.of("ui", JsonObject.of("resourceUri", "ui://harbour/depth")))
                    .handle((none, call) -> new Depth(14))
                    .resource("ui://harbour/depth", "depth", String.class)
                    .mimeType("text/html;profile=mcp-app")
                    .handle((request, call) -> APP)
                    .resource("docs://tides", "tides", String.class)
                    .description("The tides of this week")
                    .mimeType("text/markdown")
                    .handle((request, call) -> "# Tides\n\nHigh water at Oban: 06:12, 18:40")
                    .prompt("greet", "Greets a guest", Named.class)
                    .complete("name", (typed, call) -> List.of("Ada", "Adele"))
                    .handle(
                            (named, call) ->
                                    GetPromptResult.of(PromptMessage.user("Greet " + named.name())))
                    .build();
    private final TriedServer tried;
    private final List<ConsolePage> pages = new ArrayList<>();

    TryServerTest() throws IOException {
        tried = new TriedServer(server);
    }

    @AfterEach
    void close() {
        leave.countDown();
        pages.forEach(ConsolePage::close);
        tried.close();
    }

    private ConsolePage person(ConsolePage.Screen screen) {
        ConsolePage page = new ConsolePage(chromium, screen);
        pages.add(page);
        return page;
    }

    private URI address() {
        return tried.address();
    }

    private static void choose(Page page, String title) {
        showLists(page);
        page.locator(".things button", new Page.LocatorOptions().setHasText(title)).click();
    }

    /** Goes back to the lists, which a small screen hides when one of their members is chosen. */
    private static void showLists(Page page) {
        if (page.locator(".back").isVisible()) {
            page.locator(".back").click();
        }
    }

    private static void showList(Page page, String kind) {
        showLists(page);
        page.locator(".kinds button").filter(text(kind)).click();
    }

    private static void press(Page page, String name) {
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true))
                .first()
                .click();
    }

    private static Locator outcome(Page page, String text) {
        Locator outcome =
                page.locator(".outcome", new Page.LocatorOptions().setHasText(text)).first();
        outcome.waitFor();
        return outcome;
    }

    @ParameterizedTest
    @EnumSource
    void aPersonFillsAForm(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    page.locator(".things").waitFor();
                    Accessibility.check(page, "try-list");
                    choose(page, "Book a trip");
                    page.locator("#f-to").fill("Iona");
                    page.locator("#f-days").fill("99");
                    page.locator("#f-cabin").selectOption("SUITE");
                    press(page, "Add an item");
                    page.locator("[id='f-travellers[0].name']").fill("Ada");
                    page.locator("[id='f-travellers[0].age']").fill("36");
                    press(page, "Call");
                    page.locator(".argument.bad .wrong").waitFor();
                    Accessibility.check(page, "try-refused");
                    assertThat(page.locator(".argument.bad .wrong").innerText()).contains("30");
                    page.locator("#f-days").fill("3");
                    press(page, "Call");
                    outcome(page, "HB-4711");
                    Accessibility.check(page, "try-result");
                    page.locator(".frames summary").click();
                    assertThat(page.locator(".frames li .sent").count()).isOne();
                    assertThat(page.locator(".frames li .received").count()).isOne();
                    Accessibility.check(page, "try-frames");
                    press(page, "fairlead");
                    assertThat(page.locator(".copied").innerText())
                            .startsWith("fairlead tools call book_trip --args '{\"to\":\"Iona\"")
                            .contains("\"cabin\":\"SUITE\"", tried.url().toString());
                    press(page, "JSON");
                    assertThat(page.locator("#raw").inputValue()).contains("\"days\": 3");
                    Accessibility.check(page, "try-json");
                    assertThat(page.url()).doesNotContain("token");
                });
        assertThat(person.complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPersonAnswersAQuestion(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    choose(page, "Load cargo");
                    press(page, "Call");
                    page.locator(".question").waitFor();
                    page.locator(".question [id$=f-what]").fill("wool");
                    page.locator(".question [id$=f-tons]").fill("900");
                    press(page, "Answer");
                    page.locator(".question .wrong").waitFor();
                    Accessibility.check(page, "try-question");
                    page.locator(".question [id$=f-tons]").fill("9");
                    press(page, "Answer");
                    outcome(page, "Loaded 9 t of wool");
                    assertThat(page.locator(".question").count()).isZero();
                });
        assertThat(person.complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPersonCancelsACall(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    choose(page, "Sail with the tide");
                    press(page, "Call");
                    outcome(page, "off Lismore");
                    Accessibility.check(page, "try-progress");
                    press(page, "Cancel");
                    outcome(page, "Cancelled");
                    Accessibility.check(page, "try-cancelled");
                });
        assertThat(person.complaints).isEmpty();
    }

    @Test
    void theKeyboardAloneSuffices() {
        ConsolePage person = person(ConsolePage.Screen.WIDE);
        person.open(
                address(),
                page -> {
                    Keyboard keyboard = new Keyboard(page);
                    page.locator(".things").waitFor();
                    keyboard.press("Enter", thing("Book a trip"));
                    keyboard.type("#f-to", "Iona");
                    keyboard.type("#f-days", "3");
                    keyboard.press("S", "#f-cabin");
                    keyboard.press("Enter", "[data-path=travellers] > .nested > button");
                    keyboard.goBackTo("[id='f-travellers[0].age']");
                    page.keyboard().insertText("36");
                    keyboard.goBackTo("[id='f-travellers[0].name']");
                    page.keyboard().insertText("Ada");
                    keyboard.press("Enter", CALL);
                    outcome(page, "HB-4711");
                    assertThat(keyboard.isAt(CALL)).isTrue();

                    keyboard.goBackTo(thing("Sail with the tide"));
                    page.keyboard().press("Enter");
                    keyboard.press("Enter", CALL);
                    outcome(page, "off Lismore");
                    keyboard.press(" ", ".detail .run .danger");
                    outcome(page, "Cancelled");
                    assertThat(keyboard.isAt(CALL)).isTrue();

                    keyboard.goBackTo(thing("Load cargo"));
                    page.keyboard().press(" ");
                    keyboard.press("Enter", CALL);
                    page.locator(".question").waitFor();
                    keyboard.goBackTo(".question [id$=f-tons]");
                    page.keyboard().insertText("9");
                    keyboard.goBackTo(".question [id$=f-what]");
                    page.keyboard().insertText("wool");
                    page.keyboard().press("Enter");
                    outcome(page, "Loaded 9 t of wool");
                    assertThat(keyboard.isAt(CALL)).isTrue();
                });
        assertThat(person.complaints).isEmpty();
    }

    private static String thing(String title) {
        return ".things button:has-text('" + title + "')";
    }

    @ParameterizedTest
    @EnumSource
    void textsOfServersAreTexts(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    choose(page, "photo");
                    press(page, "Call");
                    Locator outcome = outcome(page, "<script>alert(2)</script>");
                    assertThat(outcome.innerText()).contains("‹202e›gnp.exe");
                    assertThat(outcome.locator("img").count()).isEqualTo(1);
                    Accessibility.check(page, "try-hostile");
                });
        assertThat(person.complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPageOfTheServerShowsTheResult(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    choose(page, "Measure the depth");
                    press(page, "Call");
                    FrameLocator app = page.frameLocator("iframe.app");
                    app.getByText("Depth 14 m").waitFor();
                    Accessibility.check(page, "try-app");
                    assertThat(app.locator("#safe").innerText()).isEqualTo("reached:");
                    app.locator("#more").click();
                    app.getByText("Again 14 m").waitFor();
                    app.locator("#chart").click();
                    page.locator(".link:has-text('https://harbour.example/chart')").waitFor();
                    Accessibility.check(page, "try-link");
                    press(page, "Decline");
                    assertThat(page.locator(".link").count()).isZero();
                });
        assertThat(person.complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPersonReadsResourcesAndPrompts(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    showList(page, "Resources");
                    choose(page, "tides");
                    press(page, "Read");
                    outcome(page, "High water at Oban");
                    Accessibility.check(page, "try-resource");
                    showList(page, "Prompts");
                    choose(page, "greet");
                    page.locator("#f-name").fill("A");
                    page.locator("#completions option[value=Adele]")
                            .waitFor(
                                    new Locator.WaitForOptions()
                                            .setState(
                                                    com.microsoft.playwright.options
                                                            .WaitForSelectorState.ATTACHED));
                    page.locator("#f-name").fill("Ada");
                    press(page, "Get");
                    outcome(page, "Greet Ada");
                    Accessibility.check(page, "try-prompt");
                });
        assertThat(person.complaints).isEmpty();
    }

    private static Locator.FilterOptions text(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsAwayCostsAMessage(ConsolePage.Screen screen) {
        tried.closeServer();
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    page.locator(".notice.bad").waitFor();
                    Accessibility.check(page, "try-away");
                    assertThat(page.locator(".notice.bad").innerText())
                            .contains("The server is not connected.", tried.url().toString());
                });
        assertThat(person.complaints).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aPageFollowsAServerThatIsStartedAgain(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    choose(page, "photo");
                    tried.failRestart("Harbour.class changed, but the server does not start");
                    page.locator(".restarted.bad:has-text('does not start')").waitFor();
                    Accessibility.check(page, "try-not-restarted");
                    press(page, "Call"); // the server of before still runs
                    outcome(page, "alert(2)");
                    tried.restart(
                            McpServer.named("harbour", "1.5.0")
                                    .tool("dive", "Dives", NoInput.class, String.class)
                                    .handle((none, call) -> "Dived")
                                    .build(),
                            "Harbour.class changed; the server was restarted");
                    page.locator(".restarted.good:has-text('the server was restarted')").waitFor();
                    page.locator(".heading p:has-text('harbour 1.5.0')").waitFor();
                    choose(page, "dive");
                    press(page, "Call");
                    outcome(page, "Dived");
                    Accessibility.check(page, "try-restarted");
                    press(page, "Dismiss");
                    assertThat(page.locator(".restarted").count()).isZero();
                });
        assertThat(person.complaints).isEmpty();
    }
}
