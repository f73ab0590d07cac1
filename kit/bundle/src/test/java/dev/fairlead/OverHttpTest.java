package dev.fairlead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpSessionListener;
import dev.fairlead.json.Default;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.SessionExpiredException;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A client and a server over Streamable HTTP on the loopback interface. */
final class OverHttpTest {
    record Confirm(@Default("true") boolean ok) {}

    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final McpServer server =
            McpServer.named("weather", "1.0")
                    .tool("ask", "Asks", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                call.progress(1, 2, "asking");
                                call.log(LoggingLevel.ERROR, "asking");
                                return "ok="
                                        + call.elicit("Sure?", Confirm.class).orElseThrow().ok();
                            })
                    .tool("wait", "Waits", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                waiting.countDown();
                                try {
                                    new CountDownLatch(1).await();
                                    return "never";
                                } catch (InterruptedException e) {
                                    interrupted.countDown();
                                    throw e;
                                }
                            })
                    .resource("city://seoul", "seoul", String.class)
                    .handle((request, call) -> "sunny")
                    .build();
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

    /**
     * Serves on a port to which a server can come back: the system does not assign it meanwhile.
     */
    private HttpServing serveOnOwnPort() {
        while (true) {
            try {
                return server.serve(Http.port(ThreadLocalRandom.current().nextInt(20_000, 30_000)));
            } catch (UncheckedIOException e) {
                assertThat(e).hasCauseInstanceOf(BindException.class); // another one
            }
        }
    }

    /** Connects with a session. */
    private McpClient connect(HttpServing serving) throws InterruptedException {
        return connect(serving.uri());
    }

    private McpClient connect(URI uri) throws InterruptedException {
        return McpClient.named("desk", "1")
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                .onElicitForm(form -> Answer.accept(JsonObject.EMPTY))
                .onLog(entry -> heard.add(entry.data().toString()))
                .onToolsChanged(
                        changed -> heard.add(changed.tools().stream().map(Tool::name).toList()))
                .onNewSession(heard::add)
                .connect(Http.to(uri));
    }

    private Object next() throws InterruptedException {
        Object next = heard.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was heard");
        }
        return next;
    }

    @Test
    @Requirement({"PROG-015", "ELIC-012", "LIFE-014"})
    void aToolReportsLogsAndAsksOnTheStreamOfItsCall() throws Exception {
        List<Progress> progress = new CopyOnWriteArrayList<>();
        try (HttpServing serving = server.serve(Http.port(0));
                McpClient client = connect(serving)) {
            assertThat(client.withProgress(progress::add).callTool("ask", JsonObject.EMPTY).text())
                    .isEqualTo("ok=true");
            assertThat(progress).containsExactly(new Progress(1, 2.0, "asking"));
            assertThat(next()).isEqualTo("\"asking\"");
        }
    }

    @Test
    @Requirement({"CANC-015", "CANC-007"})
    void cancellingInterruptsTheHandler() throws Exception {
        try (HttpServing serving = server.serve(Http.port(0));
                McpClient client = connect(serving);
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Object> pending =
                    executor.submit(() -> client.callTool("wait", JsonObject.EMPTY));
            assertThat(waiting.await(30, TimeUnit.SECONDS)).isTrue();
            pending.cancel(true);
            assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @Requirement({"TOOL-005", "RES-008"})
    void whatBelongsToNoCallComesOnTheClientsOwnStream() throws Exception {
        try (HttpServing serving = server.serve(Http.port(0));
                McpClient client = connect(serving)) {
            client.watch("city://seoul", heard::add);
            server.resourceUpdated("city://seoul");
            assertThat(next()).isEqualTo("city://seoul");
            server.update(features -> features.removeTool("wait"));
            assertThat(next()).isEqualTo(List.of("ask"));
        }
    }

    @Test
    @Requirement({"HTTP-039", "ROOM-046"})
    void aRestartedServerGetsANewSession() throws Exception {
        HttpServing first = serveOnOwnPort();
        try (McpClient client = connect(first)) {
            client.watch("city://seoul", uri -> heard.add("updated " + uri));
            first.close();
            McpServer again =
                    McpServer.named("weather", "2.0")
                            .tool("hello", "Greets", NoInput.class, String.class)
                            .handle((none, call) -> "hello again")
                            .resource("city://seoul", "seoul", String.class)
                            .handle((request, call) -> "rain")
                            .build();
            try (HttpServing second = again.serve(Http.port(first.port()))) {
                assertThat(hello(client)).isEqualTo("hello again");
                assertThat(next()).isInstanceOf(SessionExpiredException.class);
                assertThat(client.serverInfo().version()).isEqualTo("2.0");
                again.resourceUpdated("city://seoul");
                assertThat(next()).isEqualTo("updated city://seoul");
                assertThat(second.sessions()).isEqualTo(1);
            }
        }
    }

    /** Calls again where that went over a connection whose end was not noticed yet. */
    private static String hello(McpClient client) throws InterruptedException {
        for (int i = 0; i < 10; i++) {
            try {
                return client.callTool("hello", JsonObject.EMPTY).text();
            } catch (ConnectionException e) {
                assertThat(e).hasMessageContaining("was lost before the response came");
            }
        }
        throw new AssertionError("all connections are lost");
    }

    @Test
    @Requirement("HTTP-039")
    void aClientThatOnlyWatchesGetsANewSessionToo() throws Exception {
        HttpServing first = serveOnOwnPort();
        try (McpClient client = connect(first)) {
            client.watch("city://seoul", uri -> heard.add("updated " + uri));
            server.resourceUpdated("city://seoul"); // which shows that the client listens
            assertThat(next()).isEqualTo("updated city://seoul");
            first.close();
            McpServer again =
                    McpServer.named("weather", "2.0")
                            .resource("city://seoul", "seoul", String.class)
                            .handle((request, call) -> "rain")
                            .build();
            try (HttpServing second = again.serve(Http.port(first.port()))) {
                assertThat(next()).isInstanceOf(SessionExpiredException.class);
                again.resourceUpdated("city://seoul");
                assertThat(next()).isEqualTo("updated city://seoul");
                assertThat(second.sessions()).isEqualTo(1);
            }
        }
    }

    @Test
    @Requirement("LIFE-026")
    void closingEndsTheSessionAtTheServer() throws Exception {
        BlockingQueue<HttpSessionListener.Reason> ended = new LinkedBlockingQueue<>();
        HttpSessionListener listener =
                new HttpSessionListener() {
                    @Override
                    public void closed(HttpSessionInfo session, Reason reason) {
                        ended.add(reason);
                    }
                };
        try (HttpServing serving = server.serve(Http.port(0).sessionListener(listener))) {
            McpClient client = connect(serving);
            assertThat(serving.sessions()).isEqualTo(1);
            client.close(); // waits for the answer of the server, but not for long
            assertThat(ended.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(HttpSessionListener.Reason.DELETED);
        }
    }

    @Test
    void aServerThatIsNotThereIsAConnectionException() throws Exception {
        try (Socket silent = new Socket()) { // has a port and does not listen
            silent.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
            URI gone = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/mcp");
            assertThatThrownBy(() -> connect(gone)).isInstanceOf(ConnectionException.class);
        }
    }
}
