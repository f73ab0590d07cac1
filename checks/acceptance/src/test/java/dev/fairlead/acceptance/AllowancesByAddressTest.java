package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RateLimit;
import dev.fairlead.test.shared.PerRequestFrames;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Calls without sessions and authorization, of which a server allows one for each address. */
@Timeout(60)
@Requirement("TOOL-023")
class AllowancesByAddressTest {
    private static final String CALL =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
             "params": {"name": "echo", "arguments": {}}}\
            """;

    private final List<HttpClient> clients = new ArrayList<>();
    private final McpServer server =
            McpServer.named("s", "1")
                    .rateLimit(RateLimit.of(1, Duration.ofHours(1)))
                    .maxListenStreamsPerCaller(1)
                    .tool("echo", "Answers at once", NoInput.class, String.class)
                    .handle((none, call) -> "echoed")
                    .build();

    @AfterEach
    void close() {
        clients.forEach(HttpClient::shutdownNow);
        server.close();
    }

    private HttpServing serve(HttpListener listener) throws IOException {
        return server.serve(listener.stateless().shutdownGrace(Duration.ofMillis(100)));
    }

    private static boolean isServed(HttpServing serving, String from, String... headers)
            throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().localAddress(InetAddress.getByName(from)).build()) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(serving.uri())
                            .header("Accept", "application/json, text/event-stream")
                            .header("Content-Type", "application/json")
                            .header("MCP-Protocol-Version", "2025-11-25")
                            .POST(BodyPublishers.ofString(CALL));
            if (headers.length > 0) {
                request.headers(headers);
            }
            String answer = client.send(request.build(), BodyHandlers.ofString()).body();
            assertThat(answer).containsAnyOf("echoed", "Too many calls");
            return answer.contains("echoed");
        }
    }

    @Test
    void eachAddressHasAnAllowanceOfItsOwn() throws Exception {
        HttpServing serving = serve(Http.port(0));

        assertThat(isServed(serving, "127.0.0.1")).isTrue();
        assertThat(isServed(serving, "127.0.0.1")).isFalse();
        assertThat(isServed(serving, "127.0.0.2")).isTrue();
        assertThat(isServed(serving, "127.0.0.2")).isFalse();
    }

    @Test
    void callsOfRequestsWithoutHandshakeAreCountedByAddress() throws Exception {
        HttpServing serving = serve(Http.port(0));
        String call = PerRequestFrames.call("echo");
        var headers = PerRequestFrames.headers("tools/call", "echo");

        assertThat(status(serving, "127.0.0.1", call, headers)).isEqualTo(200);
        assertThat(status(serving, "127.0.0.1", call, headers)).isEqualTo(429);
        assertThat(status(serving, "127.0.0.2", call, headers)).isEqualTo(200);
        assertThat(status(serving, "127.0.0.2", call, headers)).isEqualTo(429);
    }

    @Test
    @Requirement("N26-SUB-014")
    void listenStreamsAreCountedByAddress() throws Exception {
        HttpServing serving = serve(Http.port(0));
        String listen =
                PerRequestFrames.request(
                        "7",
                        "subscriptions/listen",
                        "\"notifications\": {\"toolsListChanged\": true}");
        var headers = PerRequestFrames.headers("subscriptions/listen", null);

        assertThat(status(serving, "127.0.0.1", listen, headers)).isEqualTo(200);
        assertThat(status(serving, "127.0.0.1", listen, headers)).isEqualTo(429);
        assertThat(status(serving, "127.0.0.2", listen, headers)).isEqualTo(200);
        assertThat(status(serving, "127.0.0.2", listen, headers)).isEqualTo(429);
    }

    /** Leaves a stream open. */
    private int status(HttpServing serving, String from, String body, Map<String, String> headers)
            throws Exception {
        HttpClient client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .localAddress(InetAddress.getByName(from))
                        .build();
        clients.add(client);
        return client.send(
                        PerRequestFrames.post(serving.uri(), body, headers),
                        BodyHandlers.ofInputStream())
                .statusCode();
    }

    @Test
    void behindATrustedProxyTheAddressThatItReportsCounts() throws Exception {
        HttpServing serving = serve(Http.port(0).trustProxies("127.0.0.1"));

        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "203.0.113.1")).isTrue();
        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "203.0.113.2")).isTrue();
        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "203.0.113.1")).isFalse();
    }

    @Test
    void addressesOfIPv6CountByTheirFirst64Bits() throws Exception {
        HttpServing serving = serve(Http.port(0).trustProxies("127.0.0.1"));

        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "2001:db8:1:2::1")).isTrue();
        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "2001:db8:1:2::2")).isFalse();
        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "2001:db8:1:3::1")).isTrue();
    }

    @Test
    void whatAnUntrustedPeerReportsIsIgnored() throws Exception {
        HttpServing serving = serve(Http.port(0).trustProxies("127.0.0.9"));

        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "203.0.113.1")).isTrue();
        assertThat(isServed(serving, "127.0.0.1", "X-Forwarded-For", "203.0.113.2")).isFalse();
    }
}
