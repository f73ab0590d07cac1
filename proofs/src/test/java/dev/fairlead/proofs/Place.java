package dev.fairlead.proofs;

import dev.fairlead.http.Http;
import dev.fairlead.protocol.Remote;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

/** Where the server of a proof is, seen from its client. */
enum Place {
    IN_PROCESS {
        @Override
        Served serve() {
            McpServer server = ProofServer.create();
            return new Served(server.inProcess(), server::close);
        }
    },
    CHILD_PROCESS {
        @Override
        Served serve() {
            return new Served(Stdio.command(Child.command(ProofServer.class)), () -> {});
        }
    },
    HTTP {
        @Override
        Served serve() {
            McpServer server = ProofServer.create();
            return new Served(Http.to(server.serve(Http.port(0)).uri()), server::close);
        }
    };

    abstract Served serve();

    /**
     * A server that is there.
     *
     * @param end ends what the end of the connection does not end
     */
    record Served(Remote remote, Runnable end) {}
}
