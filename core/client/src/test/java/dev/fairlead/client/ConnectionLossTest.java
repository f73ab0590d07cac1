package dev.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reports of a client about its connection and about earlier elicitations. */
final class ConnectionLossTest {
    private final FakeServer server = new FakeServer();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @Test
    void aConnectionLossIsReportedOnce() throws Exception {
        try (McpClient client =
                McpClient.named("desk", "1.4")
                        .onConnectionLost(why -> heard.add(why.getMessage()))
                        .connect(server)) {
            server.vanish();
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("the connection was closed");
            client.close();
        }
        assertThat(heard).isEmpty();
    }

    @Test
    void closingIsNoLoss() throws Exception {
        McpClient.named("desk", "1.4")
                .onConnectionLost(why -> heard.add(why.getMessage()))
                .connect(server)
                .close();
        assertThat(Background.call(heard::poll).result()).isNull(); // a thread that starts later
    }

    @Test
    void whatWasLoggedBeforeNowIsAwaited() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        try (McpClient client =
                McpClient.named("desk", "1.4")
                        .onLog(
                                entry -> {
                                    slow.await();
                                    heard.add(entry.data().toJson());
                                })
                        .connect(server)) {
            server.notifyClient("notifications/message", "{\"level\": \"info\", \"data\": 1}");
            server.notifyClient("notifications/message", "{\"level\": \"info\", \"data\": 2}");
            assertThat(client.awaitLog(Duration.ofMillis(1))).isFalse();
            slow.countDown();
            assertThat(client.awaitLog(Duration.ofSeconds(30))).isTrue();
            assertThat(heard).containsExactly("1", "2");
        }
    }

    @Test
    void theCompletionOfAUrlElicitationNamedByAnErrorReachesTheListener() throws Exception {
        server.on(
                "tools/call",
                "error:{\"code\": -32042, \"message\": \"Visit\", \"data\": {\"elicitations\":"
                        + " [{\"mode\": \"url\", \"message\": \"Visit\", \"url\":"
                        + " \"https://a.example/\", \"elicitationId\": \"e-1\"}]}}");
        try (McpClient client =
                McpClient.named("desk", "1.4")
                        .onElicitUrl(link -> Answer.accept())
                        .onElicitationComplete(heard::add)
                        .connect(server)) {
            assertThatThrownBy(() -> client.callTool("x", JsonObject.EMPTY))
                    .isInstanceOf(UrlElicitationRequiredException.class);
            server.notifyClient(
                    "notifications/elicitation/complete", "{\"elicitationId\": \"e-1\"}");
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("e-1");
        }
    }
}
