package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.protocol.Revision;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.Container.Application;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.test.support.WaitingCalls;
import dev.fairlead.test.support.WaitingCalls.WaitingCall;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients of revision 2026-07-28 that leave a container; servers with the default times. */
@Tag("proof")
@Timeout(120)
class LeavingClientTest {
    private static final Duration BY_WRITING = Duration.ofSeconds(6);
    private static final String CALL =
            """
            {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params":
             {"name": "wait", "arguments": {"name": "%s"}, "_meta":
              {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
               "io.modelcontextprotocol/clientCapabilities": {}}}}\
            """;

    record Name(String name) {}

    private final WaitingCalls calls = new WaitingCalls();

    @AutoClose
    private final McpServer server =
            McpServer.named("patient", "1.0.0")
                    .revisions(Revision.V2026_07_28)
                    .tool("wait", "Waits", Name.class, String.class)
                    .handle((name, call) -> calls.handle(name.name()))
                    .build();

    /** How a client closes its connection. */
    @FunctionalInterface
    private interface Leaving {
        void leave(Wire wire) throws IOException;
    }

    /** Leaves when so many comments have come. */
    private Duration leave(Running container, String name, int comments, Leaving leaving)
            throws Exception {
        WaitingCall call = calls.call(name);
        Wire wire = new Wire(container.port());
        wire.send(
                "POST",
                "/mcp",
                CALL.formatted(name),
                "MCP-Protocol-Version",
                "2026-07-28",
                "Mcp-Method",
                "tools/call",
                "Mcp-Name",
                "wait");
        call.awaitBegun();
        if (comments > 0) {
            assertThat(wire.head().status()).isEqualTo(200);
        }
        for (int seen = 0; seen < comments; ) {
            seen += wire.bodyLine().startsWith(":") ? 1 : 0;
        }
        leaving.leave(wire);
        return call.awaitInterrupted();
    }

    @ParameterizedTest
    @EnumSource
    @Requirement({"N26-HTTP-011", "N26-HTTP-010", "N26-CANC-002"})
    void theHandlerIsInterruptedInTimeWheneverTheClientLeaves(Container container)
            throws Exception {
        McpServlet servlet = new McpServlet(server, Http.endpoint());
        List<Callable<Duration>> all = new ArrayList<>();
        try (Running running = container.start(Application.of("", Map.of("/mcp", servlet)));
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int comments = 0; comments < 4; comments++) {
                int seen = comments;
                all.add(() -> leave(running, "closes after " + seen, seen, Wire::leave));
                all.add(() -> leave(running, "crashes after " + seen, seen, Wire::close));
            }
            for (Future<Duration> noticed : clients.invokeAll(all)) {
                assertThat(noticed.get()).isLessThanOrEqualTo(BY_WRITING);
            }
        }
    }
}
