package dev.fairlead.auth.proxy;

import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.auth.proxy.Forwarding.Pending;
import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.protocol.time.LimitedLog;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The endpoint to which the upstream redirects browsers. It identifies the user, and sends the
 * client a code of its own; the upstream's code is not passed on.
 */
final class Callback implements PageEndpoint.Service {
    private static final System.Logger LOGGER = System.getLogger(Callback.class.getName());

    private final Forwarding forwarding;
    private final Browsers browsers;
    private final UpstreamLogin upstream;
    private final Predicate<String> users;
    private final Clients clients;
    private final Logins logins;

    Callback(
            Forwarding forwarding,
            Browsers browsers,
            UpstreamLogin upstream,
            Predicate<String> users,
            Clients clients,
            Logins logins) {
        this.forwarding = forwarding;
        this.browsers = browsers;
        this.upstream = upstream;
        this.users = users;
        this.clients = clients;
        this.logins = logins;
    }

    @Override
    public void answer(HttpExchange exchange) throws OAuthFailure, InterruptedException {
        Form form = Form.parse(exchange.query().orElse(""));
        Pending pending = forwarding.end(form.need("state"), browsers.of(exchange));
        HtmlPage.redirect(exchange, destination(pending, form));
    }

    private String destination(Pending pending, Form form) throws InterruptedException {
        AuthorizationRequest request = pending.request();
        try {
            pending.server().requireIssuer(form);
            String subject = subject(pending, form);
            clients.used(request.client(), subject);
            return request.redirect().withCode(logins.begin(request, subject));
        } catch (OAuthFailure failure) {
            return request.redirect().withError(failure.code(), failure.description());
        } catch (IOException e) {
            LimitedLog.failed(
                    LOGGER,
                    System.Logger.Level.WARNING,
                    "",
                    PlainText.of(e),
                    "A login at the upstream failed");
            return failed(request);
        } catch (RuntimeException e) { // of the application, which identifies or admits users
            LimitedLog.failed(
                    LOGGER, System.Logger.Level.ERROR, "", e, "A login at the upstream failed");
            return failed(request);
        }
    }

    private static String failed(AuthorizationRequest request) {
        return request.redirect().withError("server_error", "The login at the upstream failed");
    }

    private String subject(Pending pending, Form form)
            throws OAuthFailure, IOException, InterruptedException {
        if (!form.get("error").isEmpty()) {
            throw form.get("error").equals("access_denied")
                    ? new OAuthFailure(403, "access_denied", "The upstream has refused the login")
                    : new OAuthFailure(502, "server_error", "The login at the upstream failed");
        }
        Optional<String> subject = upstream.subject(pending, form.need("code"));
        return subject.filter(name -> !name.isBlank())
                .filter(users)
                .orElseThrow(
                        () -> new OAuthFailure(403, "access_denied", "This user is not admitted"));
    }
}
