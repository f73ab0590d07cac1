package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A login gets more scopes when a server wants them, within limits. */
@Timeout(60)
class StepUpTest {
    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;

    @Test
    @Requirement({"AUTH-049", "AUTH-051", "AUTH-017", "N26-AUTH-015"})
    void scopesThatAreMissingAreAskedForWithThoseThatAreThere() throws Exception {
        OAuth modest = oauth.scopes("read");
        desk.call(modest);
        issuer.shortOf = "admin";
        issuer.tokens =
                answer -> {
                    issuer.shortOf = "";
                    return answer;
                };

        assertThat(desk.call(modest)).isEqualTo(200);
        assertThat(issuer.authorizations)
                .extracting(asked -> asked.get("scope"))
                .containsExactly("read", "read admin");
    }

    @Test
    @Requirement({"AUTH-052", "ROOM-088", "N26-AUTH-015"})
    void scopesThatDoNotHelpAreNotAskedForAgain() throws Exception {
        desk.call(oauth);
        issuer.shortOf = "admin";

        assertThat(desk.call(oauth)).isEqualTo(403);
        assertThat(desk.call(oauth)).isEqualTo(403);
        assertThat(issuer.authorizations).hasSize(2);
    }

    @Test
    @Requirement({"AUTH-052", "ROOM-088"})
    void aServerThatWantsEverMoreScopesIsGivenUp() throws Exception {
        desk.call(oauth);
        issuer.shortOf = "admin-0";
        issuer.tokens =
                answer -> {
                    issuer.shortOf = "admin-" + issuer.tokenRequests.size();
                    return answer;
                };

        assertThat(desk.call(oauth)).isEqualTo(403);
        assertThat(desk.call(oauth)).isEqualTo(403);
        assertThat(issuer.authorizations).hasSize(1 + 3);
    }
}
