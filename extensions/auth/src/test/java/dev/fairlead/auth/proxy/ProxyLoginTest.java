package dev.fairlead.auth.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.client.OAuth;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Caller;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A login with our own client, from nothing to the call of a tool. */
@Timeout(90)
class ProxyLoginTest {
    private final TestUpstream upstream = new TestUpstream();
    private final Current current = new Current();
    private final McpServer server =
            McpServer.named("reports", "1")
                    .tool("who", "Says who calls", NoInput.class, String.class)
                    .handle((none, call) -> call.caller().toString())
                    .tool("purge", "Deletes all", NoInput.class, String.class)
                    .requireScopes("reports:purge")
                    .handle((none, call) -> "done")
                    .build();
    private final HttpServing serving = serve();
    private final TestBrowser browser = new TestBrowser(url -> url);

    /** The questions that the person was asked. */
    private final List<String> questions = new CopyOnWriteArrayList<>();

    ProxyLoginTest() throws IOException {}

    /** A proxy that another can take the place of, while the port stays open. */
    private static final class Current implements HttpAuthorization {
        volatile AuthorizationProxy proxy;

        @Override
        public Decision decide(HttpExchange request) throws InterruptedException {
            return proxy.decide(request);
        }

        @Override
        public String challenge(Caller caller, Set<String> required, String message) {
            return proxy.challenge(caller, required, message);
        }

        @Override
        public List<Route> routes() {
            return proxy.routes().stream()
                    .map(route -> new Route(route.path(), exchange -> now(route).handle(exchange)))
                    .toList();
        }

        private Route.Handler now(Route route) {
            return proxy.routes().stream()
                    .filter(other -> other.path().equals(route.path()))
                    .findFirst()
                    .orElseThrow()
                    .handler();
        }
    }

    /** The proxy has to know its port, which is known only now. */
    private HttpServing serve() throws IOException {
        current.proxy = proxy(1);
        HttpServing bound =
                server.serve(
                        Http.port(0).shutdownGrace(Duration.ofMillis(100)).authorization(current));
        current.proxy = proxy(bound.uri().getPort());
        return bound;
    }

    private AuthorizationProxy proxy(int port) {
        return AuthorizationProxy.at("http://127.0.0.1:" + port + "/mcp")
                .upstream(upstream.plain())
                .scopes("reports:read")
                .furtherScopes("reports:purge");
    }

    @AfterEach
    void close() {
        serving.close();
        server.close();
        upstream.close();
        browser.close();
    }

    private McpClient client() throws Exception {
        OAuth oauth =
                OAuth.browser("Desk").browser(url -> Thread.ofVirtual().start(() -> visit(url)));
        return McpClient.connect(Http.to(serving.uri().toString()).authorization(oauth));
    }

    /** The person agrees to the request. */
    private void visit(URI url) {
        try {
            HttpResponse<String> answer = browser.open(url.toString());
            if (TestBrowser.location(answer).isEmpty()) {
                questions.add(answer.body());
                answer = browser.submit(answer, "allow");
            }
            browser.follow(answer, "nowhere");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String call(McpClient client, String tool) throws Exception {
        return client.callTool(tool, JsonObject.EMPTY).text();
    }

    @Test
    @Requirement({"AUTH-064", "SEC-019", "SEC-024", "AUTH-009"})
    void aPersonAgreesLogsInAndStepsUp() throws Exception {
        try (McpClient client = client()) {
            assertThat(call(client, "who")).startsWith("4711@http://127.0.0.1:");
            assertThat(call(client, "purge")).isEqualTo("done");
        }

        assertThat(questions).hasSize(2);
        assertThat(questions.getFirst()).contains("<dd>reports:read</dd>", "Desk wants to act");
        assertThat(questions.getLast()).contains("<dd>reports:purge, reports:read</dd>");
    }

    @Test
    void afterARestartTheClientRegistersAgainAndThePersonLogsInAgain() throws Exception {
        try (McpClient client = client()) {
            call(client, "who");
            current.proxy = proxy(serving.uri().getPort());

            assertThat(call(client, "who")).startsWith("4711@");
        }

        assertThat(questions).hasSize(2);
    }
}
