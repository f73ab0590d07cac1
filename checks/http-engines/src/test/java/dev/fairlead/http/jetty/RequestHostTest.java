package dev.fairlead.http.jetty;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.JsonRpcResponse;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.RequestHost;
import dev.fairlead.protocol.RequestOrigin;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.RunningRequest;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.protocol.versioning.RequestMeta;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Requests of revision 2026-07-28 and the host that takes them. */
@Timeout(120)
class RequestHostTest extends HttpTest {
    private static final String LISTEN =
            """
            {"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}}}}\
            """;

    private static final String[] HEADERS = {
        "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"
    };

    /** Takes a request. */
    @FunctionalInterface
    private interface Taker {
        void take(JsonRpcRequest request, Exchange exchange, Consumer<RunningRequest> onTaken);
    }

    private static final class PerRequest implements SessionHost, RequestHost {
        private final Taker taker;

        PerRequest(Taker taker) {
            this.taker = taker;
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
            taker.take(request, exchange, onTaken);
        }

        @Override
        public JsonRpcError unsupported(String requested) {
            return new JsonRpcError(-32022, "Unsupported");
        }
    }

    /** Stands open until it is ended. */
    private record Standing(JsonRpcRequest request, Exchange exchange) implements RunningRequest {
        @Override
        public void cancel(String reason) {}

        @Override
        public void endIfStanding() {
            exchange.send(new JsonRpcResponse(request.id(), RawJson.EMPTY_OBJECT));
        }
    }

    @Test
    void aStreamThatIsTakenWhileTheServerDrainsEndsAtOnce() throws Exception {
        CountDownLatch comes = new CountDownLatch(1);
        CountDownLatch drains = new CountDownLatch(1);
        PerRequest slow =
                new PerRequest(
                        (request, exchange, onTaken) -> {
                            comes.countDown();
                            Uninterruptibly.await(drains::await);
                            onTaken.accept(new Standing(request, exchange));
                        });
        HttpServing serving =
                closedLater(port(0).shutdownGrace(Duration.ofSeconds(90)).serve(slow));
        Wire listening = wire(serving).post(LISTEN, HEADERS);
        comes.await();
        Thread closing = Thread.ofPlatform().start(serving::close);
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING); // for the answer
        drains.countDown();

        assertThat(listening.answer().body()).contains("\"result\":{}");
        closing.join();
    }

    @Test
    void aRequestThatTheHostDoesNotTakeGivesItsPlaceBack() throws Exception {
        PerRequest failing =
                new PerRequest(
                        (request, exchange, onTaken) -> {
                            throw new IllegalStateException("a bug of the host");
                        });
        HttpServing serving = closedLater(port(0).maxResultWaits(1).serve(failing));
        for (int i = 0; i < 3; i++) {
            Answer answer = post(serving, LISTEN, HEADERS);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("-32603");
        }
    }
}
