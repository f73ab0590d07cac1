package dev.fairlead.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** Waits of a gateway that end by their time. */
@Tag("proof")
@Timeout(300)
final class ErasProofTest extends ClosingTest {
    private final CountDownLatch never = new CountDownLatch(1);
    private final McpServer server =
            closedLater(
                    McpServer.named("shop", "1")
                            .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                            .tool("buy", "Buys", Order.class, String.class)
                            .handle(
                                    (order, call) ->
                                            "bought "
                                                    + call.elicit(
                                                                    "Buy " + order.item() + "?",
                                                                    Sure.class)
                                                            .orElseThrow()
                                                            .ok())
                            .resource("shop://shelf", "shelf", String.class)
                            .handle((request, call) -> "full")
                            .build());

    record NoInput() {}

    record Order(String item) {}

    record Sure(boolean ok) {}

    @AfterEach
    void end() {
        never.countDown();
    }

    private Gateway gateway(UnaryOperator<Gateway.Builder> more) {
        return closedLater(
                more.apply(Gateways.patient().server("shop", server.inProcess())).build());
    }

    @CheckReturnValue
    private static CompletableFuture<CallToolResult> buy(McpClient client, String item) {
        CompletableFuture<CallToolResult> result = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(
                                        client.callTool("buy", JsonObject.of("item", item)));
                            } catch (Exception e) {
                                result.completeExceptionally(e);
                            }
                        });
        return result;
    }

    @Test
    void aCallThatWouldNeedOneConnectionMoreThanACallerMayHaveIsRefused() throws Exception {
        Gateway gateway =
                gateway(all -> all.maxCallConnections(4, 2).connectWait(Duration.ofSeconds(5)));
        CountDownLatch mayAnswer = new CountDownLatch(1);
        BlockingQueue<String> asked = new LinkedBlockingQueue<>();
        McpClient client =
                closedLater(
                        McpClient.named("a", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .onElicitForm(
                                        form -> {
                                            asked.add(form.message());
                                            mayAnswer.await();
                                            return Answer.accept(JsonObject.of("ok", true));
                                        })
                                .connect(gateway.inProcess()));
        List<CompletableFuture<CallToolResult>> both = new ArrayList<>();
        for (String item : List.of("tea", "milk")) {
            both.add(buy(client, item));
            assertThat(asked.take()).isEqualTo("Buy " + item + "?");
        }

        assertThatThrownBy(() -> client.callTool("buy", JsonObject.of("item", "salt")))
                .isInstanceOfSatisfying(
                        JsonRpcException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(-32603); // LIMIT_EXCEEDED there
                            assertThat(e.getMessage())
                                    .contains("Connection limit of the caller reached (2)");
                        });

        mayAnswer.countDown();
        for (CompletableFuture<CallToolResult> allowed : both) {
            assertThat(allowed.get(60, TimeUnit.SECONDS).isError()).isFalse();
        }
    }

    @Test
    void aServerThatDoesNotAnswerASubscriptionHoldsUpNoChangesOfOthers() throws Exception {
        CountDownLatch subscribing = new CountDownLatch(1);
        McpServer silent =
                closedLater(
                        McpServer.named("silent", "1")
                                .revisions(Revision.V2024_11_05, Revision.V2025_11_25)
                                .resource("silent://shelf", "shelf", String.class)
                                .handle((request, call) -> "")
                                .intercept(
                                        (method, next) -> {
                                            if (method.name().equals("resources/subscribe")) {
                                                subscribing.countDown();
                                                never.await();
                                            }
                                            return next.proceed(method);
                                        })
                                .build());
        BlockingQueue<List<Tool>> changes = new LinkedBlockingQueue<>();
        BlockingQueue<String> updates = new LinkedBlockingQueue<>();
        Gateway gateway =
                gateway(
                        all ->
                                all.connectWait(Duration.ofSeconds(5))
                                        .server("silent", silent.inProcess()));
        McpClient client =
                closedLater(
                        McpClient.named("a", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .onToolsChanged(list -> changes.add(list.tools()))
                                .connect(gateway.inProcess()));

        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                client.watch("silent://shelf", updates::add);
                            } catch (Exception e) {
                                updates.add("not watched");
                            }
                        });
        assertThat(subscribing.await(60, TimeUnit.SECONDS)).isTrue();
        client.watch("shop://shelf", updates::add);

        server.update(
                features ->
                        features.tool("late", "Late", NoInput.class, String.class)
                                .handle((none, call) -> ""));
        assertThat(changes.poll(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(updates.poll(60, TimeUnit.SECONDS)).isEqualTo("not watched");
    }
}
