package dev.fairlead.auth.proxy;

import dev.fairlead.http.page.HtmlPage;

import java.util.stream.Collectors;

/**
 * The page that a person sees before they agree: the client, its request, and the next place of the
 * browser.
 */
final class ConsentPage {
    private final AuthorizationRequest request;
    private final ProxyTerms terms;
    private final String upstream;

    /**
     * @param upstream the host that the person logs in at afterwards
     */
    ConsentPage(AuthorizationRequest request, ProxyTerms terms, String upstream) {
        this.request = request;
        this.terms = terms;
        this.upstream = upstream;
    }

    /** Returns the page with the form, which sends these back. */
    HtmlPage asking(String query, String until, String seal) {
        String client =
                request.client().name().isEmpty() ? "An application" : request.client().name();
        return new HtmlPage(
                200,
                "Allow access?",
                "<h1>"
                        + HtmlPage.escaped(client)
                        + " wants to act for you</h1><p>You will log in at <strong>"
                        + HtmlPage.escaped(upstream)
                        + "</strong> next. Continue only if you have just started this yourself:"
                        + " applications choose their own names, and this one was not checked.</p>"
                        + facts()
                        + form(query, until, seal));
    }

    private String facts() {
        String scopes = request.scopes().stream().sorted().collect(Collectors.joining(", "));
        String uri = request.redirect().uri();
        return "<dl>"
                + (terms.server().isEmpty() ? "" : fact("The server", terms.server()))
                + fact("It may use", terms.resource())
                + fact("With the permissions", scopes.isEmpty() ? "none in particular" : scopes)
                + fact("Afterwards you go back to", request.redirect().host())
                + fact("by the address", uri)
                + "</dl>";
    }

    private static String fact(String name, String value) {
        return "<dt>" + name + "</dt><dd>" + HtmlPage.escaped(value) + "</dd>";
    }

    private static String form(String query, String until, String seal) {
        return "<form method=\"post\" action=\""
                + Places.CONSENT
                + "\">"
                + hidden("request", query)
                + hidden("until", until)
                + hidden("seal", seal)
                + "<button name=\"decision\" value=\"allow\">Allow</button>"
                + "<button name=\"decision\" value=\"deny\">Cancel</button></form>";
    }

    private static String hidden(String name, String value) {
        return "<input type=\"hidden\" name=\""
                + name
                + "\" value=\""
                + HtmlPage.escaped(value)
                + "\">";
    }
}
