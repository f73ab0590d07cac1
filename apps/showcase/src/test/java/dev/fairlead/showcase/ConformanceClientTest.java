package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The output of {@code fairlead conformance-client} instead of a call. */
@Timeout(120)
class ConformanceClientTest {
    private record Ended(int status, String err) {}

    private static Ended run(Map<String, String> environment, String url) throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(err, true, StandardCharsets.UTF_8);
        int status = ConformanceClient.run(new String[] {url}, environment, print);
        return new Ended(status, err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aServerThatCannotBeReachedIsReportedInOneLine() throws Exception {
        try (Socket taken = new Socket()) { // nothing listens there
            taken.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = taken.getLocalPort();
            Ended ended = run(Map.of(), "http://127.0.0.1:" + port + "/mcp");
            assertThat(ended.err().lines())
                    .singleElement()
                    .asString()
                    .startsWith("fairlead conformance-client: ")
                    .endsWith("connection refused; nothing listens on port " + port);
            assertThat(ended.status()).isEqualTo(1);
        }
    }

    @Test
    void aRevisionThatIsUnknownIsNamed() throws Exception {
        Ended ended =
                run(
                        Map.of("MCP_CONFORMANCE_PROTOCOL_VERSION", "2020-01-01"),
                        "http://127.0.0.1:1/mcp");
        assertThat(ended)
                .isEqualTo(
                        new Ended(
                                64,
                                "fairlead conformance-client: MCP_CONFORMANCE_PROTOCOL_VERSION must"
                                    + " be one of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25,"
                                    + " 2026-07-28 but was 2020-01-01\n"));
    }
}
