package dev.fairlead.examples;

// @start region="metrics"
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.Doc;
import dev.fairlead.json.Range;
import dev.fairlead.opentelemetry.McpTelemetry;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;

import io.opentelemetry.exporter.prometheus.PrometheusHttpServer;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.MetricReader;

import java.util.concurrent.ThreadLocalRandom;

/** A server whose figures Prometheus reads, on a port of their own. */
final class Metrics {
    private Metrics() {}

    record Dice(
            @Doc("How many dice are rolled") @Range(min = 1, max = 100) int count,
            @Doc("How many sides each has") int sides) {}

    /**
     * Serves until the program ends.
     *
     * @param port 0 for a free one
     * @param reader exports the figures
     */
    static HttpServing serve(int port, MetricReader reader) {
        OpenTelemetrySdk openTelemetry =
                OpenTelemetrySdk.builder()
                        .setMeterProvider(
                                SdkMeterProvider.builder().registerMetricReader(reader).build())
                        .build();
        McpTelemetry telemetry = McpTelemetry.of(openTelemetry);
        McpServer server =
                McpServer.named("dice", "1.0.0")
                        .intercept(telemetry)
                        .tool("roll", "Rolls dice and returns their sum", Dice.class, Integer.class)
                        .handle((dice, call) -> roll(dice))
                        .build();
        HttpServing serving = server.serve(Http.port(port));
        telemetry.observeEndpoint("dice", serving::metrics);
        telemetry.observeQuickFeatures("dice", server::quickFeatures);
        telemetry.observeReplacedReaders();
        return serving;
    }

    private static int roll(Dice dice) {
        if (dice.sides() < 2) {
            throw new ToolFailedException("a die has at least two sides");
        }
        return ThreadLocalRandom.current().ints(dice.count(), 1, dice.sides() + 1).sum();
    }

    static PrometheusHttpServer prometheus(int port) {
        return PrometheusHttpServer.builder().setHost("127.0.0.1").setPort(port).build();
    }

    public static void main(String[] args) {
        int[] ports = Place.ports(args, 3001, 9464);
        System.out.println("listening on " + serve(ports[0], prometheus(ports[1])).uri());
        System.out.println("metrics on http://127.0.0.1:" + ports[1] + "/metrics");
    }
}
// @end
