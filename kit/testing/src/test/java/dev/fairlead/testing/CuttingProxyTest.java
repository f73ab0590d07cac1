package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

@Timeout(300)
class CuttingProxyTest {
    private static final String EVENT = "id: 1\ndata: one\n\n";

    /**
     * Returns the part of a stream that passes a proxy that cuts right after a number of whole
     * events.
     */
    private static String through(int events, String stream) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                CuttingProxy proxy = new CuttingProxy(server.getLocalPort(), 1, 0)) {
            proxy.cutAt(events, 0);
            URI uri = proxy.uri();
            try (Socket client = new Socket(uri.getHost(), uri.getPort());
                    Socket accepted = server.accept()) {
                String answer =
                        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(stream.length())
                                + "\r\n"
                                + stream
                                + "\r\n0\r\n\r\n";
                accepted.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                String came =
                        new String(
                                client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertThat(proxy.cuts()).isEqualTo(1);
                return came.substring(came.indexOf("\r\n", came.indexOf("\r\n\r\n") + 4) + 2);
            }
        }
    }

    @Test
    void theFirstEventPassesWhole() throws Exception {
        assertThat(through(1, EVENT + "data: two\n\n")).isEqualTo(EVENT);
        assertThat(through(2, EVENT + EVENT + "data: three\n\n")).isEqualTo(EVENT + EVENT);
    }

    @Test
    void aCommentIsNoEvent() throws Exception {
        assertThat(through(1, ":\n\n: still here\n\n" + EVENT + "data: two\n\n"))
                .isEqualTo(":\n\n: still here\n\n" + EVENT);
    }
}
