package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;

@Timeout(30)
class ConnectionTest {
    private record Caller(SessionContext context) implements Session {
        @Override
        public void accept(JsonRpcMessage message, Exchange exchange) {}

        @Override
        public void fail(RequestId request, CallException cause) {}

        @Override
        public Optional<Revision> revision() {
            return Optional.empty();
        }

        @Override
        public void close() {}

        void send(String json) {
            context.send(JsonRpcMessage.parse(json));
        }
    }

    @Test
    void aRequestThatTheFullOutboxRefusesLeavesNothingBehind() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Caller[] opened = new Caller[1];
        try (ScriptedServer server =
                new ScriptedServer(
                        (request, reply) -> {
                            over.await();
                            reply.accepted();
                        })) {
            Connection connection =
                    new Connection(
                            new ConnectorOptions(server.uri()),
                            context -> opened[0] = new Caller(context));
            Caller caller = opened[0];
            caller.send("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
            server.await(request -> request.calls("n"));
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    caller.send("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
                                }
                            })
                    .isInstanceOf(ConnectionException.class);
            int before = connection.lanes();

            assertThatThrownBy(
                            () -> caller.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"))
                    .hasMessageContaining("the server does not keep up");

            assertThat(connection.lanes()).isLessThanOrEqualTo(before);
            over.countDown();
            connection.close();
            assertThat(connection.lanes()).isZero();
        }
    }
}
