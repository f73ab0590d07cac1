package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.fairlead.http.Http;
import dev.fairlead.test.support.ClosingTest;
import dev.fairlead.test.support.ScriptedHttp;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A name with several addresses. Nothing listens on the first, 127.0.0.1. */
@Timeout(90)
class AddressesTest extends ClosingTest {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private InetAddress first;
    private InetAddress second;
    private int port;

    @BeforeEach
    void addresses() throws UnknownHostException {
        first = InetAddress.getByName("localhost");
        second = InetAddress.getByName("127.0.0.2");
    }

    private void serve() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(second, 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    received.add(
                            exchange.getRequestHeaders().getFirst("Host")
                                    + exchange.getRequestURI().getPath());
                    if (ScriptedHttp.body(exchange).contains("initialize\"")) {
                        ScriptedHttp.json(exchange, 200, RequestTest.INITIALIZED);
                    } else {
                        ScriptedHttp.respond(exchange, 202);
                    }
                });
        server.start();
        closedLater(() -> server.stop(0));
        port = server.getAddress().getPort();
    }

    private HttpConnector connector(InetAddress... addresses) {
        return Http.to(URI.create("http://localhost:" + port + "/mcp"))
                .listening(false)
                .proxies(Proxies.none())
                .gracePeriods(RequestTest.PATIENT)
                .resolver(host -> List.of(addresses));
    }

    @Test
    void theOtherAddressesAreTriedWithTheSameHost() throws Exception {
        serve();
        try (RecordingSession session = RecordingSession.initialized(connector(first, second))) {
            assertThat(session.events).isEmpty();
        }
        assertThat(received)
                .hasSizeGreaterThanOrEqualTo(2)
                .containsOnly("localhost:" + port + "/mcp");
    }

    @Test
    void whereNoneAnswersAllAreNamed() throws Exception {
        try (Socket taken = new Socket()) { // has a port, without a listener
            taken.bind(new InetSocketAddress(0));
            port = taken.getLocalPort();
            try (RecordingSession session = RecordingSession.connect(connector(first, second))) {
                session.call(1, "initialize");

                assertThat(session.nextFailure(1))
                        .hasMessageEndingWith(
                                "cannot be reached: connection refused; nothing listens on port "
                                        + port
                                        + " of "
                                        + first.getHostAddress()
                                        + " and 127.0.0.2");
            }
        }
    }

    /** The owner of the name could let a client try addresses for hours. */
    @Test
    void ofManyAddressesOnlyTheFirstAreTried() throws Exception {
        InetAddress[] many = new InetAddress[100];
        for (int i = 0; i < many.length; i++) {
            many[i] = InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) i});
        }
        try (Socket taken = new Socket()) { // has a port, without a listener
            taken.bind(new InetSocketAddress(0));
            port = taken.getLocalPort();
            try (RecordingSession session = RecordingSession.connect(connector(many))) {
                session.call(1, "initialize");

                assertThat(session.nextFailure(1))
                        .hasMessageContaining("127.0.1.7")
                        .hasMessageNotContaining("127.0.1.8");
            }
        }
    }
}
