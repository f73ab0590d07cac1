package dev.fairlead.cli.servers;

import dev.fairlead.auth.client.LoginRequiredException;
import dev.fairlead.auth.client.OAuth;
import dev.fairlead.cli.view.ShellWords;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.client.ClientAuthorization;
import dev.fairlead.http.client.RequestAuthorization;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Authorizes requests by the logins that {@code fairlead login} has made. It never makes one, but
 * says how to.
 */
final class StoredLogins implements ClientAuthorization {
    private final OAuth logins = OAuth.withTokenStore(LoginStore.of(Environment.current()));

    @Override
    public RequestAuthorization request(URI endpoint, String method, URI url) {
        return new Explained(logins.request(endpoint, method, url));
    }

    private record Explained(RequestAuthorization request) implements RequestAuthorization {
        @Override
        public Map<String, String> headers() throws IOException, InterruptedException {
            return request.headers();
        }

        @Override
        public boolean again(int status, HttpHeaders headers)
                throws IOException, InterruptedException {
            try {
                return request.again(status, headers);
            } catch (LoginRequiredException e) {
                throw new AuthorizationException(e.getMessage() + "; run: " + command(e), e);
            }
        }
    }

    private static String command(LoginRequiredException e) {
        String server = e.server().toString().replaceFirst("\\?.*", "?…"); // it may hold secrets
        return ShellWords.line(
                Stream.concat(
                        Stream.of("fairlead", "login", server),
                        e.scopes().stream().flatMap(scope -> Stream.of("--scope", scope))));
    }
}
