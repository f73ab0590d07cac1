package dev.fairlead.opentelemetry;

import dev.fairlead.test.support.Awaiting;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The SDK with exporters in memory. */
final class Recorded implements AutoCloseable {
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
    private final OpenTelemetrySdk sdk =
            OpenTelemetrySdk.builder()
                    .setTracerProvider(
                            SdkTracerProvider.builder()
                                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                                    .build())
                    .setMeterProvider(
                            SdkMeterProvider.builder().registerMetricReader(metrics).build())
                    .setPropagators(
                            ContextPropagators.create(
                                    TextMapPropagator.composite(
                                            W3CTraceContextPropagator.getInstance(),
                                            W3CBaggagePropagator.getInstance())))
                    .build();

    OpenTelemetry openTelemetry() {
        return sdk;
    }

    List<SpanData> spans() {
        return spans.getFinishedSpanItems();
    }

    /** The one span of a name and kind, once it has ended. */
    SpanData span(String name, SpanKind kind) {
        return only(spans(name, kind));
    }

    /** The spans of a name and kind that have ended, once there is one. */
    List<SpanData> spans(String name, SpanKind kind) {
        return await(
                () ->
                        spans().stream()
                                .filter(span -> span.getName().equals(name))
                                .filter(span -> span.getKind() == kind)
                                .toList());
    }

    /** The points measured under a name so far. */
    Stream<HistogramPointData> points(String metric) {
        return metrics().stream()
                .filter(data -> data.getName().equals(metric))
                .flatMap(data -> data.getHistogramData().getPoints().stream());
    }

    /** The one point of a metric, once it is there. */
    HistogramPointData point(String metric) {
        return only(await(() -> points(metric).toList()));
    }

    /** The one count of a metric, once it is there. */
    LongPointData count(String metric) {
        return only(
                await(
                        () ->
                                metrics().stream()
                                        .filter(data -> data.getName().equals(metric))
                                        .flatMap(data -> data.getLongSumData().getPoints().stream())
                                        .toList()));
    }

    List<MetricData> metrics() {
        return List.copyOf(metrics.collectAllMetrics());
    }

    /** Returns the elements found, once there is one. */
    private static <T> List<T> await(Supplier<List<T>> look) {
        return Awaiting.await().until(look::get, found -> !found.isEmpty());
    }

    private <T> T only(List<T> found) {
        if (found.size() != 1) {
            throw new AssertionError("not one, but " + found + " of " + spans());
        }
        return found.get(0);
    }

    @Override
    public void close() {
        sdk.close();
    }
}
