package dev.fairlead.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.EventLimits;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.HttpAnswer;
import dev.fairlead.test.support.Scale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that ask for a flood and do not read it, against a server that has a small heap. */
@Tag("proof")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class StalledReadersTest {
    private static final int READERS = 16;
    private static final int PIECE = 64 << 10;
    private static final int PIECES = Scale.of(100, 800);

    record Floods(int done) {}

    /**
     * The server as a process. Its bounds are 16 streams of 512 KiB and a store of 8 MiB; a flood
     * that was kept would be many times its heap.
     */
    static final class Flooding {
        private static final AtomicInteger DONE = new AtomicInteger();

        private Flooding() {}

        public static void main(String[] arguments) throws InterruptedException {
            InMemoryEventStore store =
                    new InMemoryEventStore(
                            new EventLimits(1_000, 512 << 10, 8 << 20, Duration.ofMinutes(5)));
            int pieces = Integer.parseInt(System.getProperty("pieces"));
            try (McpServer server =
                    McpServer.named("flooding", "1")
                            .tool("flood", "Floods its caller", NoInput.class, String.class)
                            .handle((none, call) -> flood(call, pieces))
                            .tool("floods", "How many floods are over", NoInput.class, Floods.class)
                            .handle((none, call) -> new Floods(DONE.get()))
                            .build()) {
                HttpServing serving =
                        server.serve(Http.port(0).streamBuffer(512 << 10).eventStore(store));
                System.out.println(serving.uri());
                serving.await();
            }
        }

        private static String flood(Call call, int pieces) {
            JsonObject piece = JsonObject.of("text", "x".repeat(PIECE));
            call.progress(1); // from here on the answer is a stream
            for (int i = 0; i < pieces; i++) {
                call.notify("proof/piece", piece);
            }
            DONE.incrementAndGet();
            return "done";
        }
    }

    @Test
    @Requirement({"SSE-019", "SSE-022"})
    void anUnreadFloodDoesNotFillTheHeap() throws Exception {
        Process child =
                new ProcessBuilder(
                                ChildJvm.command(
                                        List.of(
                                                "-XX:TieredStopAtLevel=1",
                                                "-XX:+UseSerialGC", // on any machine
                                                "-Xmx64m",
                                                "-XX:+ExitOnOutOfMemoryError",
                                                "-Dpieces=" + PIECES),
                                        Flooding.class))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        List<Socket> stalled = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(
                        new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            URI uri = URI.create(out.readLine());
            for (int i = 0; i < READERS; i++) {
                stalled.add(stall(uri));
            }
            try (McpClient client = McpClient.connect(Http.to(uri))) {
                var floods = client.tool("floods", JsonObject.class, Floods.class);
                int done = 0;
                while (done < READERS) {
                    assertThat(child.isAlive()).isTrue();
                    done = floods.call(JsonObject.EMPTY).done();
                    TimeUnit.MILLISECONDS.sleep(20); // between two looks
                }
                client.ping();
            }
            assertThat(child.isAlive()).isTrue();
            System.out.printf(
                    Locale.ROOT,
                    "stalled readers: %d MiB for %d readers from a heap of 64 MiB%n",
                    ((long) READERS * PIECES * PIECE) >> 20,
                    READERS);
        } finally {
            for (Socket socket : stalled) {
                socket.close();
            }
            child.destroy();
            child.waitFor();
        }
    }

    /** Opens a session, calls the tool in it, and reads no more. */
    private static Socket stall(URI uri) throws IOException {
        String session = open(uri);
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", uri.getPort()));
        post(
                socket,
                "Mcp-Session-Id: " + session + "\r\n",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
                        + "\"flood\",\"_meta\":{\"progressToken\":1}}}");
        return socket;
    }

    private static String open(URI uri) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", uri.getPort())) {
            post(
                    socket,
                    "",
                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                            + "\"clientInfo\":{\"name\":\"stalled\",\"version\":\"1\"}}}");
            String head = HttpAnswer.read(socket.getInputStream(), true).head();
            return head.replaceFirst("(?is).*mcp-session-id: (\\w+).*", "$1");
        }
    }

    private static void post(Socket socket, String headers, String body) throws IOException {
        String request =
                "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json,"
                        + " text/event-stream\r\nContent-Type: application/json\r\n"
                        + headers
                        + "Content-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body;
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }
}
