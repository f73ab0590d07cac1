package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Serving;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The framing of standard input and output over the streams of a socket. */
@Timeout(60)
class SocketStreamsTest {
    @Test
    @Requirement("N26-STDIO-011")
    void aSocketCarriesOneMessageOnEachLine() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                Socket near = new Socket("127.0.0.1", listener.getLocalPort());
                Socket far = listener.accept()) {
            try (Serving serving =
                    Stdio.streams(far.getInputStream(), far.getOutputStream())
                            .serve(new EchoServer())) {
                BufferedReader answers =
                        new BufferedReader(
                                new InputStreamReader(
                                        near.getInputStream(), StandardCharsets.UTF_8));
                String request = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"echo\"}\n";
                byte[] both = (request.formatted(1) + request.formatted(2)).getBytes();
                near.getOutputStream().write(both, 0, 30); // a line may come in pieces
                near.getOutputStream().write(both, 30, both.length - 30);

                assertThat(List.of(answers.readLine(), answers.readLine()))
                        .containsExactlyInAnyOrder(
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
                                "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
                near.shutdownOutput();
                serving.await();
                assertThat(answers.readLine()).isNull();
            }
        }
    }
}
