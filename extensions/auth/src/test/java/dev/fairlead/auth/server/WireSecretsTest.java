package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.WireSecrets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log of frames is on in all tests of this module, so that {@link WireSecrets} sees them. */
@Timeout(90)
class WireSecretsTest {
    @Test
    void aRequestWithATokenIsLoggedWithoutIt() throws Exception {
        try (TestIssuer issuer = new TestIssuer("login");
                GuardedServer server =
                        new GuardedServer(
                                ResourceServer.at(RESOURCE)
                                        .trust(issuer.url())
                                        .clock(new SetClock()))) {
            String token = issuer.token();
            String session = server.session(token);
            server.call(session, token, "who");

            assertThat(WireSecrets.lines())
                    .anyMatch(line -> line.contains("Authorization: Bearer ***"))
                    .anyMatch(line -> line.contains("MCP-Session-Id: ***"))
                    .anyMatch(line -> line.contains("\"method\":\"tools/call\""))
                    .noneMatch(line -> line.contains(token))
                    .noneMatch(line -> line.contains(session));
        }
    }
}
