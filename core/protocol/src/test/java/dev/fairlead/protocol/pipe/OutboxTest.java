package dev.fairlead.protocol.pipe;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.engine.Connection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The queue of a peer that reads nothing: two messages are in it. */
@Timeout(300)
class OutboxTest {
    private static final Duration LONG = Duration.ofDays(1);
    private static final RequestId ID = RequestId.of(1);

    private final Outbox full = new Outbox(2, 1 << 20);

    OutboxTest() {
        put("a");
        put("b");
    }

    private Outbox.Put put(String method) {
        return full.put(new JsonRpcNotification(method, null), Duration.ZERO);
    }

    /** A request whose sender waits for place, with the result and the interrupt of its thread. */
    private Thread send(CompletableFuture<String> result) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            Outbox.Put put =
                                    full.putRequest(new JsonRpcRequest(ID, "ask", null), LONG);
                            result.complete(put + " " + Thread.currentThread().isInterrupted());
                        });
    }

    @Test
    void thereAreAsManyPlacesAgainForCancellations() {
        assertThat(put("c")).isEqualTo(Outbox.Put.FULL);
        assertThat(put(Connection.CANCELLED)).isEqualTo(Outbox.Put.TAKEN);
        assertThat(put(Connection.CANCELLED)).isEqualTo(Outbox.Put.TAKEN);
        assertThat(put(Connection.CANCELLED)).isEqualTo(Outbox.Put.FULL);
        assertThat(full.take()).hasSize(4);
    }

    @Test
    void theGreatestBoundLeavesThemPlacesToo() {
        Outbox greatest = new Outbox(Integer.MAX_VALUE, Long.MAX_VALUE);
        JsonRpcNotification cancelled = new JsonRpcNotification(Connection.CANCELLED, null);
        greatest.put(cancelled, Duration.ZERO);
        assertThat(greatest.put(cancelled, Duration.ZERO)).isEqualTo(Outbox.Put.TAKEN);
    }

    @Test
    void aRequestThatIsWithdrawnWaitsNoLonger() throws Exception {
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread sender = send(result);
        await("it waits").until(() -> full.withdraw(ID));
        assertThat(result.get()).isEqualTo("WITHDRAWN false");
        sender.join();
        assertThat(full.withdraw(ID)).isFalse();
        assertThat(full.take()).hasSize(2);
    }

    @Test
    void soIsOneWhoseSenderIsInterrupted() throws Exception {
        CompletableFuture<String> result = new CompletableFuture<>();
        send(result).interrupt();
        assertThat(result.get()).isEqualTo("WITHDRAWN true");
        assertThat(full.withdraw(ID)).isFalse();
    }

    @Test
    void aRequestThatGetsItsPlaceIsNotWithdrawn() throws Exception {
        full.take();
        CompletableFuture<String> result = new CompletableFuture<>();
        send(result).join();
        assertThat(result.get()).isEqualTo("TAKEN false");
        assertThat(full.withdraw(ID)).isFalse();
    }
}
