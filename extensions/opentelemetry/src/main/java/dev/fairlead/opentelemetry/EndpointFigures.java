package dev.fairlead.opentelemetry;

import dev.fairlead.http.options.HttpMetrics;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The figures of an endpoint, which are all read from one look at it for each export. */
final class EndpointFigures {
    private final Meter meter;
    private final Map<ObservableLongMeasurement, ToLongFunction<HttpMetrics>> all =
            new LinkedHashMap<>();

    private EndpointFigures(Meter meter) {
        this.meter = meter;
        gauge("sessions", "{session}", "Open sessions.", HttpMetrics::sessions);
        gauge("streams", "{stream}", "Streams of events with a connection.", HttpMetrics::streams);
        gauge("requests", "{request}", "Messages under way.", HttpMetrics::requests);
        counter("requests.taken", "{request}", "Messages taken.", HttpMetrics::requestsTaken);
        counter(
                "requests.refused",
                "{request}",
                "Requests refused for a bound.",
                HttpMetrics::requestsRefused);
        counter(
                "messages.dropped",
                "{message}",
                "Messages that no client received.",
                HttpMetrics::messagesDropped);
    }

    static BatchCallback observe(Meter meter, String server, Supplier<HttpMetrics> endpoint) {
        EndpointFigures figures = new EndpointFigures(meter);
        Attributes attributes = Attributes.of(Conventions.SERVER_NAME, server);
        List<ObservableMeasurement> measurements = new ArrayList<>(figures.all.keySet());
        return meter.batchCallback(
                () -> {
                    HttpMetrics now = endpoint.get();
                    figures.all.forEach(
                            (measurement, figure) ->
                                    measurement.record(figure.applyAsLong(now), attributes));
                },
                measurements.getFirst(),
                measurements.subList(1, measurements.size()).toArray(ObservableMeasurement[]::new));
    }

    private void gauge(
            String name, String unit, String description, ToLongFunction<HttpMetrics> figure) {
        all.put(
                meter.gaugeBuilder(Conventions.ENDPOINT + name)
                        .ofLongs()
                        .setUnit(unit)
                        .setDescription(description)
                        .buildObserver(),
                figure);
    }

    private void counter(
            String name, String unit, String description, ToLongFunction<HttpMetrics> figure) {
        all.put(
                meter.counterBuilder(Conventions.ENDPOINT + name)
                        .setUnit(unit)
                        .setDescription(description)
                        .buildObserver(),
                figure);
    }
}
