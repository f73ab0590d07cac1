package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.RateLimit;

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

/** Calls without sessions and authorization, of which a server allows one for each address. */
@Timeout(60)
@Requirement("TOOL-023")
class AllowancesByAddressTest {
    private static final String CALL =
            """
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
             "params": {"name": "echo", "arguments": {}}}\
            """;

    private final McpServer server =
            McpServer.named("s", "1")
                    .rateLimit(RateLimit.of(1, Duration.ofHours(1)))
                    .tool("echo", "Answers at once", NoInput.class, String.class)
                    .handle((none, call) -> "echoed")
                    .build();

    @AfterEach
    void close() {
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
