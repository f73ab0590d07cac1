package dev.fairlead.http.options;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The way in which the nodes that share a store of sessions reach each other: a port of its own, on
 * which each node takes the requests that other nodes forward to the owner of a session. Immutable.
 *
 * {@snippet :
 * Http.port(3000).eventStore(JdbcEvents.on(database)).peers(Peers.listen("10.0.0.7", 3999))
 * }
 *
 * <p>Nodes authenticate each other by a key that they derive from the keys of request states, which
 * they have to share. Messages are authentic but not encrypted: let only the nodes reach the port.
 */
public final class Peers {
    /** How many exchanges a node forwards at a time, unless {@link #maxForwarded} is set. */
    public static final int MAX_FORWARDED = 1_000;

    private static final Pattern ADDRESS =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+):([0-9]{1,5})");

    private final String host;
    private final int port;
    private final String advertised; // empty: the host and the port that is bound
    private final int maxForwarded;

    private Peers(String host, int port, String advertised, int maxForwarded) {
        this.host = host;
        this.port = port;
        this.advertised = advertised;
        this.maxForwarded = maxForwarded;
    }

    /**
     * Listens for other nodes at an address of this machine.
     *
     * @param host name or address to bind, under which the other nodes reach this one unless {@link
     *     #advertise} names another
     * @param port 0 takes a free one
     * @throws IllegalArgumentException if the port is not between 0 and 65535
     */
    public static Peers listen(String host, int port) {
        Objects.requireNonNull(host, "host");
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("a port is between 0 and 65535 but was " + port);
        }
        return new Peers(host, port, "", MAX_FORWARDED);
    }

    /**
     * Sets the address at which the other nodes reach this one.
     *
     * @param address such as {@code 10.0.0.7:3999}
     * @throws IllegalArgumentException if it is not a host and a port
     */
    public Peers advertise(String address) {
        if (!ADDRESS.matcher(address).matches()) {
            throw new IllegalArgumentException(
                    "an address is host:port, such as 10.0.0.7:3999, but was " + address);
        }
        return new Peers(host, port, address, maxForwarded);
    }

    /**
     * Sets how many exchanges this node forwards at a time, streams among them; 1,000 by default.
     * More are refused with 503.
     *
     * @throws IllegalArgumentException if not positive
     */
    public Peers maxForwarded(int exchanges) {
        if (exchanges < 1) {
            throw new IllegalArgumentException("maxForwarded must be positive, not " + exchanges);
        }
        return new Peers(host, port, advertised, exchanges);
    }

    /** Returns the name or address to bind. */
    public String host() {
        return host;
    }

    /** Returns the port to bind; 0 for a free one. */
    public int port() {
        return port;
    }

    /** Returns the number of exchanges that this node forwards at a time. */
    public int maxForwarded() {
        return maxForwarded;
    }

    /**
     * Returns the address that other nodes connect to.
     *
     * @param bound the port that was bound
     */
    public String address(int bound) {
        if (!advertised.isEmpty()) {
            return advertised;
        }
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host)
                + ":"
                + bound;
    }
}
