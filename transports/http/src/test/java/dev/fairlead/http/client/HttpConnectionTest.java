package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
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

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

@Timeout(90)
class HttpConnectionTest {
    /** Waits for the acceptance of messages, and for nothing else. */
    private static final GracePeriods HASTY =
            new GracePeriods(
                    Duration.ofMinutes(10),
                    Duration.ofMillis(1),
                    Duration.ofMillis(1),
                    Duration.ofMillis(1));

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
    void anErrorFailsItsRequestAndNothingElse() throws Exception {
        AtomicBoolean failing = new AtomicBoolean(true);
        try (ScriptedServer server = new ScriptedServer((request, reply) -> reply.accepted());
                RecordingSession session =
                        RecordingSession.connect(
                                Http.to(server.uri())
                                        .headers(
                                                () -> {
                                                    if (failing.get()) {
                                                        throw new LinkageError(
                                                                "a class is missing");
                                                    }
                                                    return Map.of();
                                                }))) {
            session.send("{\"jsonrpc\":\"2.0\",\"method\":\"lost\"}");
            session.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
            assertThat(session.next())
                    .isInstanceOfSatisfying(
                            RecordingSession.Failed.class,
                            failed -> assertThat(failed.id()).isEqualTo(RequestId.of(1)));
            failing.set(false);
            session.send("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
            server.await(request -> request.calls("n"));
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
            ConnectorOptions options = new ConnectorOptions(server.uri());
            options.gracePeriods = HASTY;
            HttpConnection connection =
                    new HttpConnection(options, context -> opened[0] = new Caller(context));
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
            int before = connection.exchanges();

            assertThatThrownBy(
                            () -> caller.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"))
                    .hasMessageContaining("the server does not keep up");

            assertThat(connection.exchanges()).isLessThanOrEqualTo(before);
            over.countDown();
            connection.close();
            assertThat(connection.exchanges()).isZero();
        }
    }

    @Test
    void whatTheClosingDropsLeavesNothingBehind() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Caller[] opened = new Caller[1];
        try (ScriptedServer server = new ScriptedServer((request, reply) -> over.await())) {
            ConnectorOptions options = new ConnectorOptions(server.uri());
            options.gracePeriods = HASTY;
            HttpConnection connection =
                    new HttpConnection(options, context -> opened[0] = new Caller(context));
            opened[0].send("{\"jsonrpc\":\"2.0\",\"method\":\"n\"}");
            server.await(request -> request.calls("n"));
            opened[0].send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");

            connection.close();

            assertThat(connection.exchanges()).isZero();
            assertThat(server.received()).noneMatch(request -> request.calls("ping"));
            over.countDown();
        }
    }

    @Test
    void aServerThatTakesNoConnectionIsGivenUp() throws Exception {
        List<SocketChannel> waiting = new ArrayList<>();
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            for (int i = 0; i < 8; i++) { // more than may wait to be accepted
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(deaf.getLocalSocketAddress());
                waiting.add(channel);
            }
            URI uri = URI.create("http://127.0.0.1:" + deaf.getLocalPort() + "/mcp");
            try (RecordingSession session =
                    RecordingSession.connect(Http.to(uri).connectTimeout(Duration.ofMillis(300)))) {
                session.call(1, "ping");

                assertThat(session.nextFailure(1))
                        .hasMessage(
                                "ping failed: the server at "
                                        + uri
                                        + " cannot be reached: no connection within 300 ms");
            }
        } finally {
            for (SocketChannel channel : waiting) {
                channel.close();
            }
        }
    }

    @Test
    void aNotificationThatIsNeverAcceptedHoldsUpWhatFollowsOnlySoLong() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch followed = new CountDownLatch(1);
        try (ScriptedServer server =
                        new ScriptedServer(
                                (request, reply) -> {
                                    if (request.calls("first")) {
                                        over.await();
                                    } else {
                                        followed.countDown();
                                    }
                                    reply.accepted();
                                });
                RecordingSession session =
                        RecordingSession.connect(
                                Http.to(server.uri())
                                        .gracePeriods(
                                                new GracePeriods(
                                                        Duration.ofMillis(200),
                                                        Duration.ofMinutes(1),
                                                        Duration.ofMinutes(1),
                                                        Duration.ofMinutes(1))))) {
            session.send("{'jsonrpc':'2.0','method':'first'}");
            session.call(1, "second"); // a request, which no grace period ends

            assertThat(followed.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(over.getCount()).isOne();
            over.countDown();
        }
    }
}
