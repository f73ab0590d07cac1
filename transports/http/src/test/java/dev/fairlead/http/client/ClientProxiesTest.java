package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Received;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

@Timeout(90)
class ClientProxiesTest {
    private static String found(Map<String, String> environment, String url)
            throws ConnectException {
        return new EnvironmentProxies(environment)
                .find(URI.create(url))
                .map(HttpProxy::toString)
                .orElse("direct");
    }

    @Nested
    class TheEnvironment {
        @ParameterizedTest
        @CsvSource({
            "http_proxy, http://a.example/, 'p.example:8080 (http_proxy)'",
            "HTTP_PROXY, http://a.example/, 'p.example:8080 (HTTP_PROXY)'",
            "HTTP_PROXY, https://a.example/, direct",
            "https_proxy, https://a.example/, 'p.example:8080 (https_proxy)'",
            "HTTPS_PROXY, https://a.example/, 'p.example:8080 (HTTPS_PROXY)'",
            "HTTPS_PROXY, http://a.example/, direct",
            "all_proxy, https://a.example/, 'p.example:8080 (all_proxy)'",
            "ALL_PROXY, http://a.example/, 'p.example:8080 (ALL_PROXY)'",
        })
        void isAskedByTheSchemeOfTheTarget(String name, String url, String proxy) throws Exception {
            assertThat(found(Map.of(name, "http://p.example:8080"), url)).isEqualTo(proxy);
            assertThat(found(Map.of(name, " p.example:8080 "), url)).isEqualTo(proxy);
            assertThat(found(Map.of(name, ""), url)).isEqualTo("direct");
        }

        @Test
        void prefersLowerCaseAndWhatIsForTheSchemeAlone() throws Exception {
            Map<String, String> all =
                    Map.of("ALL_PROXY", "c", "HTTPS_PROXY", "b", "https_proxy", "a:1");

            assertThat(found(all, "https://x.example/")).isEqualTo("a:1 (https_proxy)");
            assertThat(found(all, "http://x.example/")).isEqualTo("c:80 (ALL_PROXY)");
        }

        /** A CGI program has the header Proxy of the request in this variable. */
        @Test
        void ofCgiIsNoChoiceOfTheOperator() throws Exception {
            Map<String, String> cgi = new HashMap<>();
            cgi.put("REQUEST_METHOD", "POST");
            cgi.put("HTTP_PROXY", "http://evil.example");

            assertThat(found(cgi, "http://a.example/")).isEqualTo("direct");
            cgi.put("http_proxy", "http://p.example");
            assertThat(found(cgi, "http://a.example/")).isEqualTo("p.example:80 (http_proxy)");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "http://localhost:3000/mcp",
                    "http://LOCALHOST/",
                    "http://a.localhost/",
                    "http://127.0.0.1/",
                    "http://127.9.9.9/",
                    "http://[::1]:1/",
                })
        void neverSendsWhatIsForTheOwnMachineAway(String url) throws Exception {
            assertThat(found(Map.of("ALL_PROXY", "p.example"), url)).isEqualTo("direct");
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                value = {
                    "a.example | http://a.example/ | direct",
                    "a.example | http://b.a.example/ | direct",
                    "a.example | http://ba.example/ | p",
                    ".a.example | http://a.example/ | direct",
                    ".a.example | http://b.a.example/ | direct",
                    "*.a.example | http://b.a.example/ | direct",
                    "A.Example | http://a.EXAMPLE./ | direct",
                    "a.example. | http://b.a.example/ | direct",
                    "x, a.example ,y | http://a.example/ | direct",
                    "x a.example | http://a.example/ | direct",
                    "a.example:8080 | http://a.example:8080/ | direct",
                    "a.example:8080 | http://a.example/ | p",
                    "a.example:443 | https://a.example/ | direct",
                    "* | http://a.example/ | direct",
                    "*x | http://x/ | p",
                    ". | http://a.example/ | p",
                    "192.0.2.1 | http://192.0.2.1/ | direct",
                    "192.0.2.1:81 | http://192.0.2.1:81/ | direct",
                    "192.0.2.1:81 | http://192.0.2.1/ | p",
                    "192.0.2.0/24 | http://192.0.2.77/ | direct",
                    "192.0.2.0/24 | http://192.0.3.77/ | p",
                    "192.0.2.0/99 | http://192.0.2.77/ | p",
                    "2001:db8::1 | http://[2001:db8::1]/ | direct",
                    "[2001:db8::1]:81 | http://[2001:db8:0::1]:81/ | direct",
                    "2001:db8::/32 | http://[2001:db8:1::1]/ | direct",
                    "0.2.1 | http://192.0.2.1/ | p",
                })
        void exceptsWhatNoProxyLists(String list, String url, String expected) throws Exception {
            for (String name : new String[] {"no_proxy", "NO_PROXY"}) {
                assertThat(found(Map.of("ALL_PROXY", "p", name, list), url))
                        .isEqualTo(expected.equals("p") ? "p:80 (ALL_PROXY)" : "direct");
            }
        }

