package dev.fairlead.interop;

import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.protocol.Era;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

import java.util.List;
import java.util.stream.Stream;

/**
 * The client of another SDK, in a session and under revision 2026-07-28, with the gateway in front
 * of the showcase, which serves sessions or revision 2026-07-28 alone.
 */
abstract class ClientBehindGatewayChecks {
    private static ChildProcess older;
    private static ChildProcess newer;

    @BeforeAll
    static void start() throws Exception {
        older = Showcase.overHttp("--oldest", "2024-11-05", "--newest", "2025-11-25");
        newer = Showcase.overHttp("--oldest", "2026-07-28", "--newest", "2026-07-28");
    }

    @AfterAll
    static void stop() throws Exception {
        try (ChildProcess one = older;
                ChildProcess other = newer) {}
    }

    /** The command line of the checks with a client, to which the gateway is added. */
    abstract List<String> script(Era client, String transport);

    /** Between the client and the gateway: {@code http} or {@code stdio}. */
    String transport() {
        return "http";
    }

    private Stream<DynamicTest> checks(Era client, ChildProcess server) throws Exception {
        List<String> script = script(client, transport());
        return transport().equals("http")
                ? overHttp(script, server)
                : Checks.run(script, ChildJvm.command(StdioGateway.class, server.url()));
    }

    private Stream<DynamicTest> overHttp(List<String> script, ChildProcess server)
            throws Exception {
        try (Gateway gateway = StdioGateway.before(server.url())) {
            String url = gateway.serve(Http.port(0)).uri().toString();
            return Checks.run(script, List.of(url));
        }
    }

    @TestFactory
    Stream<DynamicTest> sessionsOnBothSides() throws Exception {
        return checks(Era.HANDSHAKE, older);
    }

    @TestFactory
    Stream<DynamicTest> aSessionBeforeRevision20260728() throws Exception {
        return checks(Era.HANDSHAKE, newer);
    }

    @TestFactory
    Stream<DynamicTest> revision20260728BeforeSessions() throws Exception {
        return checks(Era.PER_REQUEST, older);
    }

    @TestFactory
    Stream<DynamicTest> revision20260728OnBothSides() throws Exception {
        return checks(Era.PER_REQUEST, newer);
    }
}
