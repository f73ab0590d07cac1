package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.console.HttpConsole;
import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The page for a person who opens the URL of the endpoint in a browser. */
@Timeout(120)
class LandingPageTest extends HttpTest {
    private static final String BROWSER =
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    @BeforeEach
    void describe() {
        host.implementation =
                new Implementation("weather <1>", "1.2.0")
                        .withTitle("<script>alert('Weather')</script>");
    }

    private Answer get(HttpServing serving, String path, String accept, String... headers)
            throws IOException {
        Map<String, String> all = new TreeMap<>(Map.of("Accept", accept));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        try (Wire wire = Wire.to(serving)) {
            return wire.send("GET", path, all, new byte[0]).answer();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/mcp"})
    void aBrowserGetsNameVersionAndHowToConnect(String path) throws Exception {
        HttpServing serving = serve();

        Answer answer = get(serving, path, BROWSER);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.body())
                .contains("&lt;script&gt;alert(&#39;Weather&#39;)&lt;/script&gt;</h1>")
                .contains("weather &lt;1&gt; 1.2.0")
                .contains("<pre>fairlead tools list " + serving.uri() + "</pre>")
                .contains("&quot;weather-1-&quot;")
                .doesNotContain("<script");
    }

    @Test
    void thePageLoadsAndRunsNothingAndIsShownInNoFrame() throws Exception {
        String policy = get(serve(), "/", BROWSER).header("Content-Security-Policy");

        assertThat(policy)
                .matches(
                        "default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; base-uri 'none';"
                                + " frame-ancestors 'none'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/mcp"})
    void aHeadGetsTheSameWithoutBody(String path) throws Exception {
        try (Wire wire = Wire.to(serve())) {
            wire.send("HEAD", path, Map.of("Accept", BROWSER), new byte[0]);

            assertThat(wire.head().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @Requirement("HTTP-022")
    @CsvSource({
        "text/event-stream, 400",
        "'text/html, text/event-stream', 400",
        "application/json, 400",
        "*/*, 400",
        "text/*, 400",
        "text/html;q=0, 400",
    })
    void whatMcpClientsAcceptIsAnsweredAsEver(String accept, int status) throws Exception {
        assertThat(get(serve(), "/mcp", accept).status()).isEqualTo(status);
        HttpServing stateless = serve(listener -> listener.stateless());
        assertThat(get(stateless, "/mcp", accept).status()).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource({"MCP-Session-Id, none, 404", "MCP-Protocol-Version, 2025-11-25, 400"})
    void aRequestWithAHeaderOfMcpIsAnsweredAsEver(String name, String value, int status)
            throws Exception {
        assertThat(get(serve(), "/mcp", BROWSER, name, value).status()).isEqualTo(status);
    }

    @Test
    void otherRequestsOfTheRootFindNothing() throws Exception {
        HttpServing serving = serve();

        assertThat(get(serving, "/", "application/json").status()).isEqualTo(404);
        try (Wire wire = Wire.to(serving)) {
            wire.send("POST", "/", Map.of("Accept", BROWSER), new byte[0]);
            assertThat(wire.answer().status()).isEqualTo(404);
        }
        assertThat(serving.metrics().refusals()).containsEntry(RefusalReason.PATH, 2L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/mcp"})
    void foreignPagesAndReboundNamesGetNoPage(String path) throws Exception {
        HttpServing serving = serve();

        assertThat(get(serving, path, BROWSER, "Origin", "https://evil.example").status())
                .isEqualTo(403);
        assertThat(get(serving, path, BROWSER, "Host", "evil.example").status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/mcp"})
    void withAnAuthorizationTheNameOfTheServerIsForThoseWithAToken(String path) throws Exception {
        HttpServing serving = serve(listener -> listener.authorization(Names.of("ann")));

        Answer refused = get(serving, path, BROWSER);
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.body()).doesNotContain("eather");
        assertThat(get(serving, path, BROWSER, "Authorization", "Bearer ann").body())
                .contains("weather &lt;1&gt; 1.2.0");
    }

    @Test
    void aHostThatIsNoneIsNotRepeated() throws Exception {
        HttpServing serving = serve(listener -> listener.allowHosts("a\"b"));

        assertThat(get(serving, "/", BROWSER, "Host", "a\"b").body())
                .doesNotContain("a\"b", "a&quot;b");
    }

    @Test
    void aConsoleIsLinked() throws Exception {
        HttpServing serving = serve(listener -> listener.console(new EmptyConsole()));

        assertThat(get(serving, "/", BROWSER).body())
                .contains("<a href=\"/desk/\">The console</a>");
        assertThat(get(serve(), "/", BROWSER).body()).doesNotContain("href");
    }

    /** A console with one page, which is empty. */
    private static final class EmptyConsole implements HttpConsole {
        @Override
        public List<String> paths() {
            return List.of("/desk/");
        }

        @Override
        public Mounted mount(@Nullable HttpOperator endpoint) {
            return new Mounted() {
                @Override
                public List<Route> routes() {
                    return List.of(
                            new Route(
                                    "/desk/",
                                    exchange ->
                                            exchange.respond(
                                                    new ResponseHead(200, Map.of()), new byte[0])));
                }

                @Override
                public void close() {}
            };
        }
    }

    @ParameterizedTest
    @CsvSource({"/, 404", "/mcp, 400"})
    void thereIsNoPageWhereItIsSwitchedOff(String path, int status) throws Exception {
        HttpServing serving = serve(listener -> listener.withoutPage());

        assertThat(get(serving, path, BROWSER).status()).isEqualTo(status);
    }
}
