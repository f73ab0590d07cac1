package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.auth.proxy.AuthorizationProxy;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Caller;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.FreePort;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The official suite is the client of a proxy, and a person consents in Chromium. */
@Timeout(180)
class ProxyConformanceTest extends BrowserTest {
    private static final Path SUITE = Path.of("..", "conformance", "run");

    /** The proxy has to know its port, which is known only once it is bound. */
    private static final class Bound implements HttpAuthorization {
        private volatile AuthorizationProxy proxy;

        Bound(AuthorizationProxy proxy) {
            this.proxy = proxy;
        }

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
                    .map(route -> new Route(route.path(), exchange -> serve(route, exchange)))
                    .toList();
        }

        private void serve(Route route, HttpExchange exchange) {
            proxy.routes().stream()
                    .filter(now -> now.path().equals(route.path()))
                    .forEach(now -> now.handler().handle(exchange));
        }
    }

    private static AuthorizationProxy proxy(int port, InstantUpstream upstream) {
        return AuthorizationProxy.at("http://127.0.0.1:" + port + "/mcp")
                .upstream(upstream.upstream())
                .scopes("reports:read");
    }

    @Test
    @Requirement({"AUTH-064", "SEC-020", "AUTH-009", "AUTH-060"})
    void theSuiteGetsATokenOnceThePersonHasConsented() throws Exception {
        try (InstantUpstream upstream = new InstantUpstream();
                McpServer server = McpServer.named("reports", "1").build();
                Chromium.Profile person = chromium.profile()) {
            Bound bound = new Bound(proxy(1, upstream));
            try (HttpServing serving = server.serve(Http.port(0).authorization(bound))) {
                bound.proxy = proxy(serving.uri().getPort(), upstream);

                List<String> said = run(serving.uri(), url -> consent(person, url, upstream));

                assertThat(said).anyMatch(line -> line.contains("authorization-code-grant"));
            }
        }
    }

    /** The actions of the person on the URL that the suite prints. */
    private interface Visit {
        void of(URI url);
    }

    private static void consent(Chromium.Profile person, URI url, InstantUpstream upstream) {
        String last =
                person.open(
                        url,
                        page -> {
                            assertThat(page.locator("h1").textContent())
                                    .isEqualTo("<b>Suite</b> wants to act for you");
                            assertThat(upstream.logins).hasValue(0);
                            Accessibility.checkOnEachScreen(page, "consent");
                            page.click("button[value=allow]");
                            page.waitForURL(now -> now.contains("/callback?code="));
                            return page.content();
                        });
        assertThat(last).contains("You can close this page");
    }

    /** Runs the suite, which must succeed, and returns its output. */
    private static List<String> run(URI resource, Visit visit) throws Exception {
        String issuer = "http://" + resource.getAuthority();
        Process suite =
                new ProcessBuilder(
                                SUITE.toString(),
                                "authorization",
                                issuer,
                                "--client-id",
                                register(issuer, "http://127.0.0.1/callback"),
                                "--resource",
                                resource.toString(),
                                "--port",
                                Integer.toString(FreePort.find()))
                        .redirectErrorStream(true)
                        .start();
        List<String> said = new ArrayList<>();
        try (BufferedReader lines = suite.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
                if (line.startsWith(issuer + "/authorize?")) {
                    visit.of(URI.create(line));
                }
            }
            assertThat(suite.waitFor()).as(String.join("\n", said)).isZero();
            return said;
        } finally {
            suite.destroyForcibly();
        }
    }

    /**
     * Registers a client, and returns its id.
     *
     * @param redirect where browsers go back to; any port of a loopback address will do
     */
    static String register(String issuer, String redirect)
            throws IOException, InterruptedException {
        String metadata =
                """
                {"client_name":"<b>Suite</b>","redirect_uris":["%s"]}\
                """
                        .formatted(redirect);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String answer =
                    client.send(
                                    HttpRequest.newBuilder(URI.create(issuer + "/register"))
                                            .header("Content-Type", "application/json")
                                            .POST(BodyPublishers.ofString(metadata))
                                            .build(),
                                    BodyHandlers.ofString())
                            .body();
            return ((JsonObject) JsonValue.parse(answer)).string("client_id");
        }
    }
}
