package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.exchange.TrustedProxies;
import dev.fairlead.http.spi.AddressLiteral;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.InputStream;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

class TrustedProxiesTest {
    private static final String HOST = "inside:8080";
    private static final HttpEndpoint TRUSTING =
            Http.endpoint().trustProxies("10.0.0.0/8", "2001:db8::/33");

    private static TrustedProxies proxies(HttpEndpoint endpoint) {
        Settings settings = endpoint.settings;
        return new TrustedProxies(settings.trustProxies, settings.standardForwarded);
    }

    private static HttpExchange seen(String from, Map<String, List<String>> headers) {
        return proxies(TRUSTING).seen(new Asked(from, headers));
    }

    private static HttpExchange seenByStandard(String from, Map<String, List<String>> headers) {
        return proxies(TRUSTING.standardForwarded()).seen(new Asked(from, headers));
    }

    private static void assertSeen(HttpExchange exchange, String address, String host) {
        assertThat(exchange.remoteAddress().map(InetAddress::getHostAddress)).contains(address);
        assertThat(exchange.header("Host")).contains(host);
    }

    @Test
    void onlyProxiesAreBelieved() {
        Map<String, List<String>> claims =
                Map.of(
                        "X-Forwarded-For", List.of("192.0.2.1"),
                        "X-Forwarded-Host", List.of("outside"));

        assertSeen(seen("11.0.0.1", claims), "11.0.0.1", HOST);
        assertThat(seen("11.0.0.1", claims).localAddress()).isPresent();
        assertSeen(seen("10.9.9.9", claims), "192.0.2.1", "outside");
        assertThat(seen("10.9.9.9", claims).localAddress()).isEmpty();
    }

    @Test
    void aProxyWithoutForwardedHeadersIsACaller() {
        assertSeen(seen("10.0.0.1", Map.of()), "10.0.0.1", HOST);
        assertThat(seen("10.0.0.1", Map.of()).localAddress()).isPresent();
    }

    @Test
    void whatTheClientMadeUpPrecedesWhatAProxyHasSeen() {
        HttpExchange exchange =
                seen(
                        "10.0.0.1",
                        Map.of("X-Forwarded-For", List.of("127.0.0.1, 192.0.2.1", "10.0.0.2")));

        assertSeen(exchange, "192.0.2.1", HOST);
    }

    @Test
    void theOtherHeadersMayBeTheClientsAndAreNotRead() {
        Map<String, List<String>> both =
                Map.of(
                        "Forwarded", List.of("for=192.0.2.7;host=standard"),
                        "X-Forwarded-For", List.of("192.0.2.1"),
                        "X-Forwarded-Host", List.of("custom"),
                        "X-Forwarded-Prefix", List.of("/api"));

        assertSeen(seen("10.0.0.1", both), "192.0.2.1", "custom");
        assertThat(seen("10.0.0.1", both).prefix()).isEqualTo("/api/app");
        assertSeen(seenByStandard("10.0.0.1", both), "192.0.2.7", "standard");
        assertThat(seenByStandard("10.0.0.1", both).prefix()).isEqualTo("/app");
    }

    @Test
    void ofHostsThatDifferNoneIsBelieved() {
        Map<String, List<String>> claims =
                Map.of(
                        "X-Forwarded-For", List.of("192.0.2.1, 10.0.0.2"),
                        "X-Forwarded-Host", List.of("claimed, outside"));

        assertSeen(seen("10.0.0.1", claims), "192.0.2.1", "");
    }

    @Test
    void whatSeveralProxiesHaveCalledTheSameIsBelieved() {
        Map<String, List<String>> claims =
                Map.of(
                        "X-Forwarded-For", List.of("192.0.2.1, 10.0.0.2"),
                        "X-Forwarded-Host", List.of("outside", "outside"));

        assertSeen(seen("10.0.0.1", claims), "192.0.2.1", "outside");
    }

