package dev.fairlead.spring.boot.starter;

import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.servlet.McpServlet;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import java.util.function.ToDoubleFunction;

/** The figures of the endpoint, as meters {@code mcp.server.http.*}. */
record EndpointMeters(McpServlet servlet) implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "sessions", "Open sessions", HttpMetrics::sessions);
        gauge(registry, "streams", "Streams of events with a connection", HttpMetrics::streams);
        gauge(registry, "requests", "Messages under way", HttpMetrics::requests);
        counter(registry, "requests.taken", "Messages taken", HttpMetrics::requestsTaken);
        counter(registry, "requests.refused", "Refused for a bound", HttpMetrics::requestsRefused);
        counter(
                registry,
                "messages.dropped",
                "Messages that no client received",
                HttpMetrics::messagesDropped);
        counter(registry, "forwarded", "Forwarded to other nodes", HttpMetrics::forwarded);
        for (RefusalReason reason : RefusalReason.values()) {
            refusals(registry, reason);
        }
    }

    private void refusals(MeterRegistry registry, RefusalReason reason) {
        FunctionCounter.builder(
                        "mcp.server.http.refusals",
                        servlet,
                        now -> read(now, metrics -> metrics.refusals().getOrDefault(reason, 0L)))
                .description("Refused requests by reason")
                .tag("reason", reason.label())
                .register(registry);
    }

    private void gauge(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<HttpMetrics> figure) {
        Gauge.builder("mcp.server.http." + name, servlet, now -> read(now, figure))
                .description(description)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<HttpMetrics> figure) {
        FunctionCounter.builder("mcp.server.http." + name, servlet, now -> read(now, figure))
                .description(description)
                .register(registry);
    }

    private static double read(McpServlet servlet, ToDoubleFunction<HttpMetrics> figure) {
        return servlet.metrics().map(figure::applyAsDouble).orElse(0.0);
    }
}
