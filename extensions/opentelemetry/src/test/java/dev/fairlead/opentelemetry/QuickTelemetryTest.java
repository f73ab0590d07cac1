package dev.fairlead.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.relay.Relay;
import dev.fairlead.protocol.relay.Watchdog;

import io.opentelemetry.sdk.metrics.data.LongPointData;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** The metrics on the threads of handlers. */
@Timeout(60)
class QuickTelemetryTest {
    private final Recorded recorded = new Recorded();
    private final McpTelemetry telemetry = McpTelemetry.of(recorded.openTelemetry());

    @AfterEach
    void close() {
        recorded.close();
    }

    private List<LongPointData> gauge() {
        return recorded.metrics().stream()
                .filter(data -> data.getName().equals("mcp.server.features.quick"))
                .flatMap(data -> data.getLongGaugeData().getPoints().stream())
                .toList();
    }

    @Test
    void theQuickFeaturesOfAServerAreCounted() {
        List<String> quick = new CopyOnWriteArrayList<>();
        var reports = telemetry.observeQuickFeatures("reports", () -> quick);
        assertThat(gauge()).singleElement().returns(0L, LongPointData::getValue);

        quick.add("greet");
        LongPointData point = gauge().getFirst();
        assertThat(point.getValue()).isOne();
        assertThat(point.getAttributes().get(Conventions.SERVER_NAME)).isEqualTo("reports");

        reports.close();
        assertThat(gauge()).isEmpty();
    }

    /** A reader blocks in its handler until another one reads. */
    @Test
    void replacedReadersAreCounted() throws Exception {
        telemetry.observeReplacedReaders();
        CountDownLatch readers = new CountDownLatch(2);
        Relay[] relay = new Relay[1];
        relay[0] =
                new Relay(
                        "reader",
                        Thread.ofVirtual().factory(),
                        Watchdog.shared(),
                        () -> {
                            readers.countDown();
                            relay[0].run("handler", () -> await(readers));
                        });
        relay[0].start();
        readers.await();
        relay[0].stop();

        assertThat(recorded.count("mcp.server.readers.replaced").getValue())
                .isPositive()
                .isLessThanOrEqualTo(Watchdog.shared().replacements());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
