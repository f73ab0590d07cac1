package dev.fairlead.auth.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;

/** A process that uses a login of a file: {@code FILE SERVER call}, or {@code hold} its turn. */
final class SharedLogin {
    private SharedLogin() {}

    public static void main(String[] arguments) throws Exception {
        TokenStore store = TokenStore.file(Path.of(arguments[0]));
        URI server = URI.create(arguments[1]);
        if (arguments[2].equals("hold")) {
            try (TokenStore.Lease held = store.lease(server)) {
                System.out.println(held == null ? "" : "held");
                Thread.currentThread().join(); // for ever
            }
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            System.out.println(Desk.call(http, OAuth.withTokenStore(store), "POST", server));
        }
    }
}
