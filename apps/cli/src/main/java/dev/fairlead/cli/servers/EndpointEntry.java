package dev.fairlead.cli.servers;

import dev.fairlead.http.client.HttpConnector;

import java.util.Map;

/** A server behind a URL. */
final class EndpointEntry implements ServerEntry {
    private final Definition definition;
    private final Transport transport;
    private final String url;
    private final Map<String, String> headers;

    EndpointEntry(Definition definition, Transport transport) {
        this.definition = definition;
        this.transport = transport;
        url = definition.text("url");
        headers = definition.textsByName("headers");
    }

    @Override
    public String name() {
        return definition.server();
    }

    @Override
    public Transport transport() {
        return transport;
    }

    /** User information and query may hold secrets. */
    @Override
    public String summary() {
        return Secrets.url(url);
    }

    @Override
    public Target target() {
        definition.use();
        HttpConnector connector = connector();
        if (headers.keySet().stream().noneMatch("Authorization"::equalsIgnoreCase)) {
            connector = connector.authorization(new StoredLogins());
        }
        for (Map.Entry<String, String> header : headers.entrySet()) {
            connector = withHeader(connector, header.getKey(), header.getValue());
        }
        Target.Endpoint target = new Target.Endpoint(name(), connector);
        return transport == Transport.SSE ? target.overSse() : target;
    }

    private HttpConnector connector() {
        try {
            return Endpoints.at(definition.expand("url", url));
        } catch (IllegalArgumentException e) {
            throw definition.wrong("url: " + e.getMessage());
        }
    }

    private HttpConnector withHeader(HttpConnector connector, String name, String value) {
        String expanded = definition.expand("headers." + name, value);
        try {
            return connector.header(name, expanded);
        } catch (IllegalArgumentException e) { // its message may hold the value
            throw definition.wrong(
                    "headers."
                            + name
                            + " cannot be sent: the protocol sets this header itself, or its name"
                            + " or value has characters that HTTP does not allow");
        }
    }
}
