package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.FreePort;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The redirect of a browser is accepted only if it fits the login. */
@Timeout(60)
class RedirectTest {
    private static final String NOT_OF_THIS_LOGIN =
            "no login within 50 ms; a redirect was not accepted, since it was malformed or had not"
                    + " the state of this login";

    @AutoClose private final Desk desk = new Desk();
    private final ScriptedIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;

    @Test
    @Requirement({"AUTH-067", "AUTH-063", "N26-AUTH-006", "N26-AUTH-007"})
    void aRedirectFromAnotherIssuerIsRefused() {
        issuer.redirect = parameters -> with(parameters, "iss", "https://evil.example");
        desk.assertRefused(
                oauth,
                "the redirect is from another authorization server: it names "
                        + "https://evil.example"
                        + ", not "
                        + issuer.issuer());

        issuer.redirect = parameters -> with(parameters, "iss", issuer.issuer() + "/");
        desk.assertRefused(
                oauth,
                "the redirect is from another authorization server: it names "
                        + issuer.issuer()
                        + "/"
                        + ", not "
                        + issuer.issuer());

        issuer.redirect = parameters -> without(parameters, "iss");
        desk.assertRefused(oauth, "the redirect does not name its authorization server (iss)");

        issuer.metadata =
                document -> document.without("authorization_response_iss_parameter_supported");
        issuer.redirect = parameters -> with(parameters, "iss", "https://evil.example");
        desk.assertRefused(
                oauth,
                "the redirect is from another authorization server: it names "
                        + "https://evil.example"
                        + ", not "
                        + issuer.issuer());
    }

    @Test
    @Requirement("N26-AUTH-007")
    void anErrorFromAnotherIssuerIsNotShown() {
        issuer.redirect =
                parameters ->
                        with(
                                with(parameters, "error", "access_denied"),
                                "iss",
                                "https://evil.example");

        desk.assertRefused(
                oauth,
                "the redirect is from another authorization server: it names "
                        + "https://evil.example"
                        + ", not "
                        + issuer.issuer());
    }

    @Test
    @Requirement({"AUTH-063", "ROOM-086", "N26-AUTH-022"})
    void aRedirectWithAnotherStateOrNoneIsDiscarded() {
        OAuth hasty = oauth.loginTimeout(Duration.ofMillis(50));
        issuer.redirect = parameters -> with(parameters, "state", "other");
        desk.assertRefused(hasty, NOT_OF_THIS_LOGIN);

        issuer.redirect = parameters -> without(parameters, "state");
        desk.assertRefused(hasty, NOT_OF_THIS_LOGIN);
    }

    @Test
    void aLoginThatIsRefusedSaysWhy() {
        issuer.redirect =
                parameters ->
                        with(
                                with(without(parameters, "code"), "error", "access_denied"),
                                "error_description",
                                "not \u001b[31mtoday");

        desk.assertRefused(
                oauth,
                "the authorization server refuses the login: access_denied (not  [31mtoday)");
    }

    @Test
    @Requirement("AUTH-063")
    void aSecondRedirectOfALoginIsNotTaken() throws Exception {
        OAuth twice =
                oauth.browser(
                        url -> {
                            desk.visit(url);
                            desk.visit(url); // brings another code, with the same state
                        });

        assertThat(desk.call(twice)).isEqualTo(200);
        assertThat(issuer.authorizations).hasSize(2);
        assertThat(issuer.tokenRequests)
                .extracting(asked -> asked.get("code"))
                .containsExactly("code-1");
    }

    @Test
    @Requirement("AUTH-063")
    void theRedirectOfAnEarlierLoginIsNotTaken() throws Exception {
        desk.call(oauth);
        String earlier = issuer.authorizations.getFirst().get("state");
        issuer.redirect = parameters -> with(with(parameters, "state", earlier), "code", "stolen");

        assertThatThrownBy(() -> desk.call(oauth.forceLogin().loginTimeout(Duration.ofMillis(50))))
                .hasMessage(NOT_OF_THIS_LOGIN);
        assertThat(issuer.tokenRequests).hasSize(1);
        assertThat(issuer.authorizations)
                .extracting(asked -> asked.get("state"))
                .doesNotHaveDuplicates();
        assertThat(issuer.authorizations)
                .extracting(asked -> asked.get("code_challenge"))
                .doesNotHaveDuplicates();
    }

    @Test
    void anInterruptedLoginClosesItsListener() throws Exception {
        int port = FreePort.find();
        OAuth abandoned = oauth.redirectPort(port);
        CompletableFuture<URI> shown = new CompletableFuture<>();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread waiting =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        desk.call(abandoned.browser(shown::complete));
                                    } catch (IOException | InterruptedException e) {
                                        end.complete(e);
                                    }
                                });
        shown.get();
        new Socket("127.0.0.1", port).close(); // the port is open
        waiting.interrupt();

        assertThat(end.get()).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
                .isInstanceOf(ConnectException.class);
        assertThat(desk.store.servers()).isEmpty();
    }

    private static Map<String, String> with(
            Map<String, String> parameters, String name, String value) {
        Map<String, String> changed = new HashMap<>(parameters);
        changed.put(name, value);
        return changed;
    }

    private static Map<String, String> without(Map<String, String> parameters, String name) {
        Map<String, String> changed = new HashMap<>(parameters);
        changed.remove(name);
        return changed;
    }
}
