package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.tools.CallToolRequest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** People watch a server in a real browser. */
class ConsoleTest extends BrowserTest {
    private static final JsonObject SHIP = JsonObject.of("name", "Ada");
    private static final List<String> VIEWS =
            List.of(
                    "sessions",
                    "streams",
                    "calls",
                    "tasks",
                    "figures",
                    "refusals",
                    "log",
                    "features",
                    "limits");

    private final Harbour harbour = new Harbour();
    private final List<ConsolePage> people = new ArrayList<>();

    @AfterEach
    void close() {
        people.forEach(ConsolePage::close);
        harbour.close();
    }

    private ConsolePage person(ConsolePage.Screen screen) {
        ConsolePage page = new ConsolePage(chromium, screen);
        people.add(page);
        return page;
    }

    private void watch(ConsolePage.Use use) {
        ConsolePage person = person(ConsolePage.Screen.WIDE);
        person.open(harbour.address(), use);
        assertThat(person.complaints).isEmpty();
    }

    private static void show(Page page, String view) {
        page.locator("nav a[href='#/" + view + "']").click();
        page.locator("nav a[href='#/" + view + "'][aria-current=page]").waitFor();
        page.locator(".loading").waitFor(hidden());
    }

    private static Locator.WaitForOptions hidden() {
        return new Locator.WaitForOptions()
                .setState(com.microsoft.playwright.options.WaitForSelectorState.HIDDEN);
    }

    private void busyDay() throws Exception {
        McpClient ferry = harbour.client("ferry");
        McpClient tug = harbour.client("tug");
        for (int i = 0; i < 12; i++) {
            ferry.callTool("berth", SHIP);
        }
        tug.callTool("dredge", SHIP);
        harbour.modernClient("pilot").callTool("berth", SHIP);
        try {
            tug.callTool("crane", SHIP);
        } catch (JsonRpcException e) {
            assertThat(e).hasMessageContaining("scope");
        }
        unload(tug);
        ferry.startTool(new CallToolRequest("refit", SHIP));
        wrongPath();
    }

