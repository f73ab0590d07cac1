package dev.fairlead.auth.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.UrlPolicy;
import dev.fairlead.http.client.Proxies;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.test.support.ClosingTest;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The requests that a proxy sees of fetches, and those that it does not. */
@Requirement({"SEC-007", "SEC-008", "SEC-013"})
@Timeout(90)
class ProxiedFetchTest extends ClosingTest {
    private static final Map<String, String> NAMES =
            Map.of(
                    "public.example", "93.184.215.14",
                    "private.example", "10.1.2.3",
                    "metadata.example", "169.254.169.254");

    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
    private String answer = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
    private URI proxy;

    @BeforeEach
    void serve() throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        closedLater(server);
        proxy = URI.create("http://user:secret@127.0.0.1:" + server.getLocalPort());
        Thread.ofVirtual()
                .start(
                        () -> {
                            while (!server.isClosed()) {
                                try (Socket socket = server.accept()) {
                                    heads.add(head(socket));
                                    socket.getOutputStream()
                                            .write(answer.getBytes(StandardCharsets.US_ASCII));
                                    socket.shutdownOutput();
                                    socket.getInputStream().transferTo(System.err);
                                } catch (IOException e) {
                                    // the client hung up, or the test has ended
                                }
                            }
                        });
    }

    private static String head(Socket socket) throws IOException {
        var lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        for (String line = lines.readLine();
                line != null && !line.isEmpty();
                line = lines.readLine()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    private Fetch fetch(UrlPolicy policy) {
        return new Fetch(
                policy,
                FetchLimits.DEFAULT,
                host -> {
                    if (host.matches("[0-9.]+|.*:.*")) {
                        return List.of(InetAddress.getByName(host));
                    }
                    if (!NAMES.containsKey(host)) {
                        throw new UnknownHostException(host);
                    }
                    return List.of(InetAddress.getByName(NAMES.get(host)));
                },
                () -> {},
                Proxies.at(proxy));
    }

    private Throwable failure(UrlPolicy policy, String url) {
        try {
            fetch(policy).get(URI.create(url));
            throw new AssertionError("fetched");
        } catch (IOException e) {
            return e;
        }
    }

    /**
     * A proxy would see tokens in clear text; so it is asked for a connection, in which TLS begins.
     */
    @ParameterizedTest
    @ValueSource(strings = {"https://public.example/metadata", "https://only-there.example/a?b"})
    void theProxyIsAskedForAConnectionByNameWithItsOwnCredentials(String url) {
        assertThat(failure(UrlPolicy.publicOnly(), url))
                .hasMessageContaining("the proxy 127.0.0.1:" + proxy.getPort())
                .hasMessageContaining("403")
                .hasMessageNotContaining("secret");
        assertThat(heads.poll())
                .startsWith("CONNECT " + URI.create(url).getHost() + ":443 HTTP/1.1\n")
                .contains("Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=")
                .doesNotContain("metadata");
        assertThat(heads).isEmpty();
    }

    /** The choice of a proxy takes nothing from the check of the target. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://private.example/",
                "https://metadata.example/",
                "https://10.1.2.3/",
                "https://[::1]/",
                "https://127.0.0.1/",
            })
    void aTargetWithAPrivateAddressIsRefused(String url) {
        assertThat(failure(UrlPolicy.publicOnly(), url)).isInstanceOf(RefusedException.class);
        assertThat(heads).isEmpty();
    }

    /** Names that are no public ones, and spellings of addresses that only the proxy would read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://intranet/",
                "https://printer.local/",
                "https://metadata.google.internal/",
                "https://a.localhost/",
                "https://router.lan./",
                "https://0x7f.1/",
                "https://0x7f000001/",
                "https://a.b.0x1/",
                "https://x.onion/",
            })
    void aNameThatOnlyTheProxyKnowsMustBeAPublicOne(String url) {
        assertThatThrownBy(() -> fetch(UrlPolicy.publicOnly()).get(URI.create(url)))
                .isInstanceOf(IOException.class);
        assertThat(heads).isEmpty();
    }

    @Test
    void aPolicyOfTheApplicationIsNotGotAround() {
        assertThat(failure((url, address) -> true, "https://only-there.example/"))
                .hasMessageContaining("only-there.example");
        assertThat(heads).isEmpty();
    }

    @Test
    void aHostThatTheApplicationHasNamedIsLeftToTheProxy() {
        failure(
                new NamedHosts(Set.of("mcp.internal"), false, UrlPolicy.publicOnly()),
                "https://mcp.internal/");

        assertThat(heads.poll()).startsWith("CONNECT mcp.internal:443");
    }

    @Test
    void aProxyThatIsAwayIsNamed() throws IOException {
        try (Socket taken = new Socket()) { // has a port, without a listener
            taken.bind(new InetSocketAddress(0));
            proxy = URI.create("http://127.0.0.1:" + taken.getLocalPort());

            assertThat(failure(UrlPolicy.publicOnly(), "https://public.example/"))
                    .hasMessageContaining("the proxy 127.0.0.1:" + taken.getLocalPort());
        }
    }

    /** A proxy answers with text of its choice, which may reach a terminal. */
    @Test
    void theAnswerOfAProxyIsShownWithoutControlCharacters() {
        answer = "HTTP/1.1 502 \u001b]0;x\u0007" + "y".repeat(5_000) + "\r\n\r\n";

        assertThat(failure(UrlPolicy.publicOnly(), "https://public.example/").getMessage())
                .hasSizeLessThan(300)
                .doesNotContainPattern("\\p{Cntrl}");
    }
}
