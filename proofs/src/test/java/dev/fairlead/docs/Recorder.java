package dev.fairlead.docs;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.server.McpServer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Joins a client with a server by a transport in memory, and keeps the frames that pass at the
 * client's end, in order.
 */
final class Recorder implements AutoCloseable {
    private static final byte[] END = {};
    private static final Map<Pattern, String> RANDOM =
            Map.of(
                    Pattern.compile("(?<=\"elicitationId\": \")[^\"]+"), "3f1c9a52",
                    Pattern.compile("(?<=\\nid: ).+(?=-[a-z]\\d+-\\d+)"), "a61f",
                    Pattern.compile("(?<=MCP-Session-Id: ).+"), "7d20e6b8",
                    Pattern.compile("(?<=reference )[0-9a-f-]+"), "5b8e41d7");

    private final List<String> frames = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch greeted = new CountDownLatch(1);
    private final List<McpServer> servers = new ArrayList<>();

    McpClient connect(McpServer server, McpClient.Builder client) throws InterruptedException {
        servers.add(server);
        return client.connect(
                () -> {
                    Pipe toServer = new Pipe();
                    Pipe toClient = new Pipe();
                    server.serve(new End(toServer, toClient, false));
                    return new End(toClient, toServer, true);
                });
    }

    /** Forgets what has passed, the whole greeting among it. */
    void restart() throws InterruptedException {
        if (!greeted.await(10, TimeUnit.SECONDS)) {
            throw new AssertionError("the client did not say that it is initialized");
        }
        frames.clear();
    }

    /** What has passed; ids that are different each time are replaced. */
    String text() {
        String text = String.join("\n\n", frames) + "\n";
        for (Map.Entry<Pattern, String> random : RANDOM.entrySet()) {
            text = random.getKey().matcher(text).replaceAll(random.getValue());
        }
        return text;
    }

    /** Keeps a frame. */
    void keep(String frame) {
        frames.add(frame);
    }

    private void keep(String direction, byte[] bytes) {
        String message = new String(bytes, StandardCharsets.UTF_8);
        keep("// " + direction + "\n" + PrettyJson.print(JsonValue.parse(message)));
        if (message.contains("notifications/initialized")) {
            greeted.countDown();
        }
    }

    /** Closes the servers that were connected to. */
    @Override
    public void close() {
        servers.forEach(McpServer::close);
    }

    /** The bytes of one message after the other, one way. */
    private static final class Pipe {
        private final BlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();

        byte[] take() throws IOException {
            try {
                return messages.take();
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }

        void put(byte[] message) {
            messages.add(message);
        }
    }

    /** One end of the connection; that of the client is where frames are kept. */
    private final class End implements Transport {
        private final Pipe in;
        private final Pipe out;
        private final boolean keeps;

        End(Pipe in, Pipe out, boolean keeps) {
            this.in = in;
            this.out = out;
            this.keeps = keeps;
        }

        @Override
        public @Nullable JsonRpcMessage receive() throws IOException {
            byte[] bytes = in.take();
            if (bytes.length == 0) {
                return null;
            }
            if (keeps) {
                keep("server → client", bytes);
            }
            return JsonRpcMessage.parse(bytes);
        }

        @Override
        public void send(JsonRpcMessage message) {
            byte[] bytes = message.toBytes();
            if (keeps) {
                keep("client → server", bytes);
            }
            out.put(bytes);
        }

        @Override
        public void close() {
            in.put(END);
            out.put(END);
        }
    }
}
