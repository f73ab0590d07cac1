package dev.fairlead.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** Many logins at a time of one address. */
@Timeout(120)
class ManyLoginsTest {
    private final Semaphore checked = new Semaphore(0);
    private final CountDownLatch known = new CountDownLatch(1);
    private final McpServer server = McpServer.named("harbour", "1.0").build();
    private final HttpServing serving =
            server.serve(Http.port(0).authorization(new SlowIssuer()).console(Console.forScopes()));
    private final List<HttpClient> clients = new ArrayList<>();

    /** Takes its time with strange tokens. */
    private final class SlowIssuer implements HttpAuthorization {
        @Override
        public Decision decide(HttpExchange request) throws InterruptedException {
            if (!request.headers("Authorization").equals(List.of("Bearer good"))) {
                checked.release();
                known.await();
            }
            return new Decision.Admitted(
                    Caller.of("https://issuer.example", "ann", null, Set.of("watch")));
        }

        @Override
        public String challenge(Caller caller, Set<String> required, String message) {
            return "Bearer";
        }
    }

    @AfterEach
    void close() {
        known.countDown();
        clients.forEach(HttpClient::shutdownNow);
        server.close();
    }

    private CompletableFuture<Integer> logIn(String address, String token) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().localAddress(InetAddress.getByName(address)).build();
        clients.add(client);
        URI page = serving.uri().resolve("/console/login");
        HttpRequest request =
                HttpRequest.newBuilder(page)
                        .header("Origin", "http://" + page.getAuthority())
                        .header("Content-Type", "application/json")
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        JsonObject.of("token", token).toJson()))
                        .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }

    @Test
    void leavePlacesToOtherAddresses() throws Exception {
        List<CompletableFuture<Integer>> strange = new ArrayList<>();
        for (int login = 0; login < 4; login++) {
            strange.add(logIn("127.0.0.2", "strange"));
        }
        checked.acquire(4);

        assertThat(logIn("127.0.0.2", "good").join()).isEqualTo(429);
        assertThat(logIn("127.0.0.3", "good").join()).isEqualTo(200);

        known.countDown();
        strange.forEach(login -> assertThat(login.join()).isEqualTo(200));
        assertThat(logIn("127.0.0.2", "good").join()).isEqualTo(200);
    }
}
