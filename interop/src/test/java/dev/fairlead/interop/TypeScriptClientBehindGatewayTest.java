package dev.fairlead.interop;

import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.showcase.Serve;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The client of the TypeScript SDK, in a session and under revision 2026-07-28, with the gateway in
 * front of the showcase, which serves sessions or revision 2026-07-28 alone.
 */
class TypeScriptClientBehindGatewayTest {
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private Stream<DynamicTest> checks(String peer, String oldest, String newest) throws Exception {
        ChildProcess showcase =
                ChildProcess.start(
                        ChildJvm.command(
                                Serve.class,
                                "--http",
                                "127.0.0.1:0",
                                "--oldest",
                                oldest,
                                "--newest",
                                newest));
        open.add(showcase);
        Gateway gateway =
                Gateway.named("gateway", "1")
                        .connectWait(Duration.ofSeconds(60))
                        .server("showcase", Http.to(URI.create(showcase.url())))
                        .build();
        open.add(gateway);
        return Checks.run(
                Npm.script("run.mjs", peer, "http"),
                List.of(gateway.serve(Http.port(0)).uri().toString()));
    }

    @TestFactory
    Stream<DynamicTest> sessionsOnBothSides() throws Exception {
        return checks("gateway-handshake", "2024-11-05", "2025-11-25");
    }

    @TestFactory
    Stream<DynamicTest> aSessionBeforeRevision20260728() throws Exception {
        return checks("gateway-handshake", "2026-07-28", "2026-07-28");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728BeforeSessions() throws Exception {
        return checks("gateway-pinned", "2024-11-05", "2025-11-25");
    }

    @TestFactory
    Stream<DynamicTest> revision20260728OnBothSides() throws Exception {
        return checks("gateway-pinned", "2026-07-28", "2026-07-28");
    }
}
