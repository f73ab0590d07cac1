package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.Console;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** People watch a server in a real browser. */
class ConsoleTest {
    private static Chromium chromium;

    private final Console console = Console.local();
    private final McpServer server =
            McpServer.named("harbour", "1.4.0").title("Harbour office").build();
    private final HttpServing serving = server.serve(Http.port(0).console(console));
    private final List<McpClient> clients = new ArrayList<>();
    private final List<ConsolePage> pages = new ArrayList<>();

    @BeforeAll
    static void begin() {
        chromium = new Chromium();
    }

    @AfterAll
    static void end() {
        chromium.close();
    }

    @AfterEach
    void close() {
        clients.forEach(McpClient::close);
        pages.forEach(ConsolePage::close);
        server.close();
    }

    private McpClient client(String name) throws InterruptedException {
        McpClient client =
                McpClient.named(name, "2.1")
                        .revisions(Revision.V2025_06_18, Revision.V2025_11_25)
                        .connect(Http.to(serving.uri()));
        clients.add(client);
        client.ping();
        return client;
    }

    private ConsolePage person(ConsolePage.Screen screen) {
        ConsolePage page = new ConsolePage(chromium, screen);
        pages.add(page);
        return page;
    }

    private URI address() {
        return console.address(serving);
    }

    @ParameterizedTest
    @EnumSource
    void theSessionsOfClientsAppear(ConsolePage.Screen screen) {
        ConsolePage person = person(screen);
        person.open(
                address(),
                page -> {
                    page.locator(".empty").waitFor();
                    person.picture(page, "sessions-empty");
                    client("ferry");
                    client("tug");
                    ConsolePage.row(page, "ferry");
                    ConsolePage.row(page, "tug");
                    ConsolePage.awaitLive(page);
                    person.picture(page, "sessions");
                    assertThat(page.url()).doesNotContain("token");
                });
        assertThat(person.complaints).isEmpty();
    }
}
