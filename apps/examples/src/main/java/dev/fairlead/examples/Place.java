package dev.fairlead.examples;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Endpoint;
import dev.fairlead.protocol.Serving;
import dev.fairlead.stdio.Stdio;

/** The place where an example serves, from the end of its arguments: {@code [http [PORT]]}. */
// @start region="place"
final class Place {
    private static final int DEFAULT_PORT = 3001;

    private Place() {}

    /** Standard input and output without arguments, else a port of this machine. */
    static Endpoint<? extends Serving> of(String... arguments) {
        if (arguments.length == 0) {
            return Stdio.streams();
        }
        if (!arguments[0].equals("http") || arguments.length > 2) {
            throw new UsageException("unexpected arguments: " + String.join(" ", arguments));
        }
        int port = arguments.length == 1 ? DEFAULT_PORT : port(arguments[1]);
        return host -> {
            HttpServing serving = Http.port(port).serve(host);
            System.out.println("listening on " + serving.uri());
            return serving;
        };
    }

    /** The ports that are named, and these where none is. */
    static int[] ports(String[] arguments, int... usual) {
        if (arguments.length > usual.length) {
            throw new UsageException("unexpected arguments: " + String.join(" ", arguments));
        }
        int[] ports = usual.clone();
        for (int i = 0; i < arguments.length; i++) {
            ports[i] = port(arguments[i]);
        }
        return ports;
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // falls through to the one message for every bad port
        }
        throw new UsageException("a port is a number from 0 to 65535 but was " + text);
    }
}
// @end
