package dev.fairlead.protocol.pipe;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcErrorResponse;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.Owner;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;
import java.util.logging.Level;

@Timeout(300)
class InProcessTest {
    private final EchoHost server = new EchoHost();
    private final EchoHost client = new EchoHost();

    private Link connect() {
        return new InProcess(server).connect(client);
    }

    @Test
    void requestsGoBothWays() throws Exception {
        try (Link link = connect()) {
            client.context.send(new JsonRpcRequest(RequestId.of(1), "echo", null));
            server.context.send(new JsonRpcRequest(RequestId.of(2), "echo", null));
            assertThat(client.received.poll(60, TimeUnit.SECONDS))
                    .isIn(
                            new JsonRpcResponse(RequestId.of(1), RawJson.EMPTY_OBJECT),
                            new JsonRpcRequest(RequestId.of(2), "echo", null));
            assertThat(client.received.poll(60, TimeUnit.SECONDS)).isNotNull();
            assertThat(server.received.poll(60, TimeUnit.SECONDS)).isNotNull();
            assertThat(server.received.poll(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void closingEndsBothSessionsAfterWhatWasSent() throws Exception {
        Link link = connect();
        assertThat(server.context.isReachable()).isTrue();
        assertThat(server.context.owner()).isEqualTo(new Owner.Local("local"));
        for (int i = 0; i < 500; i++) {
            client.context.send(new JsonRpcNotification("note/" + i, null));
        }
        link.close();
        assertThat(server.context.isReachable()).isFalse();
        assertThat(server.received).hasSize(500);
        assertThat(server.closed.getCount()).isZero();
        assertThat(client.closed.getCount()).isZero();
        assertThatThrownBy(() -> client.context.send(new JsonRpcNotification("late", null)))
                .isInstanceOf(ConnectionException.class);
    }

    @Test
    void theServerMayEndTheSession() throws Exception {
        try (Link link = connect()) {
            server.context.close();
            assertThat(client.closed.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anInterruptedSenderKeepsItsInterruptAndTheMessageArrives() throws Exception {
        try (Link link = connect()) {
            Thread.currentThread().interrupt();
            client.context.send(new JsonRpcNotification("note", null));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(server.received.poll(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void aRequestThatFindsNoMemoryIsAnswered() throws Exception {
        try (Link link = connect()) {
            client.context.send(new JsonRpcRequest(RequestId.of(1), "exhaust", null));
            client.context.send(new JsonRpcRequest(RequestId.of(2), "echo", null));

            assertThat(client.received.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(new JsonRpcErrorResponse(RequestId.of(1), Handover.EXHAUSTED));
            assertThat(client.received.poll(60, TimeUnit.SECONDS))
                    .isEqualTo(new JsonRpcResponse(RequestId.of(2), RawJson.EMPTY_OBJECT));
        }
    }

    @Test
    void aRequestWhoseResponseFindsNoMemoryFails() throws Exception {
        try (Link link = connect()) {
            client.unhandled.set(true);
            client.context.send(new JsonRpcRequest(RequestId.of(1), "echo", null));
            await().until(() -> client.failed.containsKey(RequestId.of(1)));

            assertThat(client.failed.get(RequestId.of(1)))
                    .hasMessage("there was no memory for the response");
        }
    }

    @Test
    void aSessionThatFailsEndsItsConnectionAlone() throws Exception {
        try (Logged logged = new Logged(InProcess.class.getName(), Level.INFO);
                Link link = connect()) {
            client.context.send(new JsonRpcRequest(RequestId.of(1), "break", null));
            assertThat(client.closed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.closed.await(60, TimeUnit.SECONDS)).isTrue();
            await().until(() -> !logged.lines().isEmpty());

            assertThat(logged.lines()).containsExactly("SEVERE A connection in memory has failed");
        }
    }
}
