package dev.fairlead.http;

import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.endpoint.EndpointContext;
import dev.fairlead.http.endpoint.MountedEndpoint;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.streamable.StreamableEndpoint;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServingDescription;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The access of operators to the endpoints of a mount. */
final class EndpointOperator implements HttpOperator {
    private final HttpMount mount;
    private final EndpointContext context;
    private final StreamableEndpoint streamable;
    private final List<MountedEndpoint> endpoints;

    /**
     * @param streamable one of the endpoints
     */
    EndpointOperator(
            HttpMount mount,
            EndpointContext context,
            StreamableEndpoint streamable,
            List<MountedEndpoint> endpoints) {
        this.mount = mount;
        this.context = context;
        this.streamable = streamable;
        this.endpoints = endpoints;
    }

    @Override
    public Optional<ServerOperator> server() {
        return context.host().operator();
    }

    @Override
    public Optional<HttpAuthorization> authorization() {
        return Optional.ofNullable(context.settings().authorization);
    }

    @Override
    public Optional<URI> uri(HttpExchange request) {
        return mount.uri().or(() -> request.localBase().map(base -> URI.create(base + path())));
    }

    @Override
    public String path() {
        return context.settings().path;
    }

    @Override
    public HttpMetrics metrics() {
        return mount.metrics();
    }

    @Override
    public ServingDescription description() {
        return mount.description();
    }

    @Override
    public Map<String, String> limits() {
        return context.settings().limits();
    }

    @Override
    public Stream<HttpSessionStatus> sessions() {
        return endpoints.stream().flatMap(MountedEndpoint::sessionStatuses);
    }

    @Override
    public boolean endSession(String name) {
        return endpoints.stream().anyMatch(endpoint -> endpoint.endSession(name));
    }

    @Override
    public void reportToNodes(Supplier<JsonObject> report) {
        streamable.reportToNodes(report);
    }

    @Override
    public List<JsonObject> nodeReports() {
        return streamable.nodeReports();
    }
}
