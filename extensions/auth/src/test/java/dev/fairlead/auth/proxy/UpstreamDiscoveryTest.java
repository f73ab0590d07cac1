package dev.fairlead.auth.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.test.support.Awaiting;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** The metadata of an upstream, as many logins need it at the same time or in an outage. */
@Timeout(90)
class UpstreamDiscoveryTest {
    private static final FetchLimits LONG =
            new FetchLimits(Duration.ofMinutes(5), Duration.ofMinutes(5), 256 * 1024, 3);

    private final TestUpstream upstream = new TestUpstream();
    private final AtomicInteger fetches = new AtomicInteger();
    private final CountDownLatch gate = new CountDownLatch(1);
    private volatile Instant now = Instant.parse("2100-01-01T00:00:00Z");
    private volatile boolean isAway;

    private final UpstreamDiscovery discovery =
            new UpstreamDiscovery(
                    upstream.url(),
                    new Fetch(UrlPolicy.loopbackAllowed(), LONG),
                    ((InstantSource) () -> now).withZone(ZoneOffset.UTC));

    UpstreamDiscoveryTest() throws IOException {
        upstream.metadata =
                document -> {
                    fetches.incrementAndGet();
                    if (isAway) {
                        throw new IllegalStateException("away");
                    }
                    return document;
                };
    }

    @AfterEach
    void close() {
        gate.countDown();
        upstream.close();
    }

    @Test
    void simultaneousRequestsShareAFetch() throws Exception {
        var counted = upstream.metadata;
        upstream.metadata =
                document -> {
                    JsonObject same = counted.apply(document);
                    Uninterruptibly.await(gate::await);
                    return same;
                };
        List<FutureTask<UpstreamServer>> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            FutureTask<UpstreamServer> request = new FutureTask<>(discovery::server);
            requests.add(request);
            Thread asking = Thread.ofVirtual().start(request);
            Awaiting.await().until(() -> asking.getState() == Thread.State.WAITING);
        }
        gate.countDown();

        for (FutureTask<UpstreamServer> request : requests) {
            assertThat(request.get().issuer()).isEqualTo(upstream.url());
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void formerMetadataIsUsedForAWhileInAnOutage() throws Exception {
        UpstreamServer former = discovery.server();
        isAway = true;
        now = now.plus(UpstreamDiscovery.KEPT);
        assertThat(discovery.server()).isSameAs(former);
        int once = fetches.get();
        assertThat(discovery.server()).isSameAs(former);
        assertThat(fetches).as("no other attempt before the pause is over").hasValue(once);
        now = now.plus(UpstreamDiscovery.PAUSE);
        assertThat(discovery.server()).isSameAs(former);
        assertThat(fetches).hasValueGreaterThan(once);

        now = now.plus(UpstreamDiscovery.OUTAGE);
        assertThatThrownBy(discovery::server).isInstanceOf(IOException.class);
        isAway = false;
        assertThat(discovery.server()).isEqualTo(former).isNotSameAs(former);
    }
}
