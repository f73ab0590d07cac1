package dev.fairlead.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that a client saves because it remembers an earlier answer. Every byte that it sends is
 * recorded, on a real socket or on the pipe of a real process.
 */
@Timeout(120)
class RequestsSavedTest {
    private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]+)\"");

    @TempDir Path folder;

    /** A way to a server. */
    enum Route {
        HTTP,
        STDIO
    }

    /** A server, and the bytes that clients have sent to it so far. */
    private interface RecordedServer extends AutoCloseable {
        Remote remote();

        byte[] received() throws IOException;

        default List<String> methods() throws IOException {
            List<String> methods = new ArrayList<>();
            Matcher matcher = METHOD.matcher(new String(received(), StandardCharsets.UTF_8));
            while (matcher.find()) {
                methods.add(matcher.group(1));
            }
            return methods;
        }

        @Override
        void close() throws IOException;
    }

    private RecordedServer start(Route route, Revision newest) throws IOException {
        return route == Route.HTTP
                ? new OverHttp(server(newest))
                : new OverStdio(folder.resolve("received"), newest);
    }

    private static McpServer server(Revision newest) {
        return McpServer.named("recorded", "1")
                .revisions(Revision.V2024_11_05, newest)
                .cacheLists(Duration.ofHours(1))
                .tool("echo", "Returns its input", JsonObject.class, String.class)
                .handle((input, call) -> input.toJson())
                .build();
    }

    private static void connectAndCall(RecordedServer server, Revision expected) throws Exception {
        McpClient.Builder desk = // a slow process is no server without discovery
                McpClient.named("desk", "1").probeTimeout(Duration.ofMinutes(1));
        try (McpClient client = desk.connect(server.remote())) {
            assertThat(client.revision()).isEqualTo(expected);
            assertThat(client.callTool("echo", JsonObject.EMPTY).text()).isEqualTo("{}");
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    @Requirement("N26-LIFE-015")
    void aSecondConnectToAServerWithoutHandshakesSendsOneRequest(Route route) throws Exception {
        try (RecordedServer server = start(route, Revision.V2026_07_28)) {
            connectAndCall(server, Revision.V2026_07_28);
            connectAndCall(server, Revision.V2026_07_28);
            assertThat(server.methods())
                    .containsExactly(
                            "server/discover", "tools/call", "server/discover", "tools/call");
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    @Requirement("N26-LIFE-015")
    void aSecondConnectToAServerWithHandshakesSendsTheHandshakeAlone(Route route) throws Exception {
        try (RecordedServer server = start(route, Revision.V2025_11_25)) {
            connectAndCall(server, Revision.V2025_11_25);
            connectAndCall(server, Revision.V2025_11_25);
            assertThat(server.methods())
                    .containsExactly(
                            "server/discover",
                            "initialize",
                            "notifications/initialized",
                            "tools/call",
                            "initialize",
                            "notifications/initialized",
                            "tools/call");
        }
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    @Requirement("N26-CACHE-008")
    void aListThatIsKeptIsReturnedWithoutAByteSent(Route route) throws Exception {
        try (RecordedServer server = start(route, Revision.V2026_07_28);
                McpClient client =
                        McpClient.named("desk", "1")
                                .revisions(Revision.V2026_07_28, Revision.V2026_07_28)
                                .connect(server.remote())) {
            List<Tool> tools = client.tools();
            assertThat(tools).extracting(Tool::name).containsExactly("echo");
            byte[] before = server.received();
            for (int i = 0; i < 100; i++) {
                assertThat(client.tools()).isEqualTo(tools);
            }
            assertThat(server.received()).isEqualTo(before);

            assertThat(client.withFreshResults().tools()).isEqualTo(tools);
            assertThat(server.received()).hasSizeGreaterThan(before.length);
            assertThat(server.methods())
                    .containsExactly("server/discover", "tools/list", "tools/list");
        }
    }

    /** Passes bytes on to a server over HTTP, and records those that clients send. */
    private static final class OverHttp implements RecordedServer {
        private final McpServer server;
        private final URI uri;
        private final ServerSocket front;
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();

        OverHttp(McpServer server) throws IOException {
            this.server = server;
            HttpServing serving = server.serve(Http.port(0));
            this.uri = serving.uri();
            this.front = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = front.accept();
                    Socket upstream = new Socket(uri.getHost(), uri.getPort());
                    pass(client, upstream, received);
                    pass(upstream, client, OutputStream.nullOutputStream());
                }
            } catch (IOException e) {
                // the test is over
            }
        }

        private static void pass(Socket from, Socket to, OutputStream record) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                byte[] buffer = new byte[8 << 10];
                                try (from;
                                        to;
                                        InputStream in = from.getInputStream()) {
                                    int length = in.read(buffer);
                                    while (length >= 0) {
                                        record.write(buffer, 0, length);
                                        to.getOutputStream().write(buffer, 0, length);
                                        length = in.read(buffer);
                                    }
                                } catch (IOException e) {
                                    // one side has closed the connection
                                }
                            });
        }

        @Override
        public Remote remote() {
            return Http.to("http://127.0.0.1:" + front.getLocalPort() + uri.getPath());
        }

        @Override
        public byte[] received() {
            return received.toByteArray();
        }

        @Override
        public void close() throws IOException {
            front.close();
            server.close();
        }
    }

    /** Starts processes that append their input to one file. */
    private record OverStdio(Path file, Revision newest) implements RecordedServer {
        @Override
        public Remote remote() {
            return Stdio.command(
                            ChildJvm.command(Recording.class, file.toString(), newest.date())
                                    .toArray(String[]::new))
                    .onStderr(line -> {});
        }

        @Override
        public byte[] received() throws IOException {
            return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        }

        @Override
        public void close() {
            // its processes end with their clients
        }
    }

    /** The program of {@link OverStdio}. */
    static final class Recording {
        private Recording() {}

        public static void main(String... arguments) throws Exception {
            Revision newest = Revision.of(arguments[1]).orElseThrow();
            try (OutputStream file =
                            Files.newOutputStream(
                                    Path.of(arguments[0]),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.APPEND);
                    McpServer server = server(newest);
                    Serving serving =
                            server.serve(
                                    Stdio.streams(new Recorder(System.in, file), System.out))) {
                serving.await();
            }
        }
    }

    /** Records the bytes that are read. */
    private static final class Recorder extends FilterInputStream {
        private final OutputStream record;

        Recorder(InputStream in, OutputStream record) {
            super(in);
            this.record = record;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            if (read > 0) {
                record.write(bytes, offset, read);
            }
            return read;
        }
    }
}
