package dev.fairlead.opentelemetry;

import io.opentelemetry.api.common.AttributesBuilder;

/** How the conventions call transports. */
final class Network {
    private Network() {}

    /** Adds the network attributes of a transport; none for unknown transports. */
    static void put(String transport, AttributesBuilder attributes) {
        switch (transport) {
            case "http", "sse" ->
                    attributes.put(Conventions.TRANSPORT, "tcp").put(Conventions.PROTOCOL, "http");
            case "stdio" -> attributes.put(Conventions.TRANSPORT, "pipe");
            default -> {}
        }
    }
}
