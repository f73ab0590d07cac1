package dev.fairlead.cli.servers;

import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.protocol.Remote;
import dev.fairlead.stdio.StdioCommand;

/** A server, ready to be connected to. */
public sealed interface Target {
    /**
     * The name of the server in messages: its name in the servers file, its URL without the query,
     * or its program. Holds no secrets.
     */
    String label();

    /** The way to the server. */
    Remote remote();

    /** Returns how the server is reached. */
    Transport transport();

    /** A server behind a URL. */
    record Endpoint(String label, HttpConnector remote, Transport transport) implements Target {
        /** A server over Streamable HTTP, or over the transport that is detected there. */
        Endpoint(String label, HttpConnector remote) {
            this(label, remote, Transport.HTTP);
        }

        /**
         * The same server with a header on each request. {@code Authorization} takes the place of a
         * login.
         *
         * @throws TargetException if the protocol sets this header, or HTTP does not allow it
         */
        public Endpoint withHeader(String name, String value) {
            try {
                HttpConnector with =
                        name.equalsIgnoreCase("Authorization")
                                ? remote.authorization(new GivenAuthorization(value))
                                : remote.header(name, value);
                return new Endpoint(label, with, transport);
            } catch (IllegalArgumentException e) { // its message may hold the value
                throw new TargetException(
                        "the header "
                                + name
                                + " cannot be sent: the protocol sets it itself, or its name or"
                                + " value has characters that HTTP does not allow");
            }
        }

        /** The same server over HTTP+SSE. */
        Endpoint overSse() {
            return new Endpoint(label, remote.legacySse(), Transport.SSE);
        }
    }

    /** A server that is started as a child process. */
    record Program(String label, StdioCommand remote) implements Target {
        @Override
        public Transport transport() {
            return Transport.STDIO;
        }
    }
}
