package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.auth.fetch.Fetch;
import dev.fairlead.auth.fetch.FetchLimits;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Servers that answer with too much, too slowly, or from elsewhere. */
@Timeout(60)
@Requirement("SEC-013")
class BadIssuerTest {
    @AutoClose private final Desk desk = new Desk();
    private final TestIssuer issuer = desk.issuer;
    private final OAuth oauth = desk.oauth;

    @Test
    void metadataThatIsTooLargeCountsAsNotThere() {
        String much = "x".repeat(FetchLimits.DEFAULT.maxSize());
        issuer.metadata = document -> document.with("service_documentation", much);

        desk.assertRefused(oauth, "the authorization server publishes no metadata");
        assertThat(desk.visited).isEmpty();
    }

    @Test
    void tokensThatAreTooLargeAreNotTaken() {
        String much = "x".repeat(FetchLimits.DEFAULT.maxSize());
        issuer.tokens = answer -> answer.with("id_token", much);

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(
                        "the login failed: an answer of more than "
                                + FetchLimits.DEFAULT.maxSize()
                                + " bytes is not taken");
        assertThat(desk.store.servers()).isEmpty();
    }

    @Test
    void anAnswerOfATokenEndpointThatSendsElsewhereIsNotFollowed() {
        issuer.tokenRedirect = issuer.issuer() + "/provider";

        assertThatThrownBy(() -> desk.call(oauth))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage("the authorization server gives no token: status 307");
        assertThat(issuer.providerRequests).isEmpty();
    }

    /** A client that finds everything in its time, and waits for tokens as long as this allows. */
    private GuardedServer hasty(Fetch tokens) {
        Fetch fetch = new Fetch(UrlPolicy.loopbackAllowed(), FetchLimits.DEFAULT);
        Client client = new Client.Confidential("nightly", Secret.from(() -> "x")::value, null);
        Discovery.Choice choice =
                new Discovery.Choice(null, List::getFirst, Scopes.NONE, Scopes.NONE, false);
        return new GuardedServer(
                issuer.mcp(),
                new KeptLogin(issuer.mcp(), desk.store, client, false, false),
                new MachineGrants.ClientCredentials(client),
                new Discovery(fetch, choice),
                new TokenEndpoint(tokens, new Nonces(), Clock.systemUTC()),
                false,
                Clock.systemUTC());
    }

    @Test
    void tokensThatComeTooSlowlyAreNotWaitedFor() throws Exception {
        Duration total = Duration.ofSeconds(2);
        FetchLimits limits = new FetchLimits(total, total, 10_000, 3);
        CountDownLatch over = new CountDownLatch(1);
        issuer.beforeTokens = over::await;

        try {
            assertThatThrownBy(
                            () ->
                                    hasty(new Fetch(UrlPolicy.loopbackAllowed(), limits))
                                            .renew(null, Optional.empty()))
                    .isInstanceOf(AuthorizationException.class)
                    .hasMessageStartingWith("the login failed: no answer ");
        } finally {
            over.countDown();
        }
    }
}
