package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.RetryableError;
import dev.fairlead.protocol.engine.KeyedRateLimiter;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

@Requirement("TOOL-023")
class RateLimitTest {
    private final AtomicLong nanos = new AtomicLong();

    private RateLimit limit(RateLimit settings) {
        return settings.clock(nanos::get);
    }

    private static int passed(RateLimit limit, Object key, int attempts) {
        int passed = 0;
        for (int i = 0; i < attempts; i++) {
            try {
                limit.limiter().check("tools/call", key);
                passed++;
            } catch (JsonRpcException e) {
                assertThat(e.code()).isEqualTo(-32000);
            }
        }
        return passed;
    }

    @Test
    void anAllowanceRefillsSteadilyAndNeverBeyondItsSize() {
        RateLimit limit = limit(RateLimit.of(10, Duration.ofSeconds(1)).burst(5));

        assertThat(passed(limit, "a", 20)).isEqualTo(5);
        nanos.addAndGet(200_000_000);
        assertThat(passed(limit, "a", 20)).isEqualTo(2);
        nanos.addAndGet(3_600_000_000_000L);
        assertThat(passed(limit, "a", 20)).isEqualTo(5);
    }

    @Test
    void aRefusedCallContainsTheTimeUntilTheNextIsAllowed() {
        RateLimit limit = limit(RateLimit.of(10, Duration.ofSeconds(1)).burst(1));
        limit.limiter().check("tools/call", "a");

        assertThat(wait(limit)).isEqualTo(Duration.ofMillis(100));
        nanos.addAndGet(98_500_000);
        assertThat(wait(limit)).isEqualTo(Duration.ofMillis(2)); // rounded up
        nanos.addAndGet(1_499_999);
        assertThat(wait(limit)).isEqualTo(Duration.ofMillis(1));
        nanos.addAndGet(1);
        limit.limiter().check("tools/call", "a");
    }

    private static Duration wait(RateLimit limit) {
        JsonRpcException refused =
                catchThrowableOfType(
                        JsonRpcException.class, () -> limit.limiter().check("tools/call", "a"));
        return RetryableError.retryAfter(refused.error()).orElseThrow();
    }

    @Test
    void otherMethodsAreNotCounted() {
        RateLimit limit = limit(RateLimit.of(1, Duration.ofHours(1)).methods("x/y"));

        assertThat(passed(limit, "a", 20)).isEqualTo(20);
        limit.limiter().check("x/y", "a");
        assertThatThrownBy(() -> limit.limiter().check("x/y", "a"))
                .isInstanceOf(JsonRpcException.class);
    }

    @Test
    void theAllowancesKeptAreBounded() {
        RateLimit limit = limit(RateLimit.of(1, Duration.ofHours(1)));
        for (int i = 0; i < KeyedRateLimiter.MAX_KEYS + 100; i++) {
            limit.limiter().check("tools/call", "caller " + i);
        }

        assertThat(limit.limiter().keys()).isEqualTo(KeyedRateLimiter.MAX_KEYS);
    }

    @Test
    void callersWithAFullBucketAreForgotten() {
        RateLimit limit = limit(RateLimit.of(1, Duration.ofSeconds(1)).burst(1));
        for (int i = 0; i < 1_000; i++) {
            limit.limiter().check("tools/call", "caller " + i);
            nanos.addAndGet(100_000_000);
        }

        assertThat(limit.limiter().keys()).isLessThanOrEqualTo(100);
        assertThat(passed(limit, "caller 999", 1)).isZero();
    }

    /** A user may have many tokens, with scopes of their own. */
    @Test
    void anAllowanceIsThatOfAUserWhateverTheScopesOfTheToken() throws Exception {
        try (McpServer server =
                        McpServer.named("limited", "1")
                                .tool("count", "Counts", Nothing.class, String.class)
                                .handle((nothing, call) -> "one")
                                .intercept(limit(RateLimit.of(1, Duration.ofHours(1))))
                                .build();
                Peer one = Peer.raw(server, ada("read"));
                Peer two = Peer.raw(server, ada("read", "write"))) {
            one.initialize("2025-11-25", "{}");
            two.initialize("2025-11-25", "{}");
            one.callTool("count", "{}");

            JsonObject refused =
                    two.error("tools/call", "{\"name\": \"count\", \"arguments\": {}}");
            assertThat(Peer.code(refused)).isEqualTo(-32000);
        }
    }

    record Nothing() {}

    private static Caller ada(String... scopes) {
        return Caller.of("https://login.example", "ada", null, Set.of(scopes));
    }
}
