package dev.fairlead.acceptance;

import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpOptions;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.shared.ProofServer;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.Scale;

import java.net.URI;
import java.time.Duration;

/** The place of the server of a proof, seen from its client. */
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
            return new Served(
                    Stdio.command(ChildJvm.command(ProofServer.class).toArray(String[]::new)),
                    () -> {});
        }
    },
    HTTP {
        @Override
        Served serve() {
            McpServer server = ProofServer.create();
            return new Served(Http.to(server.serve(port()).uri()), server::close);
        }
    },
    /** HTTP+SSE of revision 2024-11-05, which the client finds out by itself. */
    LEGACY_SSE {
        @Override
        Served serve() {
            McpServer server = ProofServer.create();
            URI uri = server.serve(port().legacySse()).uri().resolve("/sse");
            return new Served(Http.to(uri), server::close);
        }

        @Override
        boolean carries(Revision revision) {
            return revision.era() == Era.HANDSHAKE;
        }
    },
    /** The same endpoint in Tomcat, below the path of an application. */
    SERVLET {
        @Override
        Served serve() {
            McpServer server = ProofServer.create();
            ServletPlace place = ServletPlace.of(server);
            return new Served(
                    Http.to(place.uri()),
                    () -> {
                        place.close();
                        server.close();
                    });
        }
    },
    GATEWAY {
        @Override
        boolean asksByRequests(Revision revision) {
            return false;
        }
    },
    GATEWAY_BEFORE_A_HANDSHAKE {
        @Override
        Revision newest() {
            return Revision.V2025_11_25;
        }
    },
    GATEWAY_BEFORE_2025_06_18 {
        @Override
        Revision newest() {
            return Revision.V2025_06_18;
        }
    },
    GATEWAY_BEFORE_2025_03_26 {
        @Override
        Revision newest() {
            return Revision.V2025_03_26;
        }
    },
    GATEWAY_BEFORE_2024_11_05 {
        @Override
        Revision newest() {
            return Revision.V2024_11_05;
        }
    },
    GATEWAY_BEFORE_HTTP {
        @Override
        Served serve() {
            return beforeHttp(newest());
        }

        @Override
        boolean asksByRequests(Revision revision) {
            return false;
        }
    },
    GATEWAY_BEFORE_HTTP_WITH_HANDSHAKE {
        @Override
        Served serve() {
            return beforeHttp(newest());
        }

        @Override
        Revision newest() {
            return Revision.V2025_11_25;
        }
    },
    GATEWAY_OVER_STDIO {
        @Override
        Served serve() {
            return new Served(
                    Stdio.command(ChildJvm.command(StdioGateway.class).toArray(String[]::new)),
                    () -> {});
        }

        @Override
        boolean asksByRequests(Revision revision) {
            return false;
        }
    },
    CHILD_PROCESS_BEHIND_GATEWAY_OVER_HTTP {
        @Override
        boolean asksByRequests(Revision revision) {
            return false;
        }

        @Override
        Served serve() {
            Gateway gateway =
                    gateway(
                            Stdio.command(
                                    ChildJvm.command(ProofServer.class).toArray(String[]::new)),
                            Revision.V2026_07_28);
            return new Served(Http.to(gateway.serve(port()).uri()), gateway::close);
        }
    },
    CHILD_PROCESS_WITH_HANDSHAKE_BEHIND_GATEWAY_OVER_HTTP {
        @Override
        boolean isOneProcess(Revision revision) {
            return revision.era() == Era.HANDSHAKE;
        }

        @Override
        Served serve() {
            Gateway gateway =
                    gateway(
                            Stdio.command(
                                    ChildJvm.command(ProofServer.class).toArray(String[]::new)),
                            newest());
            return new Served(Http.to(gateway.serve(port()).uri()), gateway::close);
        }

        @Override
        Revision newest() {
            return Revision.V2025_11_25;
        }
    };

    private static HttpListener port() {
        return withHeartbeat(Http.port(0));
    }

    /**
     * By the next heartbeat of the stream of a call a server notices that a client without a
     * session has closed the connection. Only at full size that takes as long as by default.
     */
    static <S extends HttpOptions<S>> S withHeartbeat(S options) {
        return Scale.isFull()
                ? options
                : options.streamAfter(Duration.ofMillis(250)).heartbeat(Duration.ofMillis(250));
    }

    /** A gateway in a process of its own. */
    static final class StdioGateway {
        private StdioGateway() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (McpServer server = ProofServer.create();
                    Gateway gateway = gateway(server.inProcess(), Revision.V2026_07_28)) {
                gateway.serve(Stdio.streams()).await();
            }
        }
    }

    private static Served beforeHttp(Revision newest) {
        McpServer server = ProofServer.create();
        return behindGateway(server, Http.to(server.serve(port()).uri()), newest);
    }

    private static Served behindGateway(McpServer server, Remote remote, Revision newest) {
        Gateway gateway = gateway(remote, newest);
        return new Served(
                gateway.inProcess(),
                () -> {
                    gateway.close();
                    server.close();
                });
    }

    /**
     * @param newest revision that is spoken with the server
     */
    private static Gateway gateway(Remote remote, Revision newest) {
        return Gateway.named("proof", "1")
                .instructions("Everything is for proofs.")
                .pageSize(ProofServer.PAGE)
                .server(
                        "proof",
                        remote,
                        client ->
                                client.revisions(Revision.V2024_11_05, newest)
                                        .probeTimeout(Duration.ofMinutes(1)))
                .connectWait(Duration.ofSeconds(60))
                .build();
    }

    Served serve() {
        McpServer server = ProofServer.create();
        return behindGateway(server, server.inProcess(), newest());
    }

    /** The newest revision that is spoken with the server. */
    Revision newest() {
        return Revision.V2026_07_28;
    }

    /** Whether a revision can be spoken there. */
    boolean carries(Revision revision) {
        return true;
    }

    /** Whether calls at the same time meet the same process. */
    boolean isOneProcess(Revision revision) {
        return true;
    }

    /** Returns whether the server asks its questions by requests, for a client of a revision. */
    boolean asksByRequests(Revision revision) {
        return revision.era() == Era.HANDSHAKE || newest().era() == Era.HANDSHAKE;
    }

    /**
     * A running server.
     *
     * @param end ends the processes that the end of the connection does not end
     */
    record Served(Remote remote, Runnable end) {}
}
