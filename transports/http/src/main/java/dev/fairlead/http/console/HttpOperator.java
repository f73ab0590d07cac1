package dev.fairlead.http.console;

import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.options.HttpMetrics;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.ServerOperator;
import dev.fairlead.protocol.ServingDescription;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The access of operators to an HTTP endpoint. It reaches the sessions of all callers, so it must
 * never be given to a client. Thread-safe; not for implementation by users.
 */
public interface HttpOperator {
    /** Returns the access to the server; empty for a host of another make. */
    Optional<ServerOperator> server();

    /** Returns the authorization of the endpoint; empty where all callers are anonymous. */
    Optional<HttpAuthorization> authorization();

    /**
     * Returns the URL at which clients on this machine reach the endpoint. Where another HTTP
     * server has the port, as a servlet container has, it is that of the port at which a request to
     * the console came in: clients cannot choose it.
     *
     * @param request a request to the console beside the endpoint
     * @return empty before the port is open, and where that server does not report it
     */
    Optional<URI> uri(HttpExchange request);

    /** Returns the path of the endpoint. */
    String path();

    /** Returns the current figures. */
    HttpMetrics metrics();

    /** Describes the place and the settings of the endpoint. */
    ServingDescription description();

    /** Returns the limits in force by the names of their options. */
    Map<String, String> limits();

    /** Returns the sessions that are open now, in no order, each described when it is read. */
    Stream<HttpSessionStatus> sessions();

    /**
     * Ends a session, unless it has ended.
     *
     * @param name the name of the session in logs
     * @return false if there is no such session
     */
    boolean endSession(String name);

    /**
     * Sets the report of this node for operators at other nodes; it is empty before.
     *
     * @param report of at most 1 MiB as JSON; runs for each question of another node, and must
     *     return soon
     */
    void reportToNodes(Supplier<JsonObject> report);

    /**
     * Asks the other nodes of {@link dev.fairlead.http.options.Peers} for their reports. Blocks,
     * for half a second at most.
     *
     * @return those that came, in no order; empty if no requests are forwarded between nodes
     */
    List<JsonObject> nodeReports();
}
