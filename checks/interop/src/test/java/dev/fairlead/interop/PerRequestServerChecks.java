package dev.fairlead.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Progress;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildProcess;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The client against a server of another SDK that speaks revision 2026-07-28 and older ones:
 * directly, and through a gateway in every pair of revisions.
 */
@Timeout(180)
abstract class PerRequestServerChecks extends ClosingTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** How a client reaches the server. */
    enum Route {
        STDIO(false, Revision.V2026_07_28, null),
        HTTP(true, Revision.V2026_07_28, null),
        HTTP_WITH_HANDSHAKE(true, Revision.V2025_11_25, null),
        GATEWAY_BOTH_NEW(false, Revision.V2026_07_28, Revision.V2026_07_28),
        GATEWAY_BOTH_NEW_HTTP(true, Revision.V2026_07_28, Revision.V2026_07_28),
        GATEWAY_OLD_CLIENT(true, Revision.V2025_11_25, Revision.V2026_07_28),
        GATEWAY_OLD_SERVER(false, Revision.V2026_07_28, Revision.V2025_11_25);

        final boolean http;
        final Revision client;
        final Revision gateway;

        Route(boolean http, Revision client, Revision gateway) {
            this.http = http;
            this.client = client;
            this.gateway = gateway;
        }

        /** Whether the server meets a client of revision 2026-07-28. */
        boolean asksInRounds() {
            return (gateway == null ? client : gateway) == Revision.V2026_07_28;
        }
    }

    /** The command line of the server, which over HTTP prints its URL. */
    abstract List<String> command(String transport);

    /** Returns the answer of the tool {@code book} on Oslo. */
    abstract String booked();

    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    final BlockingQueue<String> logged = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<Tool>> tools = new LinkedBlockingQueue<>();

    final McpClient connect(Route route) throws Exception {
        Remote remote;
        if (route.http) {
            ChildProcess server = ChildProcess.start(command("http"));
            closedLater(server);
            remote = Http.to(server.url());
        } else {
            remote = Stdio.command(command("stdio").toArray(String[]::new)).onStderr(line -> {});
        }
        if (route.gateway != null) {
            Gateway gateway =
                    Gateway.named("gateway", "1")
                            .server(
                                    "typescript",
                                    remote,
                                    client -> client.revisions(Revision.V2024_11_05, route.gateway))
                            .connectWait(SOON)
                            .build();
            closedLater(gateway);
            remote = route.http ? Http.to(gateway.serve(Http.port(0)).uri()) : gateway.inProcess();
        }
        McpClient client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2024_11_05, route.client)
                        .requestTimeout(SOON)
                        .probeTimeout(SOON)
                        .roots(Root.of(Path.of("/one")))
                        .onLog(entry -> logged.add(entry.level() + " " + entry.data()))
                        .onToolsChanged(list -> tools.add(list.tools()))
                        .onElicitForm(
                                form -> {
                                    asked.add(form.message());
                                    return Answer.accept(JsonObject.of("sure", true));
                                })
                        .onSample(request -> CreateMessageResult.text("model", "sampled"))
                        .connect(remote);
        return closedLater(client);
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void requestsAreAnswered(Route route) throws Exception {
        McpClient client = connect(route);

        assertThat(client.revision()).isEqualTo(route.client);
        assertThat(client.tools()).extracting(Tool::name).contains("echo", "book");
        assertThat(client.callTool("echo", JsonObject.of("text", "hi")).text()).isEqualTo("hi");
        assertThat(client.callTool("sum", JsonObject.of("a", 1, "b", 2)).structuredContent())
                .isEqualTo(JsonObject.of("sum", 3));
        assertThat(client.readResource("note://1").text()).isEqualTo("a note");
        assertThat(client.getPrompt("praise", Map.of("what", "tea")).messages().toString())
                .contains("Praise tea");
        assertThatThrownBy(() -> client.readResource("note://none"))
                .isInstanceOf(JsonRpcException.class);
        List<Progress> reports = new ArrayList<>();
        client.withProgress(reports::add).callTool("steps", JsonObject.EMPTY);
        assertThat(reports).extracting(Progress::progress).containsExactly(1.0, 2.0, 3.0);
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void questionsAreAnsweredInRounds(Route route) throws Exception {
        McpClient client = connect(route);
        if (!route.asksInRounds()) {
            return; // these SDKs make no requests of their rounds
        }

        assertThat(client.callTool("book", JsonObject.of("town", "Oslo")).text())
                .isEqualTo(booked());
        assertThat(asked).containsExactly("To Oslo?", "Today?");
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void callsAreCancelled(Route route) throws Exception {
        McpClient client = connect(route);
        if (route == Route.HTTP_WITH_HANDSHAKE) {
            return; // without sessions nothing carries a cancellation to its request
        }

        CountDownLatch waiting = new CountDownLatch(1);
        FutureTask<?> call =
                new FutureTask<>(
                        () ->
                                client.withProgress(progress -> waiting.countDown())
                                        .callTool("wait", JsonObject.EMPTY));
        Thread caller = Thread.ofVirtual().start(call);
        assertThat(waiting.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
        await().atMost(SOON)
                .until(() -> client.callTool("cancelled", JsonObject.EMPTY).text().equals("1"));
    }
}
