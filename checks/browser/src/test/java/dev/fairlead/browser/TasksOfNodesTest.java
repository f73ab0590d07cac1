package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.Console;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.Peers;
import dev.fairlead.jdbc.Database;
import dev.fairlead.jdbc.JdbcEvents;
import dev.fairlead.jdbc.JdbcTasks;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RequestState;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A person who watches, at one of two nodes, a task whose handler runs at the other. */
class TasksOfNodesTest extends BrowserTest {
    private static final List<byte[]> KEYS =
            List.of("a key of at least 32 bytes for both of these nodes".getBytes(UTF_8));

    @TempDir Path folder;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private Database database;
    private McpServer runs;
    private McpServer watched;
    private URI console;
    private McpClient client;

    @BeforeEach
    void start() throws InterruptedException {
        database = Database.sqlite(folder.resolve("shared.db"));
        runs = server();
        watched = server();
        HttpServing serving = serve(runs, Console.local());
        Console local = Console.local();
        console = local.address(serve(watched, local));
        client = McpClient.named("ferry", "1").connect(Http.to(serving.uri()));
    }

    @AfterEach
    void close() {
        leave.countDown();
        client.close();
        watched.close();
        runs.close();
        database.close();
    }

    private McpServer server() {
        return McpServer.named("harbour", "1")
                .tasks(JdbcTasks.on(database))
                .requestState(RequestState.keys(KEYS))
                .tool("refit", "Ignores its interrupt", NoInput.class, String.class)
                .task(TaskSupport.REQUIRED)
                .handle(
                        (none, call) -> {
                            begun.countDown();
                            awaitLeave();
                            return "Refitted";
                        })
                .build();
    }

    private void awaitLeave() {
        boolean left = false;
        while (!left) {
            try {
                leave.await();
                left = true;
            } catch (InterruptedException e) { // ignored, as some handlers do
                left = false;
            }
        }
    }

    private HttpServing serve(McpServer server, Console shown) {
        return server.serve(
                Http.port(0)
                        .eventStore(JdbcEvents.on(database))
                        .peers(Peers.listen("127.0.0.1", 0))
                        .console(shown));
    }

    @Test
    void itIsCancellingUntilItsHandlerAtTheOtherNodeHasEnded() {
        try (ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            person.open(console, this::cancel);
            assertThat(person.complaints).isEmpty();
        }
    }

    private void cancel(Page page) throws Exception {
        page.locator("nav a[href='#/tasks']").click();
        client.startTool(new CallToolRequest("refit", JsonObject.EMPTY));
        begun.await();
        Locator row = ConsolePage.row(page, "refit");
        row.getByText("Working").waitFor();
        row.locator("button").click();
        page.locator("dialog[open] .danger").click();
        row.getByText("Cancelling…").waitFor();
        row.locator(".trail summary").click();
        row.locator(".trail li:has-text('created')").waitFor();
        row.locator(".trail li:has-text('cancelled')").waitFor();
        leave.countDown();
        row.locator(".badge:text-is('Cancelled')").waitFor();
    }
}
