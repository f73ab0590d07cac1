package dev.fairlead.auth.proxy;

import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.http.spi.HttpExchange;

import java.util.Map;
import java.util.Optional;

/**
 * Answers requests that are refused. Any site can register as a client, so a browser goes there by
 * itself only if the person has once allowed this client in this browser (RFC 9700, 4.11.2): else a
 * link to this server would lead to a page of an attacker. Until then a page shows where the client
 * is. The machine of the person is not such a site, and any page can send a browser there, so a
 * native client receives its error at once.
 */
final class Refusals {
    private final Browsers browsers;
    private final Approvals approvals;

    Refusals(Browsers browsers, Approvals approvals) {
        this.browsers = browsers;
        this.approvals = approvals;
    }

    void answer(HttpExchange exchange, RefusedRequest refused) throws OAuthFailure {
        if (refused.redirect().isLoopback() || isApproved(exchange, refused)) {
            HtmlPage.redirect(exchange, refused.location());
        } else {
            page(refused).show(exchange, Map.of());
        }
    }

    private boolean isApproved(HttpExchange exchange, RefusedRequest refused) throws OAuthFailure {
        Optional<String> browser = browsers.of(exchange);
        return browser.isPresent()
                && approvals.isApproved(browser.get(), refused.client(), refused.redirect());
    }

    private static HtmlPage page(RefusedRequest refused) {
        OAuthFailure failure = refused.failure();
        boolean isDenied = failure.code().equals("access_denied");
        String title = isDenied ? "You did not allow access" : "This login cannot continue";
        String name = name(refused.client());
        return new HtmlPage(
                failure.status(),
                title,
                "<h1>"
                        + title
                        + "</h1><p>"
                        + (isDenied
                                ? name + " gets no access. You can close this window."
                                : name
                                        + " has sent you here with a request that is not valid: "
                                        + HtmlPage.escaped(failure.description())
                                        + ".")
                        + "</p>"
                        + wayBack(refused));
    }

    /** Returns the name of a client in quotes, since it can be any sentence. */
    private static String name(RegisteredClient client) {
        return client.name().isEmpty()
                ? "An application"
                : "The application <q>" + HtmlPage.escaped(client.name()) + "</q>";
    }

    private static String wayBack(RefusedRequest refused) {
        return "<p>To inform the application you can go back to it. Applications choose their names"
                + " and addresses, and this one is not verified: follow the link only if you"
                + " know the address.</p><p><a rel=\"noreferrer\" href=\""
                + HtmlPage.escaped(refused.location())
                + "\">Go back to "
                + HtmlPage.escaped(refused.redirect().host())
                + "</a></p>";
    }
}