    /** Calls a tool that waits for the tide, on a thread of its own. */
    private Thread unload(McpClient client) throws InterruptedException {
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        client.callTool("unload", SHIP);
                                    } catch (Exception e) {
                                        return; // as it ends with the test
                                    }
                                });
        harbour.waiting.await();
        return caller;
    }

    private void wrongPath() throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            http.send(
                    HttpRequest.newBuilder(harbour.serving().uri().resolve("/sse")).build(),
                    HttpResponse.BodyHandlers.discarding());
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachViewIsShownOnEachScreen(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                harbour.address(),
                page -> {
                    for (String view : VIEWS) {
                        show(page, view);
                        Accessibility.check(page, view + "-empty");
                    }
                    busyDay();
                    for (String view : VIEWS) {
                        show(page, view);
                        ConsolePage.awaitLive(page);
                        page.locator("tbody tr, .log li").first().waitFor();
                        assertThat(page.evaluate("document.documentElement.scrollWidth"))
                                .isEqualTo(page.evaluate("innerWidth"));
                        Accessibility.check(page, view);
                    }
                    assertThat(page.url()).doesNotContain("token");
                });
        assertThat(person.complaints).isEmpty();
    }

    @Test
    void aViewIsDrawnOnceItsDataIsAskedFor() {
        watch(
                page -> {
                    page.addInitScript(
                            """
                            window.ticks = [];
                            const every = setInterval;
                            window.setInterval = (task, time) => {
                              ticks.push(task);
                              return every(task, time);
                            };
                            """);
                    page.reload();
                    ConsolePage.awaitLive(page);

                    page.evaluate(
                            "() => { location.hash = '#/limits'; ticks.forEach(tick => tick()); }");

                    page.locator(".shares li").first().waitFor();
                });
    }

    @Test
    void aSessionEndsAfterAQuestion() {
        watch(
                page -> {
                    harbour.client("ferry", false);
                    Locator row = ConsolePage.row(page, "ferry");
                    row.locator("button").click();
                    Locator dialog = page.locator("dialog[open]");
                    dialog.waitFor();
                    dialog.getByText("Keep it").click();
                    dialog.waitFor(hidden());
                    assertThat(harbour.serving().sessions()).isEqualTo(1);
                    row.locator("button").click();
                    dialog.locator(".danger").click();
                    row.waitFor(hidden());
                    assertThat(harbour.serving().sessions()).isZero();
                });
    }

    @Test
    void cancellingIsAStateUntilTheCallHasEnded() {
        watch(
                page -> {
                    show(page, "calls");
                    Thread caller = unload(harbour.client("ferry"));
                    Locator row = ConsolePage.row(page, "unload");
                    row.getByText("Running").waitFor();
                    caller.interrupt();
                    caller.join();
                    row.getByText("Cancelling…").waitFor();
                    row.getByText("The handler ignores its interrupt").waitFor();
                    harbour.tide.countDown();
                    row.getByText("Completed before it could be cancelled").waitFor();
                });
    }

    @Test
    void aTaskIsCancellingUntilItsHandlerHasEnded() {
        watch(
                page -> {
                    show(page, "tasks");
                    harbour.client("ferry").startTool(new CallToolRequest("refit", SHIP));
                    harbour.waiting.await();
                    Locator row = ConsolePage.row(page, "refit");
                    row.getByText("Working").waitFor();
                    row.locator("button").click();
                    page.locator("dialog[open] .danger").click();
                    row.getByText("Cancelling…").waitFor();
                    row.getByText("Cancelled by an operator").waitFor();
                    harbour.tide.countDown();
                    row.locator(".badge:text-is('Cancelled')").waitFor();
                    row.locator(".trail summary").click();
                    row.locator(".trail li:has-text('cancelled')").waitFor();
                    row.locator(".trail li:has-text('created')").waitFor();
                });
    }

    @Test
    void theFilterFindsRows() {
        watch(
                page -> {
                    harbour.client("ferry");
                    harbour.client("tug");
                    ConsolePage.row(page, "ferry");
                    page.locator("input[type=search]").fill("TUG");
                    page.locator("tbody tr:has-text('ferry')").waitFor(hidden());
                    ConsolePage.row(page, "tug");
                    page.locator("input[type=search]").fill("submarine");
                    page.getByText("No session matches the filter").waitFor();
                });
    }

    @Test
    void featuresAreShownAsAChosenCallerSeesThem() {
        watch(
                page -> {
                    show(page, "features");
                    ConsolePage.row(page, "crane").getByText("Lacks a scope").waitFor();
                    page.locator(".field input").fill("harbour:cranes");
                    ConsolePage.row(page, "crane").getByText("May use it").waitFor();
                });
    }

    @Test
    void hostileTextsAreTextAlone() {
        watch(
                page -> {
                    McpClient client = harbour.client(Harbour.HOSTILE);
                    try {
                        client.callTool(Harbour.HOSTILE, SHIP);
                    } catch (JsonRpcException e) {
                        assertThat(e.code()).isEqualTo(-32602);
                    }
                    for (String view : List.of("sessions", "calls", "figures")) {
                        show(page, view);
                        ConsolePage.row(page, "onerror=alert(1)");
                        assertThat(page.locator("main img, main script, main [onerror]").count())
                                .isZero();
                        assertThat(page.locator("main").textContent())
                                .contains("<script>alert(2)</script>")
                                .doesNotContain("\u202E")
                                .doesNotContain("\u001B");
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void withoutATokenPeopleLogIn(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                ConsolePage.bare(harbour.serving()),
                page -> {
                    page.locator("#token").fill("wrong");
                    page.locator("button.primary").click();
                    page.getByText("This token gives no access").waitFor();
                    Accessibility.check(page, "login");
                    page.locator("#token")
                            .fill(harbour.address().getFragment().replace("token=", ""));
                    page.keyboard().press("Enter");
                    ConsolePage.awaitLive(page);
                    page.getByText("Log out").click();
                    page.locator("#token").waitFor();
                });
        assertThat(person.complaints).allMatch(complaint -> complaint.contains("401"));
    }

    @ParameterizedTest
    @EnumSource
    void whenTheServerEndsThePageIsStale(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                harbour.address(),
                page -> {
                    harbour.client("ferry");
                    ConsolePage.row(page, "ferry");
                    harbour.server().close();
                    page.locator(".live.bad").waitFor();
                    assertThat(page.locator(".live").textContent()).startsWith("Stale since");
                    ConsolePage.row(page, "ferry"); // the last known state stays
                    Accessibility.check(page, "stale");
                });
    }

    @Test
    void theKeyboardAloneSuffices() {
        watch(
                page -> {
                    harbour.client("ferry");
                    ConsolePage.row(page, "ferry");
                    page.locator("nav a").first().focus();
                    page.keyboard().press("Tab");
                    page.keyboard().press("Enter");
                    page.locator("nav a[href='#/streams'][aria-current=page]").waitFor();
                    assertThat(page.evaluate("document.activeElement.tagName")).isEqualTo("H1");
                });
    }

    @Test
    void theFirstViewIsSmall() {
        ConsolePage person = person(ConsolePage.Screen.WIDE);
        List<Integer> sizes = new ArrayList<>();
        person.open(
                URI.create("about:blank"),
                page -> {
                    page.onResponse(
                            response ->
                                    sizes.add(
                                            Integer.parseInt(
                                                    response.headers()
                                                            .getOrDefault("content-length", "0"))));
                    page.navigate(harbour.address().toString());
                    ConsolePage.awaitLive(page);
                });
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isBetween(10 << 10, 100 << 10);
    }
}