        /** Files of containers set the variable in one case, and leave the other empty. */
        @Test
        void anEmptyListHidesNoOther() throws Exception {
            Map<String, String> both =
                    Map.of("ALL_PROXY", "p", "no_proxy", " ", "NO_PROXY", ".corp.example");

            assertThat(found(both, "http://a.corp.example/")).isEqualTo("direct");
        }

        /** A request for a proxy that cannot be used is never sent directly. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "socks5://user:geheim@p.example:1080",
                    "https://user:geheim@p.example",
                    "http://user:geheim@p.example:99999",
                    "http://user:geheim@:80",
                    "user:geheim@p example",
                    "http://us%zz:geheim@p.example",
                    "http://",
                    "http://user:geheim@p.example:0",
                    "user:geheim://p.example",
                })
        void thatCannotBeUsedIsAnErrorWithoutThePassword(String value) {
            assertThatThrownBy(() -> found(Map.of("HTTPS_PROXY", value), "https://a.example/"))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("HTTPS_PROXY")
                    .hasMessageNotContaining("geheim")
                    .hasNoCause();
        }

        @ParameterizedTest
        @CsvSource({
            "http://squid_proxy:3128/, squid_proxy:3128",
            "http://user:p@ss@proxy.example:1, proxy.example:1",
            "HTTP://p.example:?x, p.example:80",
            "[fe80::1%eth0]:3128, [fe80::1%eth0]:3128",
        })
        void isTakenAsOtherToolsTakeIt(String value, String place) throws Exception {
            assertThat(HttpProxy.parse(value, "x")).hasToString(place + " (x)");
        }

        @Test
        void hasCredentialsInTheUrl() throws Exception {
            HttpProxy proxy =
                    HttpProxy.parse("http://us%40er:p%3Ass+word@[2001:db8::1]:3128", "HTTP_PROXY");

            assertThat(proxy.host()).isEqualTo("2001:db8::1");
            assertThat(proxy.authorization()).isEqualTo("Basic dXNAZXI6cDpzcyt3b3Jk");
            assertThat(proxy).hasToString("[2001:db8::1]:3128 (HTTP_PROXY)");
        }
    }

    @Nested
    class TheJvm {
        private final InetSocketAddress place = InetSocketAddress.createUnresolved("p", 1);
        private final Proxy http = new Proxy(Proxy.Type.HTTP, place);
        private final Proxy socks = new Proxy(Proxy.Type.SOCKS, place);

        private Optional<String> found(Proxy... proxies) throws ConnectException {
            ProxySelector selector =
                    new ProxySelector() {
                        @Override
                        public List<Proxy> select(URI url) {
                            return List.of(proxies);
                        }

                        @Override
                        public void connectFailed(URI url, SocketAddress at, IOException e) {}
                    };
            return Proxies.find(
                            URI.create("https://a.example/"),
                            selector,
                            new EnvironmentProxies(Map.of("ALL_PROXY", "other")))
                    .map(HttpProxy::toString);
        }

        @Test
        void decidesBeforeTheEnvironment() throws Exception {
            assertThat(found(http)).contains("p:1 (ProxySelector.getDefault)");
            assertThat(found(socks, http)).contains("p:1 (ProxySelector.getDefault)");
            assertThat(found(Proxy.NO_PROXY, http)).isEmpty();
            assertThat(found()).isEmpty();
        }

        /** A request for a proxy that cannot be used is never sent directly. */
        @Test
        void withAProxyOfSocksIsAnError() {
            assertThatThrownBy(() -> found(socks))
                    .isInstanceOf(ConnectException.class)
                    .hasMessage(
                            "the proxy in ProxySelector.getDefault is one of SOCKS, which is not"
                                    + " supported; set https.proxyHost, or connect directly with"
                                    + " Proxies.none()");
        }
    }

    /** In a JVM of its own, since properties are those of all its threads. */
    @Nested
    class TheProperties {
        @Test
        void ofSocksAreAskedAfterTheEnvironment() throws Exception {
            Map<String, String> environment =
                    Map.of("HTTPS_PROXY", "p.example:8080", "NO_PROXY", "b.example");

            assertThat(
                            found(
                                    environment,
                                    List.of("-DsocksProxyHost=s.example"),
                                    "https://a.example/",
                                    "https://b.example/",
                                    "http://127.0.0.1/",
                                    "http://a.example/"))
                    .containsExactly(
                            "p.example:8080 (HTTPS_PROXY)",
                            "direct",
                            "direct",
                            "the proxy in socksProxyHost is one of SOCKS, which is not supported;"
                                    + " set http.proxyHost, or connect directly with"
                                    + " Proxies.none()");
        }

        @Test
        void haveCredentialsOfTheirScheme() throws Exception {
            List<String> properties =
                    List.of(
                            "-Dhttp.proxyHost=p.example",
                            "-Dhttps.proxyHost=q.example",
                            "-Dhttps.proxyPort=81",
                            "-Dhttps.proxyUser=user",
                            "-Dhttps.proxyPassword=secret",
                            "-DsocksProxyHost=s.example");

            assertThat(
                            found(
                                    Map.of("ALL_PROXY", "other"),
                                    properties,
                                    "https://a.example/",
                                    "http://a.example/"))
                    .containsExactly(
                            "q.example:81 (https.proxyHost) Basic dXNlcjpzZWNyZXQ=",
                            "p.example:80 (http.proxyHost)");
        }

        private static List<String> found(
                Map<String, String> environment, List<String> properties, String... urls)
                throws Exception {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(properties);
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
            command.add(Found.class.getName());
            command.addAll(List.of(urls));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
            builder.environment().putAll(environment);
            Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            return process.inputReader().lines().toList();
        }
    }

    /** Prints the proxies of its system for URLs. */
    static final class Found {
        private Found() {}

        public static void main(String[] urls) {
            for (String url : urls) {
                System.out.println(found(URI.create(url)));
            }
        }

        private static String found(URI url) {
            try {
                return Proxies.system()
                        .find(url)
                        .map(proxy -> (proxy + " " + proxy.authorization()).replace(" null", ""))
                        .orElse("direct");
            } catch (ConnectException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    @Nested
    class Requests {
        private final Received[] asked = new Received[1];

        private ScriptedServer proxy() throws Exception {
            return new ScriptedServer(
                    (request, reply) -> {
                        asked[0] = request;
                        reply.json(RequestTest.INITIALIZED);
                    });
        }

        private HttpConnector through(String proxy, String url) {
            return Http.to(URI.create(url))
                    .listening(false)
                    .proxies(new Proxies(Map.of("ALL_PROXY", proxy)));
        }

        private String failure(HttpConnector connector) throws Exception {
            try (RecordingSession session = RecordingSession.connect(connector)) {
                session.call(1, "initialize");
                return session.nextFailure(1).getMessage();
            }
        }

        @Test
        void goThroughTheProxyWithItsCredentials() throws Exception {
            try (ScriptedServer proxy = proxy()) {
                String url = "http://mcp.corp.example/mcp";
                String place = "http://user:secret@127.0.0.1:" + proxy.uri().getPort();
                try (RecordingSession session = RecordingSession.connect(through(place, url))) {
                    session.call(0, "initialize");
                    session.next();
                }
                assertThat(asked[0].target()).isEqualTo(url);
                assertThat(asked[0].header("Host")).isEqualTo("mcp.corp.example");
                assertThat(asked[0].header("Proxy-Authorization"))
                        .isEqualTo("Basic dXNlcjpzZWNyZXQ=");
            }
        }

        @Test
        void withTlsAskTheProxyForAConnection() throws Exception {
            try (ScriptedServer proxy =
                    new ScriptedServer(
                            (request, reply) -> {
                                asked[0] = request;
                                reply.answer(403, "");
                            })) {
                assertThat(
                                failure(
                                        through(
                                                "127.0.0.1:" + proxy.uri().getPort(),
                                                "https://mcp.corp.example/mcp")))
                        .contains("the proxy 127.0.0.1:" + proxy.uri().getPort() + " (ALL_PROXY)")
                        .contains("does not connect to https://mcp.corp.example/mcp")
                        .contains("403");
                assertThat(asked[0].method()).isEqualTo("CONNECT");
                assertThat(asked[0].target()).isEqualTo("mcp.corp.example:443");
            }
        }

        @Test
        void nameAProxyThatDoesNotAnswer() throws Exception {
            try (Socket taken = new Socket()) { // has a port, without a listener
                taken.bind(new InetSocketAddress(0));
                int port = taken.getLocalPort();

                assertThat(failure(through("127.0.0.1:" + port, "http://a.example/mcp")))
                        .isEqualTo(
                                "initialize failed: the server at http://a.example/mcp cannot be"
                                        + " reached: the proxy 127.0.0.1:"
                                        + port
                                        + " (ALL_PROXY): connection refused; nothing listens on"
                                        + " port "
                                        + port);
            }
        }

        @Test
        void nameAProxyThatCannotBeUsed() throws Exception {
            assertThat(failure(through("socks5://p.example", "http://a.example/mcp")))
                    .endsWith(
                            "cannot be reached: the proxy in ALL_PROXY must have the scheme http"
                                    + " but has socks5; set another one, or name the host of the"
                                    + " server in NO_PROXY");
        }

        @Test
        void nameAProxyThatWantsAPassword() throws Exception {
            try (ScriptedServer proxy =
                    new ScriptedServer(
                            (request, reply) ->
                                    reply.answer(407, "", "Proxy-Authenticate: Basic realm=x"))) {
                assertThat(
                                failure(
                                        through(
                                                "127.0.0.1:" + proxy.uri().getPort(),
                                                "http://a.example/mcp")))
                        .endsWith(
                                "the proxy asks for a name and a password (status 407); give them"
                                        + " in its URL, http://NAME:PASSWORD@HOST:PORT, or beside"
                                        + " its property, as https.proxyUser and"
                                        + " https.proxyPassword");
            }
        }

        @Test
        void withTlsNameAProxyThatWantsAnotherPassword() throws Exception {
            try (ScriptedServer proxy =
                    new ScriptedServer(
                            (request, reply) -> {
                                asked[0] = request;
                                reply.answer(407, "", "Proxy-Authenticate: Basic realm=x");
                            })) {
                assertThat(
                                failure(
                                        through(
                                                "user:secret@127.0.0.1:" + proxy.uri().getPort(),
                                                "https://a.example/mcp")))
                        .endsWith(
                                "asks for a name and a password (status 407); "
                                        + HttpProxy.CREDENTIALS);
                assertThat(asked[0].header("Proxy-Authorization"))
                        .isEqualTo("Basic dXNlcjpzZWNyZXQ=");
            }
        }

        @Test
        void goDirectlyWhereTheApplicationSaysSo() throws Exception {
            assertThat(Proxies.none().find(URI.create("http://a.example/"))).isEmpty();
            assertThat(Proxies.at(URI.create("http://p:1")).find(URI.create("http://localhost/")))
                    .map(HttpProxy::toString)
                    .contains("p:1 (Proxies.at)");
            assertThatThrownBy(() -> Proxies.at(URI.create("socks://p:1")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
