package dev.fairlead.acceptance;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.AlternatingProxy;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A gateway whose server over HTTP is replaced by one of another revision. */
@Timeout(120)
class GatewayErasHttpTest extends ClosingTest {
    private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
    private volatile CountDownLatch mayEnd = new CountDownLatch(1);
    private volatile URI node;

    @AfterEach
    void end() {
        mayEnd.countDown();
    }

    private McpServer server(Revision revision) {
        return closedLater(
                McpServer.named("shop", "1")
                        .revisions(revision, revision)
                        .tool("wait", "Waits", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    arrived.add("wait");
                                    mayEnd.await();
                                    return "done";
                                })
                        .tool("date", "Returns its revision", NoInput.class, String.class)
                        .handle((none, call) -> revision.date())
                        .build());
    }

    @CheckReturnValue
    private CompletableFuture<String> waiting(McpClient client) throws InterruptedException {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(client.callTool("wait", JsonObject.EMPTY).text());
                            } catch (Exception e) {
                                result.completeExceptionally(e);
                            }
                        });
        assertThat(arrived.poll(30, TimeUnit.SECONDS)).isEqualTo("wait");
        return result;
    }

    @Test
    void anIdleConnectionToAServerThatHasNoSessionsAnyMoreIsDropped() throws Exception {
        McpServer older = server(Revision.V2025_11_25);
        node = older.serve(Http.port(0)).uri();
        AlternatingProxy proxy = closedLater(new AlternatingProxy(() -> node));
        Gateway gateway =
                closedLater(
                        Gateway.named("gateway", "1").server("shop", Http.to(proxy.uri())).build());
        McpClient client =
                closedLater(
                        McpClient.named("desk", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .onElicitForm(form -> Answer.decline())
                                .connect(gateway.inProcess()));
        CompletableFuture<String> shared = waiting(client);
        CompletableFuture<String> apart = waiting(client);
        mayEnd.countDown();
        assertThat(shared.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(apart.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        assertThat(older.sessions()).isEqualTo(2);

        mayEnd = new CountDownLatch(1);
        CompletableFuture<String> before = waiting(client); // has the shared connection
        node = server(Revision.V2026_07_28).serve(Http.port(0)).uri();

        assertThatThrownBy(() -> client.callTool("date", JsonObject.EMPTY))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(-32603);
                            assertThat(e.data()).isEqualTo(JsonObject.of("server", "shop"));
                        })
                .hasMessageContaining("The server shop failed");
        await().untilAsserted(() -> assertThat(proxy.deletions()).isEqualTo(1));
        assertThat(client.callTool("date", JsonObject.EMPTY).text()).isEqualTo("2026-07-28");

        mayEnd.countDown();
        assertThat(before.get(30, TimeUnit.SECONDS)).isEqualTo("done");
    }
}
