package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Pages follow a server that is started again in its place. */
@Timeout(120)
class FollowingPagesTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final List<Consumer<ConsoleTarget.Restart>> followers = new CopyOnWriteArrayList<>();
    private final List<McpServer> servers = new ArrayList<>();
    private volatile McpServer current = server("first");
    private volatile Revision revision = Revision.V2026_07_28;
    private final Console console = Console.local().target(new Target());
    private final ConsoleServing serving;
    private final Browser browser;
    private final Set<String> ended = new HashSet<>(); // calls
    private Browser.Events events;
    private String page;

    FollowingPagesTest() throws IOException {
        serving = Http.port(0).console(console).serveConsole();
        browser = new Browser(serving.uri());
    }

    private McpServer server(String name) {
        McpServer server =
                McpServer.named(name, "1")
                        .tool("name", "Returns its name", NoInput.class, String.class)
                        .handle((none, call) -> name)
                        .tool("wait", "Never ends", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    begun.countDown();
                                    new CountDownLatch(1).await();
                                    return "";
                                })
                        .build();
        servers.add(server);
        return server;
    }

    /** The current server, in this process. */
    private final class Target implements ConsoleTarget {
        @Override
        public String label() {
            return "harbour";
        }

        @Override
        public List<String> words() {
            return List.of("harbour");
        }

        @Override
        public URI url() {
            return null;
        }

        @Override
        public McpClient.Builder client() {
            return ConsoleTarget.super.client().revisions(revision, revision);
        }

        @Override
        public Remote remote(Consumer<String> stderr) {
            return host -> current.inProcess().connect(host);
        }

        @Override
        public Runnable onRestart(Consumer<Restart> listener) {
            followers.add(listener);
            return () -> {
                followers.remove(listener);
                left.countDown();
            };
        }
    }

    private void open() throws Exception {
        browser.logIn(console.address(serving).getFragment().substring("token=".length()));
        events = browser.stream("workbench/events");
        page = event("page").string("page");
        assertThat(connected()).isEqualTo("first");
    }

    @AfterEach
    void close() throws Exception {
        if (events != null) {
            events.close();
        }
        browser.close();
        serving.close();
        servers.forEach(McpServer::close);
    }

    private JsonObject next() throws Exception {
        JsonObject event = events.next();
        if (Set.of("answer", "failed").contains(event.string("type"))) {
            ended.add(event.string("call"));
        }
        return event;
    }

    private JsonObject event(String type) throws Exception {
        JsonObject event = next();
        while (!event.string("type").equals(type)) {
            event = next();
        }
        return event;
    }

    /** Waits until the page is connected, and returns the name of its server. */
    private String connected() throws Exception {
        return event("connected").object("about").object("server").string("name");
    }

    private void call(String tool) throws Exception {
        browser.post(
                "workbench",
                JsonObject.of(
                        "page",
                        page,
                        "act",
                        "call",
                        "call",
                        tool,
                        "method",
                        "tools/call",
                        "params",
                        JsonObject.of("name", tool, "arguments", JsonObject.EMPTY)));
    }

    private void restarted(String message, boolean succeeded) {
        followers.forEach(
                follower -> follower.accept(new ConsoleTarget.Restart(message, succeeded)));
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void aPageConnectsToTheNextServer(Revision spoken) throws Exception {
        revision = spoken;
        open();
        call("wait");
        begun.await();
        McpServer before = current;
        current = server("second");
        before.close();
        restarted("Harbour.class changed; the server was restarted", true);

        JsonObject restart = event("restarted");
        assertThat(restart.string("message"))
                .isEqualTo("Harbour.class changed; the server was restarted");
        assertThat(restart.bool("succeeded")).isTrue();
        assertThat(connected()).isEqualTo("second");
        call("name");
        while (!ended.containsAll(Set.of("wait", "name"))) {
            JsonObject event = next();
            assertThat(event.string("type")).isNotIn("disconnected", "connecting");
            if (event.has("call") && event.string("call").equals("name")) {
                assertThat(event.toJson()).contains("second");
            }
        }
    }

    @Test
    void aPageStaysWithTheServerOfBeforeWhereTheNextDoesNotStart() throws Exception {
        open();
        restarted("Harbour.class changed, but the server does not start", false);
        JsonObject restart = events.next();
        assertThat(restart.string("type")).isEqualTo("restarted");
        assertThat(restart.bool("succeeded")).isFalse();
        call("name");
        JsonObject answer = events.next();
        assertThat(answer.string("type")).isEqualTo("answer");
        assertThat(answer.toJson()).contains("first");
    }

    @Test
    void aPageThatLeavesFollowsNoLonger() throws Exception {
        open();
        serving.close();
        left.await();
        assertThat(followers).isEmpty();
    }
}
