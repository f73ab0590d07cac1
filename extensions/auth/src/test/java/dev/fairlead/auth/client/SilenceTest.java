package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Secrets are never logged or reported, at any level. */
@Timeout(60)
@Requirement("AUTH-053")
class SilenceTest {
    /** The server of the tests. */
    private static final List<String> OTHERS = List.of("com.sun.net", "sun.", "jdk.");

    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final Logger root = Logger.getLogger("");
    private final Level usual = root.getLevel();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Handler listener =
            new Handler() {
                @Override
                public void publish(LogRecord entry) {
                    String name = String.valueOf(entry.getLoggerName());
                    if (OTHERS.stream().noneMatch(name::startsWith)) {
                        said.add(entry.getMessage() + Arrays.toString(entry.getParameters()));
                        say(entry.getThrown());
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        listener.setLevel(Level.ALL);
        root.setLevel(Level.ALL);
        root.addHandler(listener);
    }

    @AfterEach
    void listenNoMore() {
        root.removeHandler(listener);
        root.setLevel(usual);
    }

    private void say(Throwable thrown) {
        if (thrown != null) {
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            said.add(trace.toString());
        }
    }

    private void fails(OAuth oauth) {
        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .satisfies(this::say);
    }

    private void assertSilent() {
        assertThat(said).isNotEmpty();
        assertThat(String.join("\n", said))
                .doesNotContainPattern("(access|refresh|code)-\\d")
                .doesNotContain("s3cret", "id-token", "statement-", "code_verifier", "state=");
        for (Map<String, String> asked : issuer.tokenRequests) {
            assertThat(String.join("\n", said))
                    .doesNotContain(asked.getOrDefault("code_verifier", "no verifier"));
        }
        for (Map<String, String> asked : issuer.authorizations) {
            assertThat(String.join("\n", said)).doesNotContain(asked.get("state"));
        }
    }

    @Test
    void aLoginARefreshAndALogout() throws Exception {
        OAuth oauth = desk.confidential("mine", "s3cret");
        desk.call(oauth);
        issuer.valid.clear();
        desk.call(oauth);
        issuer.shortOf = "admin";
        desk.call(oauth);
        say(new AssertionError(oauth.logins().toString()));
        say(new AssertionError(oauth.logout(issuer.mcp()).toString()));

        assertSilent();
    }

    @Test
    void whatFails() throws Exception {
        desk.call(desk.oauth);
        issuer.valid.clear();
        issuer.tokens = answer -> JsonObject.of("error", "invalid_grant");
        fails(desk.oauth);
        issuer.tokens = answer -> answer.with("token_type", "mac");
        fails(desk.oauth);
        issuer.tokens = answer -> answer.without("access_token").with("token", "access-9");
        fails(desk.oauth);
        issuer.redirect =
                parameters ->
                        Map.of(
                                "code",
                                "code-9",
                                "state",
                                parameters.get("state"),
                                "iss",
                                "https://evil.example");
        fails(desk.oauth);
        fails(OAuth.withTokenStore(desk.store));

        assertSilent();
    }

    @Test
    void whatMachinesShow() throws Exception {
        desk.call(
                OAuth.clientCredentials("nightly", Secret.from(() -> "s3cret"))
                        .issuer(issuer.issuer()));
        desk.call(
                OAuth.enterpriseManaged(
                                "desk",
                                Secret.from(() -> "s3cret"),
                                IdentityProvider.at(
                                        URI.create(issuer.issuer() + "/provider"), "desk"),
                                () -> "id-token")
                        .issuer(issuer.issuer()));
        desk.call(
                OAuth.workload("batch", () -> "statement-of-the-platform").issuer(issuer.issuer()));
        issuer.isDpop = true;
        desk.call(desk.oauth.dpop());
        issuer.tokens = answer -> JsonObject.of("error", "invalid_client");
        issuer.valid.clear();
        fails(
                OAuth.clientCredentials("nightly", Secret.from(() -> "s3cret"))
                        .issuer(issuer.issuer()));

        assertSilent();
        assertThat(String.join("\n", said)).doesNotContain("\"d\":"); // of the private key
    }
}
