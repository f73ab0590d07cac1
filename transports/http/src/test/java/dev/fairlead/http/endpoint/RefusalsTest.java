package dev.fairlead.http.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.protocol.RequestRefusal;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;

class RefusalsTest {
    private static final HttpRefusal FULL =
            new HttpRefusal(RefusalReason.SESSION_LIMIT, "Session limit reached (10)");

    private final List<RequestRefusal> seen = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000); // it may overflow
    private final Refusals refusals = new Refusals(new CountingHost(), nanos::get);
    private final Logged logged = new Logged(Refusals.LOGGER_NAME, Level.INFO);

    private final class CountingHost implements SessionHost {
        @Override
        public Session open(SessionContext context) {
            throw new IllegalStateException("no session is opened here");
        }

        @Override
        public void refused(RequestRefusal request) {
            seen.add(request);
        }
    }

    @AfterEach
    void close() {
        logged.close();
    }

    private void add(HttpRefusal refusal) {
        refusals.add(refusal, refusal.reason().status(), Optional.empty());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void theFirstRefusalIsLoggedAtOnceWithTheOptionThatChangesIt() throws UnknownHostException {
        InetAddress from = InetAddress.getByAddress(new byte[] {(byte) 203, 0, 113, 7});
        refusals.add(FULL, 503, Optional.of(from));

        assertThat(logged.lines())
                .containsExactly(
                        "WARNING Refused a request with 503 (session_limit): Session limit reached"
                                + " (10); raise HttpOptions.maxSessions (from 203.0.113.7)");
    }

    @Test
    void furtherOnesAreCountedAndLoggedOnceAMinute() {
        for (int i = 0; i < 1_000; i++) {
            add(FULL);
        }
        refusals.flush();
        assertThat(logged.lines()).hasSize(1);

        pass(Duration.ofSeconds(59));
        add(FULL);
        refusals.flush();
        assertThat(logged.lines()).hasSize(1);

        pass(Duration.ofSeconds(1));
        refusals.flush();
        refusals.flush();
        assertThat(logged.lines())
                .hasSize(2)
                .last()
                .isEqualTo(
                        "WARNING Refused 1000 requests with 503 (session_limit): Session limit"
                                + " reached (10); raise HttpOptions.maxSessions");

        pass(Duration.ofHours(1));
        refusals.flush();
        assertThat(logged.lines()).hasSize(2);
    }

    @Test
    void eachReasonHasItsOwnLineAndCount() {
        add(FULL);
        add(new HttpRefusal(RefusalReason.UNAUTHORIZED, "No token"));
        add(FULL);

        assertThat(logged.lines())
                .hasSize(2)
                .last()
                .isEqualTo("INFO Refused a request with 401 (unauthorized): No token");
        assertThat(refusals.counts())
                .hasSize(RefusalReason.values().length)
                .containsEntry(RefusalReason.SESSION_LIMIT, 2L)
                .containsEntry(RefusalReason.UNAUTHORIZED, 1L)
                .containsEntry(RefusalReason.ORIGIN, 0L);
        assertThat(seen)
                .containsExactly(
                        new RequestRefusal("http", "session_limit", 503),
                        new RequestRefusal("http", "unauthorized", 401),
                        new RequestRefusal("http", "session_limit", 503));
    }

    @Test
    void whatAPeerSentIsCleanedAndShortened() {
        String evil = "http://a\u001b[2J\r\nFORGED\u009b\u202e" + "x".repeat(10_000);
        add(new HttpRefusal(RefusalReason.ORIGIN, "This origin is not allowed", evil, null));

        String line = logged.lines().get(0);
        assertThat(line)
                .startsWith(
                        "WARNING Refused a request with 403 (origin): This origin is not allowed:"
                                + " 'http://a\\u001b[2J\\u000d\\u000aFORGED\\u009b\\u202exxx")
                .endsWith("…" + " (10022 characters)'; add it to HttpOptions.allowOrigins");
        assertThat(line.length()).isLessThan(500);
    }
}
