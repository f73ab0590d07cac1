package dev.fairlead.gateway;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.group.Naming;
import dev.fairlead.protocol.Remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What the builder of a gateway has collected about the servers behind it. */
final class UpstreamSettings {
    final List<Server> servers = new ArrayList<>();
    Naming naming = Naming.DEFAULT;
    int maxSessions = 100;
    int maxSubscriptions = 1_000;
    int maxCallConnections = 100;
    int maxCallConnectionsPerOwner = 16;
    Duration idleTimeout = Duration.ofMinutes(5);
    Duration connectWait = Duration.ofSeconds(10);
    Duration logWait = Duration.ofSeconds(1);

    /** A server behind the gateway. */
    record Server(String name, Remote remote, Consumer<McpClient.Builder> options) {}

    Server server(String name) {
        return servers.stream()
                .filter(server -> server.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    UpstreamSettings copy() {
        UpstreamSettings copy = new UpstreamSettings();
        copy.servers.addAll(servers);
        copy.naming = naming;
        copy.maxSessions = maxSessions;
        copy.maxSubscriptions = maxSubscriptions;
        copy.maxCallConnections = maxCallConnections;
        copy.maxCallConnectionsPerOwner = maxCallConnectionsPerOwner;
        copy.idleTimeout = idleTimeout;
        copy.connectWait = connectWait;
        copy.logWait = logWait;
        return copy;
    }
}
