package dev.fairlead.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.SessionHost;

import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

class ReplyTest {
    /** An exchange of an engine that refuses a header, such as one with a line end. */
    private static final class Refusing implements HttpExchange {
        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/mcp";
        }

        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public Optional<String> query() {
            return Optional.empty();
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return Optional.empty();
        }

        @Override
        public InputStream body() {
            return InputStream.nullInputStream();
        }

        @Override
        public void respond(ResponseHead head, byte[] body, Runnable done) {
            throw new IllegalArgumentException("a header has a line end");
        }

        @Override
        public ResponseStream stream(ResponseHead head) {
            throw new IllegalArgumentException("a header has a line end");
        }
    }

    @Test
    void anAnswerThatTheEngineRefusesDoesNotWait() {
        SessionHost host =
                (SessionHost)
                        Proxy.newProxyInstance(
                                ReplyTest.class.getClassLoader(),
                                new Class<?>[] {SessionHost.class},
                                (proxy, method, arguments) -> {
                                    throw new AssertionError(method.getName());
                                });
        WaitingBytes waiting = new WaitingBytes(1 << 20);
        Reply reply = new Reply(new Refusing(), new Counters(host, () -> 0), () -> false);
        reply.counted(waiting.share("ada", reply));
        RawJson large = RawJson.parse("{\"text\":\"" + "x".repeat(10_000) + "\"}");

        assertThatThrownBy(() -> reply.response(new JsonRpcResponse(RequestId.of(1), large)))
                .hasMessage("a header has a line end");
        assertThat(waiting.waiting()).isZero();
    }
}
