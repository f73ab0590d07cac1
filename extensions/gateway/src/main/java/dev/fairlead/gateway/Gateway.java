package dev.fairlead.gateway;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.Naming;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.options.Checks;
import dev.fairlead.server.McpServer;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One server that fronts several: it lists their features together and passes on requests,
 * progress, cancellation in both directions, questions to the person and the model, roots, log
 * messages, changes of lists and resources. Names and URIs that several servers use are treated as
 * in {@link McpClients}. Thread-safe; close it when done.
 *
 * <p>Each session of a client has connections of its own to the servers, with the capabilities of
 * that client. They are opened with the first request that needs them and closed with the session,
 * so that a server's state of a session, and its questions, never reach another client. Requests of
 * clients without sessions share connections where they have the same caller, capabilities and log
 * level; an anonymous caller is known by its address or pipe. A call during which a server of an
 * older revision may ask has a connection alone. The input requests of a server of revision
 * 2026-07-28 are passed on with its state, so that a retry may reach another process of the
 * gateway.
 *
 * <p>A server that is down harms no other: requests to it fail with {@code -32603} and a message
 * that names it, and it is connected again by itself.
 *
 * {@snippet :
 * try (Gateway gateway =
 *         Gateway.named("desk", "1.4.0")
 *                 .server("files", Stdio.command("npx", "server-filesystem", "."))
 *                 .server("memory", Stdio.command("npx", "server-memory"))
 *                 .build()) {
 *     gateway.serve(Http.port(3000)).await();
 * }
 * }
 */
public final class Gateway implements AutoCloseable {
    private final Upstreams upstreams;
    private final McpServer server;

    private Gateway(Upstreams upstreams, McpServer server) {
        this.upstreams = upstreams;
        this.server = server;
    }

    /**
     * Begins a gateway.
     *
     * @param name the name that is sent to clients and servers
     * @param version of it
     */
    public static Builder named(String name, String version) {
        return new Builder(new Implementation(name, version));
    }

    /** Serves the gateway in a place; as {@link McpServer#serve(Endpoint)}. */
    public <S extends Serving> S serve(Endpoint<S> endpoint) {
        return server.serve(endpoint);
    }

    /** The gateway for a client in the same process; as {@link McpServer#inProcess}. */
    public Remote inProcess() {
        return server.inProcess();
    }

    /** Returns how many sessions have connections to the servers at the moment. */
    public int sessions() {
        return upstreams.size();
    }

    /**
     * Returns how many connections clients without sessions share at the moment, to all servers
     * each.
     */
    int sharedConnections() {
        return upstreams.shared();
    }

    /** Returns how many connections there are for single calls at the moment. */
    int callConnections() {
        return upstreams.callConnections();
    }

    /**
     * Ends every session and its connections to the servers; blocks until that is done. May be
     * called more than once, from any thread.
     */
    @Override
    public void close() {
        server.close();
        upstreams.close();
    }

    /** The configuration of a gateway. Not thread-safe. */
    public static final class Builder {
        private final Implementation implementation;
        private final McpClients.Builder servers;
        private final McpServer.Builder front;
        private final UpstreamSettings settings = new UpstreamSettings();
        private int pageSize = 200;

        private Builder(Implementation implementation) {
            this.implementation = implementation;
            this.servers = McpClients.named(implementation.name(), implementation.version());
            this.front = McpServer.named(implementation).maxNotificationsPerSecond(1_000);
        }

        /**
         * Adds a server, as {@link McpClients.Builder#server(String, Remote)}.
         *
         * @throws IllegalArgumentException if another server has the name
         */
        public Builder server(String name, Remote remote) {
            return server(name, remote, client -> {});
        }

        /**
         * Adds a server with options for the clients that connect to it.
         *
         * @param options runs for each connection; handlers, listeners and roots are the gateway's
         *     and must not be set
         */
        public Builder server(String name, Remote remote, Consumer<McpClient.Builder> options) {
            servers.server(name, remote, options); // which checks them
            settings.servers.add(new UpstreamSettings.Server(name, remote, options));
            return this;
        }

        /**
         * Sets how names of tools and prompts look; {@link Naming#STRICT} unless set, since many
         * hosts and models take no others. {@link Naming#DEFAULT} leaves dots and other marks where
         * they are.
         */
        public Builder naming(Naming naming) {
            settings.naming = Objects.requireNonNull(naming, "naming");
            return this;
        }

        /** Sets how to use the gateway, for the model; none without it. */
        public Builder instructions(String text) {
            front.instructions(text);
            return this;
        }

        /**
         * Sets how many sessions may have connections to the servers; 100 unless set, and one in
         * four more for callers that have few. Requests of others are refused with {@code -32000}.
         * A caller is the subject of the authorization, or the address.
         */
        public Builder maxSessions(int sessions) {
            settings.maxSessions = Checks.positive(sessions, "maxSessions");
            return this;
        }

        /**
         * Sets how many connections to servers may be open for single calls of clients without
         * sessions that can be asked, by servers of older revisions and by tasks; 100 unless set. A
         * caller may have 16 to each server unless set, those included that its calls share, which
         * are one for each set of capabilities and log level. Anonymous callers are counted by
         * address. Idle ones make room; a call beyond that waits for one as long as {@link
         * #connectWait}, and is then refused with {@code -32000}.
         *
         * @param all at least 1
         * @param perCaller at least 1
         */
        public Builder maxCallConnections(int all, int perCaller) {
            settings.maxCallConnections = Checks.positive(all, "maxCallConnections");
            settings.maxCallConnectionsPerOwner = Checks.positive(perCaller, "perCaller");
            return this;
        }

        /**
         * Sets how long connections of clients without sessions are kept after their last use; 5
         * minutes unless set.
         */
        public Builder idleTimeout(Duration limit) {
            settings.idleTimeout = Checks.positive(limit, "idleTimeout");
            return this;
        }

        /**
         * Sets how many resources a session may watch; 1,000 unless set. One more is refused with
         * {@code -32000}.
         */
        public Builder maxSubscriptions(int subscriptions) {
            settings.maxSubscriptions = Checks.positive(subscriptions, "maxSubscriptions");
            return this;
        }

        /**
         * Sets how long the first request of a session waits for servers that are slow; 10 seconds
         * unless set. They join when they are there, and the client is notified. A call waits
         * equally long for a connection of its own, see {@link #maxCallConnections}.
         */
        public Builder connectWait(Duration limit) {
            settings.connectWait = Checks.positive(limit, "connectWait");
            return this;
        }

        /** Sets how long a result may wait for the log messages that came before it. */
        Builder logWait(Duration limit) {
            settings.logWait = limit;
            return this;
        }

        /** Sets how many items a page of a list has at most; 200 unless set. */
        public Builder pageSize(int items) {
            pageSize = Checks.positive(items, "pageSize");
            return this;
        }

        /** Other options of the server that clients meet; it must have no delegate. */
        public Builder front(Consumer<McpServer.Builder> options) {
            options.accept(front);
            return this;
        }

        /**
         * Makes the gateway. No server is started yet.
         *
         * @throws IllegalStateException if there is no server to front
         */
        public Gateway build() {
            if (settings.servers.isEmpty()) {
                throw new IllegalStateException("a gateway needs at least one server");
            }
            Upstreams upstreams = new Upstreams(implementation, settings.copy());
            String described =
                    "features of the servers "
                            + settings.servers.stream()
                                    .map(UpstreamSettings.Server::name)
                                    .collect(Collectors.joining(", "));
            return new Gateway(
                    upstreams,
                    front.delegate(new RequestForwarder(upstreams, pageSize, described)).build());
        }
    }
}
