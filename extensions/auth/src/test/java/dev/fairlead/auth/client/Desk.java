package dev.fairlead.auth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.RequestAuthorization;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client at a {@link ScriptedIssuer}, with a person who agrees to everything. */
final class Desk implements AutoCloseable {
    final ScriptedIssuer issuer = new ScriptedIssuer();

    /** The URLs that the person was shown. */
    final List<URI> visited = new CopyOnWriteArrayList<>();

    final TokenStore store = TokenStore.memory();
    final OAuth oauth = OAuth.browser("Desk").tokens(store).browser(this::visit);
    private final HttpClient http =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    /** A client with a secret, for the issuer alone. */
    OAuth confidential(String id, String secret) {
        return oauth.client(id, Secret.from(() -> secret)).issuer(issuer.issuer());
    }

    /** Opens a URL, as the person does. */
    void visit(URI url) {
        visited.add(url);
        try {
            http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a request, as often as its authorization wants, and gives the last status. */
    int call(OAuth authorization) throws IOException, InterruptedException {
        return call(authorization, "POST");
    }

    int call(OAuth authorization, String method) throws IOException, InterruptedException {
        return call(http, authorization, method, issuer.mcp());
    }

    static int call(HttpClient http, OAuth authorization, String method, URI server)
            throws IOException, InterruptedException {
        RequestAuthorization authorized = authorization.request(server, method, server);
        while (true) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(server)
                            .method(method, HttpRequest.BodyPublishers.noBody());
            authorized.headers().forEach(request::setHeader);
            HttpResponse<Void> answer = http.send(request.build(), BodyHandlers.discarding());
            if (!authorized.again(answer.statusCode(), answer.headers())) {
                return answer.statusCode();
            }
        }
    }

    /** A call fails, and no token was asked for. */
    void assertRefused(OAuth authorization, String message) {
        assertThatThrownBy(() -> call(authorization))
                .isInstanceOf(AuthorizationException.class)
                .hasMessage(message);
        assertThat(issuer.tokenRequests).isEmpty();
    }

    /** Asserts a refusal with a message that contains these texts. */
    void assertRefusedNaming(OAuth authorization, String... texts) {
        assertThatThrownBy(() -> call(authorization))
                .isInstanceOf(AuthorizationException.class)
                .message()
                .contains(texts);
        assertThat(issuer.tokenRequests).isEmpty();
    }

    @Override
    public void close() {
        issuer.close();
        http.shutdownNow();
    }
}
