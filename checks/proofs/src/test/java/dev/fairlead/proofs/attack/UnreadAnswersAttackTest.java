package dev.fairlead.proofs.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.RawHttpClient;
import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A client that calls for large answers and reads none. */
@Tag("proof")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class UnreadAnswersAttackTest {
    private static final int CALLS = 150;

    private final List<Caller> callers = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (Caller caller : callers) {
            caller.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"big", "big_stream"})
    void answersThatAreNotReadAreBoundedAndOthersAreServed(String tool) throws Exception {
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "256m")) {
            String session = RawSession.open(attacked.port(), Caller.loopback(2)).id();
            for (int i = 0; i < CALLS; i++) {
                Caller caller = new Caller(attacked.port(), 2);
                callers.add(caller);
                caller.send(session, call(i, tool));
            }

            for (int i = 0; i < 20; i++) {
                assertThat(works(attacked)).as(attacked.log()).contains("small");
            }
            HttpAnswer large =
                    RawSession.open(attacked.port(), Caller.loopback(3))
                            .post(RawSession.call(1, "big"));
            assertThat(large.body()).hasSizeGreaterThan(BytesServer.BIG);
            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
        }
    }

    /** With a token for progress, without which {@code big_stream} opens no stream. */
    private static String call(int id, String tool) {
        return RawSession.call(id, tool)
                .replace("\"arguments\"", "\"_meta\":{\"progressToken\":1},\"arguments\"");
    }

    private static String works(SmallHeap attacked) throws IOException {
        try {
            return Caller.works(attacked.port(), 3).body();
        } catch (IOException e) {
            throw new IOException(attacked.log(), e);
        }
    }

    @Test
    void aSessionThatReadsNothingIsRefusedWithRetryAfter() throws Exception {
        try (McpServer server =
                McpServer.named("unread", "1")
                        .tool("big", "Returns 16 MiB", NoInput.class, String.class)
                        .handle((none, call) -> "x".repeat(16 << 20))
                        .tool("small", "Returns a word", NoInput.class, String.class)
                        .handle((none, call) -> "small")
                        .build()) {
            int port =
                    server.serve(
                                    Http.port(0)
                                            .maxAnswerSum(1 << 20)
                                            .clientTimeout(Duration.ofMinutes(3)))
                            .port();
            RawHttpClient client = RawHttpClient.open(port, "127.0.0.2", "2025-11-25");
            try (Socket unread = client.begin(RawHttpClient.call(1, "big"))) {
                HttpAnswer refused = client.post(RawHttpClient.call(2, "small"));
                while (refused.status() == 200) { // the large answer does not wait yet
                    refused = client.post(RawHttpClient.call(2, "small"));
                }

                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.body()).contains("or raise HttpOptions.maxAnswerSum");
                assertThat(refused.head()).containsIgnoringCase("\r\nRetry-After: 1\r\n");
                assertThat(RawHttpClient.read(unread).body()).hasSizeGreaterThan(16 << 20);
            }
            assertThat(client.post(RawHttpClient.call(3, "small")).body()).contains("small");
        }
    }

    /** Checks the answers to a batch, each of which repeats an id that the client chose. */
    @ParameterizedTest
    @ValueSource(strings = {"1.0", "2.0"})
    void batchesWithLongIdsAreBounded(String version) throws Exception {
        String batch =
                IntStream.range(100, 1_100)
                        .mapToObj(
                                i ->
                                        "{\"jsonrpc\":\"%s\",\"id\":\"%s%s\",\"method\":\"ping\"}"
                                                .formatted(version, i, "\\u0001".repeat(1_000)))
                        .collect(Collectors.joining(",", "[", "]"));
        try (SmallHeap attacked = SmallHeap.start(BytesServer.class, "256m")) {
            RawHttpClient opened = RawHttpClient.open(attacked.port(), "127.0.0.2", "2025-03-26");
            for (int i = 0; i < 60 && attacked.isAlive(); i++) {
                Caller caller = new Caller(attacked.port(), 2);
                callers.add(caller);
                caller.send(opened.session(), batch).awaitAnswer();
            }

            assertThat(attacked.isAlive()).as(attacked.log()).isTrue();
            assertThat(Caller.works(attacked.port(), 3).body()).contains("small");
        }
    }
}
