package dev.fairlead.cli.servers;

import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.protocol.Remote;
import dev.fairlead.stdio.StdioCommand;

/** A server, ready to be connected to. */
public sealed interface Target {
    /**
     * What to call the server in messages: its name in the servers file, its URL without the query,
     * or its program. Holds no secrets.
     */
    String label();

    /** The way to the server. */
    Remote remote();

    /** How the server is reached. */
    Transport transport();

    /** A server behind a URL. */
    record Endpoint(String label, HttpConnector remote) implements Target {
        @Override
        public Transport transport() {
            return Transport.HTTP;
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
