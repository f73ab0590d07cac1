package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.test.support.RawSession;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The session that other tests write themselves. */
class RawSessionTest {
    /** Its head would become the id of a session, and with it fields of the next request. */
    @Test
    void anErrorWithStatus200IsNoSession() throws Exception {
        String error =
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32603,\"message\":\"x\"}}";
        String answer =
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                        + error.length()
                        + "\r\n\r\n"
                        + error;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Thread answering =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try (Socket client = server.accept()) {
                                            client.getInputStream().read(new byte[8_192]);
                                            client.getOutputStream()
                                                    .write(answer.getBytes(StandardCharsets.UTF_8));
                                        } catch (IOException e) {
                                            throw new IllegalStateException(e);
                                        }
                                    });
            assertThatThrownBy(() -> RawSession.open(server.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no session");
            answering.join();
        }
    }
}
