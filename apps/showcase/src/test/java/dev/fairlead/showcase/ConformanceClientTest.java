package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.Map;

/** What {@code fairlead conformance-client} reports in the place of a call. */
@Timeout(60)
class ConformanceClientTest {
    private record Ended(int status, String err) {}

    private static Ended run(Map<String, String> environment, String url)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(ConformanceClient.class, url));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String err = new String(process.getErrorStream().readAllBytes());
        return new Ended(process.waitFor(), err);
    }

    @Test
    void aServerThatCannotBeReachedIsReportedInOneLine() throws Exception {
        Ended ended = run(Map.of(), "http://127.0.0.1:1/mcp");
        assertThat(ended.err().lines())
                .singleElement()
                .asString()
                .startsWith("fairlead conformance-client: ")
                .endsWith("connection refused; nothing listens on port 1");
        assertThat(ended.status()).isEqualTo(1);
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
