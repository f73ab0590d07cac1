package dev.fairlead.auth.server;

import static dev.fairlead.auth.server.GuardedServer.INITIALIZE;
import static dev.fairlead.auth.server.GuardedServer.challenge;
import static dev.fairlead.auth.server.TestIssuer.RESOURCE;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Tokens that the operator has chosen. */
@Timeout(90)
class StaticTokenTest {
    private static final Secret TOKEN = Secret.from(() -> "let-me-in");

    private static ResourceServer at(String resource) {
        return ResourceServer.at(resource).staticToken(TOKEN, "ann", "reports:read");
    }

    @Test
    @Requirement("SEC-018")
    void itAdmitsTheSubjectWithItsScopes() throws Exception {
        ResourceServer chosen =
                at(RESOURCE).staticToken(Secret.from(() -> "all"), "root", "reports:purge");
        try (GuardedServer server = new GuardedServer(chosen)) {
            String session = server.session("let-me-in");

            assertThat(server.call(session, "let-me-in", "who").body())
                    .contains("ann@" + RESOURCE + " by Optional.empty");
            assertThat(server.call(session, "let-me-in", "purge").statusCode()).isEqualTo(403);
            assertThat(server.call(session, "all", "who").statusCode()).isEqualTo(404);
            assertThat(server.call(server.session("all"), "all", "purge").body()).contains("done");
            for (String wrong : List.of("let-me-i", "let-me-in2", "LET-ME-IN", "x")) {
                assertThat(server.initialize(wrong).statusCode()).isEqualTo(401);
            }
        }
    }

    @Test
    void withoutAnIssuerNoMetadataIsServed() throws Exception {
        try (GuardedServer server = new GuardedServer(at(RESOURCE))) {
            assertThat(challenge(server.post("/mcp", INITIALIZE))).startsWith("Bearer, DPoP algs=");
            assertThat(server.get("/.well-known/oauth-protected-resource").statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void tokensOfAnIssuerAreTakenBesideIt() throws Exception {
        try (TestIssuer issuer = new TestIssuer("login");
                GuardedServer server =
                        new GuardedServer(at(RESOURCE).trust(issuer.url()).clock(new SetClock()))) {
            assertThat(server.initialize("let-me-in").statusCode()).isEqualTo(200);
            assertThat(server.initialize(issuer.token()).statusCode()).isEqualTo(200);
            assertThat(server.get("/.well-known/oauth-protected-resource").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aServerForOthersIsWarnedOf() throws Exception {
        assertThat(warnings(RESOURCE))
                .containsExactly(
                        "Fixed development tokens are accepted by {0}: they never expire; use them"
                                + " for development only");
        assertThat(warnings("http://127.0.0.1:8080/mcp")).isEmpty();
        assertThat(warnings("http://localhost/mcp")).isEmpty();
    }

    private static List<String> warnings(String resource) throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(ResourceServer.class.getName());
        Handler ear =
                new Handler() {
                    @Override
                    public void publish(LogRecord record) {
                        heard.add(record.getMessage());
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.addHandler(ear);
        try (GuardedServer server = new GuardedServer(at(resource))) {
            server.initialize("let-me-in");
        } finally {
            logger.removeHandler(ear);
        }
        return heard;
    }

    @Test
    void whatCannotBeSentIsRefusedAtTheStart() {
        for (String token : List.of("two words", "é", "=x")) {
            ResourceServer chosen =
                    ResourceServer.at(RESOURCE).staticToken(Secret.from(() -> token), "ann");

            assertThatThrownBy(() -> new GuardedServer(chosen))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("a token has the characters A-Z a-z 0-9 ")
                    .hasMessageNotContaining(token);
        }
    }
}
