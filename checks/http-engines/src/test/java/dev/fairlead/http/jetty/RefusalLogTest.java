package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Collectors;

/** Each refusal over a real socket is counted by its reason, and logged once. */
@Timeout(120)
class RefusalLogTest extends HttpTest {
    private final Logged logged = new Logged("dev.fairlead.refusals", Level.INFO);

    @AfterEach
    void stopRecording() {
        logged.close();
    }

    private static Map<RefusalReason, Long> counted(HttpServing serving) {
        return serving.metrics().refusals().entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Test
    void aRefusedOriginIsLoggedOnceWithWhatWasSent() throws IOException {
        HttpServing serving = serve();
        for (int i = 0; i < 5; i++) {
            method(serving, "POST", "Origin", "http://evil\u009b.example");
        }

        assertThat(counted(serving)).isEqualTo(Map.of(RefusalReason.ORIGIN, 5L));
        assertThat(logged.lines())
                .containsExactly(
                        "WARNING Refused a request with 403 (origin): This origin is not allowed:"
                            + " 'http://evil\\u009b.example'; add it to HttpOptions.allowOrigins"
                            + " (from 127.0.0.1)");
    }

    @Test
    void aWrongPathIsReportedWithThePathsThatThereAre() throws Exception {
        HttpServing serving = serveOnTimers(listener -> listener);
        try (Wire wire = Wire.to(serving)) {
            wire.raw("POST /mpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
            assertThat(wire.head().status()).isEqualTo(404);
        }

        assertThat(counted(serving)).isEqualTo(Map.of(RefusalReason.PATH, 1L));
        assertThat(logged.lines())
                .containsExactly(
                        "INFO Refused a request with 404 (path): Nothing is served at this path,"
                                + " but at /mcp: '/mpc' (from 127.0.0.1)");
    }

    @Test
    void everyKindOfRefusalIsCountedByItsReason() throws IOException {
        HttpServing serving =
                serveOnTimers(
                        listener -> listener.maxSessions(1).maxBody(10_000).requestRate(1, 14));
        method(serving, "POST", "Host", "evil.example");
        method(serving, "PUT");
        method(serving, "DELETE");
        method(serving, "DELETE", SESSION, "unknown");
        method(serving, "DELETE", SESSION, "unknown", VERSION, "1999-01-01");
        post(serving, "{}");
        post(serving, "[" + initialize("2025-03-26") + "]");
        post(serving, " ".repeat(20_000));
        post(serving, initialize("2025-11-25"), "Accept", "text/html");
        post(serving, initialize("2025-11-25"), "Content-Type", "text/plain");
        post(serving, initialize("2025-11-25"), "Content-Encoding", "gzip");
        Wire stream = wire(serving).get(SESSION, session(serving)); // not idle, so never evicted
        assertThat(stream.head().status()).isEqualTo(200);
        post(serving, initialize("2025-11-25"));
        for (int i = 0; i < 14; i++) { // as many as may come at once, and more than are left
            post(serving, initialize("2025-11-25"));
        }

        Map<RefusalReason, Long> counted = counted(serving);
        assertThat(counted)
                .containsEntry(RefusalReason.HOST, 1L)
                .containsEntry(RefusalReason.METHOD, 1L)
                .containsEntry(RefusalReason.SESSION_MISSING, 1L)
                .containsEntry(RefusalReason.SESSION_UNKNOWN, 1L)
                .containsEntry(RefusalReason.PROTOCOL_VERSION, 1L)
                .containsEntry(RefusalReason.MALFORMED, 1L)
                .containsEntry(RefusalReason.BATCH, 1L)
                .containsEntry(RefusalReason.BODY_SIZE, 1L)
                .containsEntry(RefusalReason.ACCEPT, 1L)
                .containsEntry(RefusalReason.CONTENT_TYPE, 1L)
                .containsEntry(RefusalReason.CONTENT_ENCODING, 1L)
                .containsKeys(RefusalReason.SESSION_LIMIT, RefusalReason.REQUEST_RATE)
                .hasSize(13);
        List<String> labels = counted.keySet().stream().map(RefusalReason::label).toList();
        assertThat(logged.lines())
                .as("one line for each reason")
                .hasSize(13)
                .allSatisfy(line -> assertThat(labels).anyMatch(line::contains));
    }
}
