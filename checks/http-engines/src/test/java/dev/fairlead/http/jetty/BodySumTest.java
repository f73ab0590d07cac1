package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.test.support.Awaiting;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** How many bytes the bodies of all requests together may have, at the edge. */
@Timeout(60)
class BodySumTest extends HttpTest {
    private static final int SUM = 1 << 20;

    private final CountDownLatch over = new CountDownLatch(1);
    private HttpServing serving;
    private String id;

    @BeforeEach
    void begin() throws Exception {
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    over.await();
                    exchange.send(result(request, "{}"));
                });
        serving = serve(listener -> listener.legacySse().maxBody(SUM).maxBodySum(SUM));
        id = session(serving);
    }

    /** A request of so many bytes. */
    private static String sized(String method, int bytes) {
        String start =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{\"a\":\"";
        return start + "x".repeat(bytes - start.length() - 3) + "\"}}";
    }

    private static Map<String, String> headers() {
        return new LinkedHashMap<>(Map.of("Accept", Wire.BOTH, "Content-Type", Wire.JSON));
    }

    private Answer send(String body) throws IOException {
        return post(serving, body, SESSION, id);
    }

    private interface Sent {
        Answer answer() throws IOException;
    }

    /** The place of a request is free only just after its answer. */
    private static void await(int status, Sent sent) {
        Awaiting.await()
                .until(
                        () -> {
                            try {
                                return sent.answer().status() == status;
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }

    private void awaitTaken(int bytes) {
        await(200, () -> send(sized("ping", bytes)));
    }

    /** Waits until the permits of earlier requests have been given back. */
    private void awaitAllFree() {
        awaitTaken(SUM);
        Awaiting.await().until(() -> serving.metrics().requests() == 0);
    }

    private Wire underWay(int bytes) throws Exception {
        awaitAllFree();
        Wire wire = wire(serving).post(sized("tools/call", bytes), SESSION, id);
        Awaiting.await().until(() -> serving.metrics().requests() == 1);
        return wire;
    }

    @Test
    void whatFindsNoPlaceIsRefusedUntilThereIsSome() throws Exception {
        Wire running = underWay(600_000);

        Answer refused = send(sized("ping", SUM - 600_000 + 1));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        assertThat(refused.body())
                .contains("the bodies of all requests together may have 1048576 bytes")
                .contains("\"retryable\":true");
        awaitTaken(SUM - 600_000);
        over.countDown();
        assertThat(running.answer().status()).isEqualTo(200);
        awaitTaken(SUM);
    }

    @Test
    void aBodyCountsAsItComesAndNotAsItIsAnnounced() throws Exception {
        Map<String, String> headers = headers();
        headers.put("Content-Length", "" + SUM);
        headers.put("Expect", "100-continue");
        Wire announced = wire(serving).send("POST", headers, new byte[0]);
        assertThat(announced.head().status()).isEqualTo(100);

        awaitTaken(SUM);
    }

    @Test
    void bodiesThatAreCutLeaveNothingBehind() throws Exception {
        Map<String, String> headers = headers();
        headers.put("Content-Length", "" + SUM);
        headers.put("Expect", "100-continue");
        for (int i = 0; i < 10; i++) {
            try (Wire cut = Wire.to(serving)) {
                cut.send("POST", headers, new byte[0]);
                assertThat(cut.head().status()).isEqualTo(100);
                cut.raw(new byte[SUM / 4]);
            }
        }

        awaitTaken(SUM);
    }

    @Test
    void whatIsRefusedLeavesNothingBehind() throws Exception {
        String malformed = "x".repeat(SUM);
        String chunks = "80000\r\n" + "x".repeat(SUM / 2) + "\r\n";

        await(400, () -> send(malformed));
        await(404, () -> post(serving, sized("ping", SUM), SESSION, "unknown"));
        await(400, () -> post(serving, sized("ping", SUM)));
        await(413, () -> send(sized("ping", SUM + 1)));
        Map<String, String> chunked = headers();
        chunked.put("Transfer-Encoding", "chunked");
        await(
                413,
                () ->
                        wire(serving)
                                .send("POST", chunked, new byte[0])
                                .raw(chunks + chunks + "1\r\nx\r\n0\r\n\r\n")
                                .answer());
        awaitTaken(SUM);
    }

    @Test
    void notificationsLeaveNothingBehind() throws Exception {
        String notification = sized("ping", SUM - 20).replace("\"id\":1,", "");

        for (int i = 0; i < 3; i++) {
            await(202, () -> send(notification));
        }
    }

    @Test
    void overHttpAndSseItHoldsToo() throws Exception {
        Wire stream = wire(serving).send("GET", "/sse", Map.of(), new byte[0]);
        stream.head();
        String place = stream.event().data();
        byte[] body = sized("tools/call", 600_000).getBytes(StandardCharsets.UTF_8);
        awaitAllFree();
        Wire first = wire(serving).send("POST", place, headers(), body);
        assertThat(first.answer().status()).isEqualTo(202);

        assertThat(send(sized("ping", 600_000)).status()).isEqualTo(503);
        over.countDown();
        stream.event();
        awaitTaken(SUM);
    }
}
