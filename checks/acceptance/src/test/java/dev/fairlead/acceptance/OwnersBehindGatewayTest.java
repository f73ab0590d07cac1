package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/**
 * Two callers with the same capabilities behind one gateway, without sessions: they share no
 * connection to a server, and a question meets the one whose call it belongs to.
 */
@Timeout(120)
class OwnersBehindGatewayTest extends ClosingTest {

    record Order(String item) {}

    record Sure(boolean ok) {}

    private final Map<String, ConcurrentLinkedQueue<String>> ordersByConnection =
            new ConcurrentHashMap<>();
    private final CyclicBarrier together = new CyclicBarrier(2);
    private final McpServer server =
            closedLater(
                    McpServer.named("shop", "1")
                            .tool("buy", "Buys", Order.class, String.class)
                            .handle(
                                    (order, call) -> {
                                        ordersByConnection
                                                .computeIfAbsent(
                                                        call.clientSession().toString(),
                                                        session -> new ConcurrentLinkedQueue<>())
                                                .add(order.item());
                                        together.await(60, TimeUnit.SECONDS);
                                        return call.elicit(order.item(), Sure.class) + order.item();
                                    })
                            .build());

    private ClientRequests connect(HttpServing serving, String subject, List<String> asked)
            throws InterruptedException {
        McpClient client =
                McpClient.named("desk", "1")
                        .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                        .onElicitForm(
                                form -> {
                                    asked.add(form.message());
                                    return Answer.accept(JsonObject.of("ok", true));
                                })
                        .connect(
                                Http.to(serving.uri())
                                        .headers(
                                                () ->
                                                        Map.of(
                                                                "Authorization",
                                                                "Bearer " + subject)));
        return closedLater(client);
    }

    @CheckReturnValue
    private static CompletableFuture<String> buy(ClientRequests client, String item) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return client.callTool("buy", JsonObject.of("item", item)).text();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2025_06_18"})
    @Requirement("N26-META-005")
    void theyShareNoConnection(Revision spoken) throws Exception {
        Gateway gateway =
                Gateway.named("gateway", "1")
                        .server(
                                "shop",
                                server.inProcess(),
                                client -> client.revisions(Revision.V2024_11_05, spoken))
                        .build();
        closedLater(gateway);
        HttpServing serving =
                gateway.serve(Http.port(0).authorization(SubjectTokens.authorization()));
        List<String> askedOfAda = new ArrayList<>();
        List<String> askedOfBob = new ArrayList<>();
        ClientRequests ada = connect(serving, "ada", askedOfAda);
        ClientRequests bob = connect(serving, "bob", askedOfBob);

        for (int round = 0; round < 3; round++) {
            CompletableFuture<String> tea = buy(ada, "tea");
            CompletableFuture<String> milk = buy(bob, "milk");
            assertThat(tea.get(60, TimeUnit.SECONDS)).endsWith("tea");
            assertThat(milk.get(60, TimeUnit.SECONDS)).endsWith("milk");
        }

        assertThat(askedOfAda).containsOnly("tea").hasSize(3);
        assertThat(askedOfBob).containsOnly("milk").hasSize(3);
        assertThat(ordersByConnection).hasSize(2);
        assertThat(ordersByConnection.values())
                .allSatisfy(orders -> assertThat(orders).hasSize(3))
                .allSatisfy(orders -> assertThat(Set.copyOf(orders)).hasSize(1));
    }
}
