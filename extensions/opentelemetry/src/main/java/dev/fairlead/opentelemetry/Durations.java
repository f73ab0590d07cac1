package dev.fairlead.opentelemetry;

import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;

/** The histograms of the conventions. */
record Durations(
        DoubleHistogram clientOperation,
        DoubleHistogram serverOperation,
        DoubleHistogram clientSession,
        DoubleHistogram serverSession) {
    static Durations of(Meter meter) {
        return new Durations(
                histogram(
                        meter,
                        Conventions.CLIENT_OPERATION,
                        "The duration of an MCP request as observed on the sender, from the time it"
                                + " was sent until the response is received."),
                histogram(
                        meter,
                        Conventions.SERVER_OPERATION,
                        "The duration of an MCP request as observed on the receiver, from the time"
                                + " it was received until the result is there."),
                histogram(
                        meter,
                        Conventions.CLIENT_SESSION,
                        "The duration of the MCP session as observed on the MCP client."),
                histogram(
                        meter,
                        Conventions.SERVER_SESSION,
                        "The duration of the MCP session as observed on the MCP server."));
    }

    private static DoubleHistogram histogram(Meter meter, String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .setExplicitBucketBoundariesAdvice(Conventions.BUCKETS)
                .build();
    }
}