    @Test
    void theStandardHeaderContainsEachHop() {
        HttpExchange exchange =
                seenByStandard(
                        "2001:db8::1",
                        Map.of(
                                "Forwarded",
                                List.of(
                                        "for=1.2.3.4;host=localhost,"
                                                + " For=\"[2001:db9::2]:47\";Host=\"outside:1,2\""
                                                + ";proto=https ,for=10.0.0.7,")));

        assertSeen(exchange, "2001:db9:0:0:0:0:0:2", "outside:1,2");
    }

    @Test
    void quotedTextMayHaveAnyCharacterAfterABackslash() {
        HttpExchange exchange =
                seenByStandard(
                        "10.0.0.1",
                        Map.of(
                                "Forwarded",
                                List.of(
                                        "x=\"\\\","
                                            + " for=1.2.3.4\";for=192.0.2.1;host=\"out\\side\"")));

        assertSeen(exchange, "192.0.2.1", "outside");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for=1.2.3.4;host=\"localhost, for=192.0.2.1",
                "for=1.2.3.4, x=\", for=\"[2001:db9::2]:47\"",
                "for=1.2.3.4, x=\"\\\", for=192.0.2.1",
                "for=1.2.3.4, x=\", for=192.0.2.1;host=\"a\\\"b\"",
                "for=1.2.3.4, \", for=192.0.2.1;host=\"outside\"",
                "for=1.2.3.4 for=192.0.2.1",
            })
    void aBrokenStandardHeaderShowsOnlyThatThereWasAProxy(String broken) {
        HttpExchange alone = seenByStandard("10.0.0.1", Map.of("Forwarded", List.of(broken)));
        HttpExchange first =
                seenByStandard(
                        "10.0.0.1", Map.of("Forwarded", List.of(broken, "for=192.0.2.1;host=a")));

        assertSeen(alone, "10.0.0.1", HOST);
        assertThat(alone.localAddress()).isEmpty();
        assertSeen(first, "10.0.0.1", HOST);
    }

    @Test
    void aLongStandardHeaderIsRead() {
        String quoted = "\\x".repeat(50_000);

        HttpExchange exchange =
                seenByStandard(
                        "10.0.0.1",
                        Map.of(
                                "Forwarded",
                                List.of("a=\"" + quoted + "\"" + ", for=10.0.0.2".repeat(50_000))));

        assertSeen(exchange, "10.0.0.1", HOST);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "192.0.2.1:80, 192.0.2.1",
        "[2001:db9::2]:80, 2001:db9:0:0:0:0:0:2",
        "2001:db9::2, 2001:db9:0:0:0:0:0:2",
        "2001:db9::2%eth0, 2001:db9:0:0:0:0:0:2",
        "unknown, 10.0.0.1",
        "name.example, 10.0.0.1",
        "999.0.0.1, 10.0.0.1",
        ".:1, 10.0.0.1",
    })
    void addressesAreLiterals(String forwarded, String seen) {
        assertSeen(seen("10.0.0.1", Map.of("X-Forwarded-For", List.of(forwarded))), seen, HOST);
    }

    @Test
    void aPrefixIsWhatAProxyHasRemoved() {
        Map<String, List<String>> claims =
                Map.of(
                        "X-Forwarded-For", List.of("192.0.2.1"),
                        "X-Forwarded-Prefix", List.of("/api/"));

        assertThat(seen("10.0.0.1", claims).prefix()).isEqualTo("/api/app");
        assertThat(seen("11.0.0.1", claims).prefix()).isEqualTo("/app");
    }

    private static void assertUrl(HttpExchange exchange, String scheme, @Nullable String host) {
        assertThat(exchange.scheme()).isEqualTo(scheme);
        assertThat(exchange.host()).isEqualTo(Optional.ofNullable(host));
    }

    @ParameterizedTest
    @CsvSource({
        "https, https",
        "HTTPS, https",
        "http, http",
        "'https, https', https",
        "'https, http', http",
        "wss, http",
        "'', http",
    })
    void aProxyNamesTheSchemeOfTheClient(String forwarded, String scheme) {
        Map<String, List<String>> claims = Map.of("X-Forwarded-Proto", List.of(forwarded));

        assertUrl(seen("10.0.0.1", claims), scheme, HOST);
        assertUrl(seen("11.0.0.1", claims), "http", HOST);
        assertUrl(seenByStandard("10.0.0.1", claims), "http", HOST);
    }

    @Test
    void aSenderThatNamesTheSchemeAloneIsAProxyToo() {
        Map<String, List<String>> claims = Map.of("X-Forwarded-Proto", List.of("https"));

        assertThat(seen("10.0.0.1", claims).localAddress()).isEmpty();
        assertThat(seen("11.0.0.1", claims).localAddress()).isPresent();
    }

    @Test
    void theUrlOfTheClientIsThatOfTheFirstTrustedProxy() {
        Map<String, List<String>> custom =
                Map.of(
                        "X-Forwarded-For", List.of("192.0.2.1, 10.0.0.2"),
                        "X-Forwarded-Proto", List.of("https", "https"),
                        "X-Forwarded-Host", List.of("outside:8443"));
        Map<String, List<String>> standard =
                Map.of(
                        "Forwarded",
                        List.of(
                                "for=1.2.3.4;proto=http;host=made.up, for=192.0.2.1;"
                                        + "Proto=\"HTTPS\";host=outside, for=10.0.0.2;proto=http"));

        assertUrl(seen("10.0.0.1", custom), "https", "outside:8443");
        assertUrl(seenByStandard("10.0.0.1", standard), "https", "outside");
    }

    @Test
    void aHostThatIsNotClearIsNone() {
        Map<String, List<String>> claims = Map.of("X-Forwarded-Host", List.of("claimed, outside"));

        assertUrl(seen("10.0.0.1", claims), "http", null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "proxy", "10.0.0.0/33", "10.0.0.0/-1", "::1/129", "1", "10.0.0.1/"})
    void whatIsNoAddressIsRefused(String text) {
        assertThatThrownBy(() -> Http.endpoint().trustProxies(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a proxy is an address or a network such as 10.0.0.0/8 but was " + text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*", "https://*.example", "app.example", "https://app.example/", "null"})
    void whatIsNoOriginIsRefused(String text) {
        assertThatThrownBy(() -> Http.endpoint().allowOrigins(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("but was " + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "", "X-API-Key, X-Tenant", "X-API-Key:", "Schlüssel", "X\r\nY: 1"})
    void whatIsNoHeaderIsRefused(String text) {
        assertThatThrownBy(() -> Http.endpoint().allowHeaders(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a header is a name such as X-API-Key but was " + text);
    }

    @Test
    void aHundredHeadersCanBeAllowedAndNoMore() {
        String[] headers = new String[101];
        Arrays.fill(headers, "X-API-Key");
        Http.endpoint().allowHeaders(Arrays.copyOf(headers, 100));

        assertThatThrownBy(() -> Http.endpoint().allowHeaders(headers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("at most 100 headers can be allowed but there are 101");
    }

    /** A request of which only address and headers matter. */
    private record Asked(String from, Map<String, List<String>> headers) implements HttpExchange {
        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/mcp";
        }

        @Override
        public String prefix() {
            return "/app";
        }

        @Override
        public String scheme() {
            return "http";
        }

        @Override
        public Optional<String> query() {
            return Optional.empty();
        }

        @Override
        public List<String> headers(String name) {
            return name.equals("Host") ? List.of(HOST) : headers.getOrDefault(name, List.of());
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return Optional.of(InetAddress.getLoopbackAddress());
        }

        @Override
        public Optional<InetAddress> remoteAddress() {
            return AddressLiteral.parse(from);
        }

        @Override
        public InputStream body() {
            return InputStream.nullInputStream();
        }

        @Override
        public void respond(ResponseHead head, byte[] body, Runnable done) {
            throw new AssertionError(head + Arrays.toString(body));
        }

        @Override
        public ResponseStream stream(ResponseHead head) {
            throw new AssertionError(head);
        }
    }
}
