package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Clients that open streams and do not read. */
@Timeout(120)
class StalledReaderTest extends HttpTest {
    private static final JsonRpcNotification LARGE =
            notification("notifications/message", "{\"data\":\"" + "x".repeat(64 << 10) + "\"}");

    @Test
    @Requirement("SSE-022")
    void aReaderThatIsOnlySlowGetsEverythingFromTheStore() throws Exception {
        HttpServing serving = serve(listener -> listener.streamBuffer(64 << 10));
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    for (int i = 0; i < 900; i++) {
                        exchange.send(
                                notification(
                                        "x",
                                        "{\"n\":" + i + ",\"x\":\"" + "x".repeat(2000) + "\"}"));
                    }
                    exchange.send(result(request, "{}"));
                });
        Wire wire = new Wire(serving.port(), 4096);
        wire.post(request(1, "tools/call"), SESSION, session(serving));
        host.session().received.take();
        wire.head();
        wire.event();
        for (int i = 0; i < 900; i++) {
            assertThat(wire.event().data()).contains("{\"n\":" + i + ",");
        }

        assertThat(wire.event().data()).contains("\"result\"");
        assertThat(wire.event()).isNull();
        wire.close();
    }

    @Test
    void requestsThatAStalledClientNeverGotFail() throws Exception {
        HttpServing serving =
                serve(listener -> listener.withoutEventStore().streamBuffer(256 << 10));
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(notification("x", "{\"data\":\"" + "x".repeat(16 << 20) + "\"}"));
                    exchange.send(new JsonRpcRequest(RequestId.of(9), "roots/list", null));
                    for (int i = 0; i < 10; i++) {
                        exchange.send(LARGE);
                    }
                });
        String id = session(serving);
        ScriptedHost.Scripted session = host.session();
        try (Wire wire = new Wire(serving.port(), 4096)) {
            wire.post(request(1, "tools/call"), SESSION, id);
            assertThat(session.failed.take()).isEqualTo(RequestId.of(9));
        }
    }

    @Test
    @Requirement({"SSE-022", "HTTP-018"})
    void aHandlerWithAStalledReaderEndsWithoutBlockingOthers() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    for (int i = 0; i < 30; i++) {
                        exchange.send(notification("x", "{\"d\":\"" + "x".repeat(1 << 20) + "\"}"));
                    }
                    exchange.send(result(request, "{}"));
                    ended.countDown();
                });
        HttpServing serving = serve();
        String id = session(serving);
        try (Wire reader = new Wire(serving.port(), 4096)) {
            reader.post(request(1, "tools/call"), SESSION, id);

            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(post(serving, request(2, "ping"), SESSION, id).status()).isEqualTo(200);
        }
    }
}
