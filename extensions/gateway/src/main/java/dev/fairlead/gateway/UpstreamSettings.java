package dev.fairlead.gateway;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.group.Naming;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.options.CopyOnChange;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The settings of a gateway's builder about the servers behind it. */
final class UpstreamSettings extends CopyOnChange<UpstreamSettings> {
    List<Server> servers = new ArrayList<>();
    Naming naming = Naming.STRICT;
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

    @Override
    public UpstreamSettings copy() {
        UpstreamSettings copy = super.copy();
        copy.servers = List.copyOf(servers);
        return copy;
    }
}
