package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RequestOrigin;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.RunningRequest;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Requests of revision 2026-07-28 whose answers their container does not take. */
@Timeout(60)
class LostExchangesTest {
    private static final String CALL =
            """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}\
            """;

    private static final Map<String, String> HEADERS =
            Map.of(
                    "Accept", "application/json, text/event-stream",
                    "Content-Type", "application/json",
                    "MCP-Protocol-Version", "2026-07-28",
                    "Mcp-Method", "tools/call",
                    "Mcp-Name", "slow");

    private final AtomicInteger answered = new AtomicInteger();
    private final Semaphore cancelled = new Semaphore(0);

    /** Answers nothing by itself. */
    private final class Slow implements SessionHost, RequestHost {
        private final Consumer<Exchange> begun;

        Slow(Consumer<Exchange> begun) {
            this.begun = begun;
        }

        @Override
        public Session open(SessionContext context) {
            throw new IllegalStateException("no session is opened here");
        }

        @Override
        public Set<Revision> revisions() {
            return Set.of(Revision.V2026_07_28);
        }

        @Override
        public Optional<RequestHost> requests() {
            return Optional.of(this);
        }

        @Override
        public void accept(
                JsonRpcRequest request,
                RequestMeta meta,
                RequestOrigin origin,
                Exchange exchange,
                Consumer<RunningRequest> onTaken) {
            onTaken.accept(
                    new RunningRequest() {
                        @Override
                        public void cancel(String reason) {
                            cancelled.release();
                        }

                        @Override
                        public void endIfStanding() {}
                    });
            begun.accept(exchange);
        }

        @Override
        public JsonRpcError unsupported(String requested) {
            return new JsonRpcError(-32022, "Unsupported");
        }
    }

    /** A request of which the container may have lost the client. */
    private final class Call implements HttpExchange {
        private final boolean lost;

        Call(boolean lost) {
            this.lost = lost;
        }

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
            return HEADERS.entrySet().stream()
                    .filter(header -> header.getKey().equalsIgnoreCase(name))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return Optional.empty();
        }

        @Override
        public InputStream body() {
            return new ByteArrayInputStream(CALL.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void respond(ResponseHead head, byte[] body, Runnable done) {
            if (lost) {
                throw new IllegalStateException("the client is gone");
            }
            answered.incrementAndGet();
            done.run();
        }

        @Override
        public ResponseStream stream(ResponseHead head) {
            throw new IllegalStateException("the client is gone");
        }
    }

    @Test
    void aClientThatIsGoneKeepsNoOtherRequestFromItsEnd() {
        Settings settings = HttpOptions.defaults();
        settings.shutdownGrace = Duration.ofMillis(10);
        try (Timers timers = Timers.system("lost-test")) {
            HttpMount mount = new HttpMount(settings, new Slow(exchange -> {}), timers);
            for (int i = 0; i < 10; i++) { // their order is any
                mount.routes().get(0).handler().handle(new Call(i % 2 == 0));
            }

            mount.close();
        }
        assertThat(answered.get()).isEqualTo(5);
        assertThat(cancelled.availablePermits()).isEqualTo(10);
    }

    @Test
    void aRequestWhoseStreamCannotBeginIsCancelled() throws Exception {
        var message = new JsonRpcNotification("notifications/message", RawJson.EMPTY_OBJECT);
        Slow telling =
                new Slow(
                        exchange ->
                                assertThatThrownBy(() -> exchange.send(message))
                                        .hasMessage("the client is gone"));
        try (Timers timers = Timers.system("lost-test")) {
            HttpMount mount = new HttpMount(HttpOptions.defaults(), telling, timers);
            mount.routes().get(0).handler().handle(new Call(true));

            assertThat(cancelled.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
