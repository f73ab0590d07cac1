package dev.fairlead.docs;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.test.support.Awaiting;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Joins a client with a server by a transport in memory, and keeps the frames that pass at the
 * client's end, in order.
 */
final class Recorder implements AutoCloseable {
    private static final byte[] END = {};
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<Pattern, String> RANDOM =
            Map.of(
                    Pattern.compile("(?<=\"elicitationId\": \")[^\"]+"), "3f1c9a52",
                    Pattern.compile("(?<=\\nid: ).+(?=-[a-z]\\d+-\\d+)"), "a61f",
                    Pattern.compile("(?<=MCP-Session-Id: ).+"), "7d20e6b8",
                    Pattern.compile("(?<=reference )[0-9a-f-]+"), "5b8e41d7");

    private static final Pattern TASK_ID = Pattern.compile("\"taskId\":\"([^\"]+)");

    /** The random values that change the layout of a frame. */
    private static final Map<Pattern, String> RANDOM_IN_LAYOUT =
            Map.of(
                    Pattern.compile("(?<=\"requestState\":\")[^\"]+"), "v1.q83vEjRWeJqrze8…",
                    Pattern.compile("(?<=\"taskId\":\")[^\"]+"), "Wm3kq0sYpB7cVxTz1nHfUg",
                    Pattern.compile("(?<=\"(?:createdAt|lastUpdatedAt)\":\")[^\"]+"),
                            "2026-01-05T09:00:00Z");

    private final List<String> frames = Collections.synchronizedList(new ArrayList<>());
    private final List<String> unshown = Collections.synchronizedList(new ArrayList<>());
    private volatile String leftOut = "";
    private volatile boolean hidden;
    private final CountDownLatch greeted = new CountDownLatch(1);
    private final List<McpServer> servers = new ArrayList<>();

    /** A client of the newest revision with a handshake, which the pages of concepts show. */
    McpClient connect(McpServer server, McpClient.Builder client) throws InterruptedException {
        Revision newest = Revision.NEWEST_WITH_HANDSHAKE;
        return connectAsSet(server, client.revisions(newest, newest));
    }

    /** A client of revision 2026-07-28; the frames of its discovery are forgotten. */
    McpClient connectPerRequest(McpServer server, McpClient.Builder client)
            throws InterruptedException {
        McpClient connected =
                connectAsSet(server, client.revisions(Revision.V2026_07_28, Revision.V2026_07_28));
        forget();
        return connected;
    }

    /** Removes the recorded frames. */
    void forget() {
        frames.clear();
    }

    /** A client of the revisions that its settings name. */
    McpClient connectAsSet(McpServer server, McpClient.Builder client) throws InterruptedException {
        return client.connect(() -> serve(server));
    }

    /** A client that sends the messages of a test, and none by itself. */
    Script script(McpServer server, String capabilities) throws InterruptedException {
        Script script = new Script(serve(server));
        script.request(
                "initialize",
                """
                {"protocolVersion": "2025-11-25", "capabilities": %s,
                 "clientInfo": {"name": "desk", "version": "1.4.0"}}\
                """
                        .formatted(capabilities));
        await("serverInfo");
        script.send("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
        restart();
        return script;
    }

    /** A client without a session that sends the messages of a test. */
    Script script(McpServer server) {
        return new Script(serve(server));
    }

    private End serve(McpServer server) {
        servers.add(server);
        Pipe toServer = new Pipe();
        Pipe toClient = new Pipe();
        server.serve(new End(toServer, toClient, false));
        return new End(toClient, toServer, true);
    }

    /** The messages that a scene sends as a client. */
    final class Script {
        private final End end;
        private final CompletableFuture<String> taskId = new CompletableFuture<>();
        private int lastId;

        private Script(End end) {
            this.end = end;
            Thread.ofVirtual().name("script").start(this::read);
        }

        private void read() {
            try {
                for (JsonRpcMessage heard = end.receive(); heard != null; heard = end.receive()) {
                    Matcher task = TASK_ID.matcher(heard.toJson());
                    if (task.find()) {
                        taskId.complete(task.group(1));
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** The id of the only task of which the server speaks, as soon as it has done so. */
        String taskId() {
            return taskId.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }

        void request(String method, String params) {
            send(
                    "{\"jsonrpc\": \"2.0\", \"id\": %s, \"method\": \"%s\", \"params\": %s}"
                            .formatted(++lastId, method, params));
        }

        /**
         * Repeats a request until a response contains a text. How often depends on the moment, so
         * none of these frames is shown.
         */
        void repeat(String method, String params, String text) {
            hidden = true;
            while (!contains(unshown, text)) {
                int answered = unshown.size() + 2;
                send(
                        "{\"jsonrpc\": \"2.0\", \"id\": \"again\", \"method\": \"%s\", \"params\": %s}"
                                .formatted(method, params));
                Awaiting.await("a response to " + method).until(() -> unshown.size() >= answered);
            }
            hidden = false;
        }

        void send(String message) {
            end.send(JsonRpcMessage.parse(message));
        }
    }

    /** Removes the recorded frames, including the whole handshake. */
    void restart() throws InterruptedException {
        if (!greeted.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the client did not say that it is initialized");
        }
        frames.clear();
    }

    /** Returns the recorded frames; random ids are replaced. */
    String text() {
        String text = String.join("\n\n", frames) + "\n";
        return replaced(text, RANDOM);
    }

    private static String replaced(String text, Map<Pattern, String> randoms) {
        String replaced = text;
        for (Map.Entry<Pattern, String> random : randoms.entrySet()) {
            replaced = random.getKey().matcher(replaced).replaceAll(random.getValue());
        }
        return replaced;
    }

    /** Waits for a frame that contains a text, shown or not. */
    void await(String text) {
        Awaiting.await("a frame with " + text)
                .until(() -> contains(frames, text) || contains(unshown, text));
    }

    /** Waits until so many frames are shown. */
    void awaitFrames(int shown) {
        Awaiting.await(shown + " frames").until(() -> frames.size() >= shown);
    }

    private static boolean contains(List<String> list, String text) {
        synchronized (list) {
            return list.stream().anyMatch(frame -> frame.contains(text));
        }
    }

    /** Leaves out the frames of a method, which can come at any moment of the scene. */
    void leaveOut(String method) {
        leftOut = method;
    }

    /** Keeps a frame. */
    void keep(String frame) {
        frames.add(frame);
    }

    private void keep(String direction, byte[] bytes) {
        String message = new String(bytes, StandardCharsets.UTF_8);
        if (hidden || (!leftOut.isEmpty() && message.contains(leftOut))) {
            unshown.add(message);
            return;
        }
        String compact = JsonValue.parse(message).toJson();
        JsonValue shown = JsonValue.parse(replaced(compact, RANDOM_IN_LAYOUT));
        keep("// " + direction + "\n" + PrettyJson.print(shown));
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
