package dev.fairlead.console.workbench;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
import dev.fairlead.console.access.Person;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.logging.LoggingMessageNotification;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client of one page, and its calls. It connects with the first request, and again after the
 * connection was lost. Thread-safe.
 */
final class Bench {
    /** The most calls of a page at a time. */
    static final int MAX_CALLS = 16;

    /** The most resources that a page watches. */
    private static final int MAX_WATCHED = 16;

    /** The longest time in which a client connects; a program may be downloaded first. */
    static final Duration CONNECTING = Duration.ofSeconds(30);

    /** The pages of servers that the page shows. */
    private static final JsonObject PAGES =
            JsonObject.of("mimeTypes", List.of("text/html;profile=mcp-app"));

    /** The requests that a page may send. */
    private static final Set<String> METHODS =
            Set.of(
                    "ping",
                    "tools/list",
                    "tools/call",
                    "resources/list",
                    "resources/templates/list",
                    "resources/read",
                    "prompts/list",
                    "prompts/get",
                    "completion/complete");

    private volatile ConsoleTarget target;
    private final Person person;
    private final @Nullable Handlers handlers;
    private final Outbox outbox = new Outbox();
    private final Questions questions = new Questions(outbox);
    private final Frames frames = new Frames(outbox);
    private final Object lock = new Object();
    private final Map<String, Running> calls = new LinkedHashMap<>(); // guarded by lock
    private final ReentrantLock connecting = new ReentrantLock();
    private final Map<String, Subscription> watched = new LinkedHashMap<>(); // by connecting
    private @Nullable McpClient client; // guarded by connecting
    private volatile long used = System.nanoTime();
    private volatile boolean closed;
    private volatile @Nullable Thread first; // connects for the head of the page

    private record Running(BenchCall call, Thread thread) {}

    Bench(ConsoleTarget target, Person person, @Nullable Handlers handlers) {
        this.target = target;
        this.person = person;
        this.handlers = handlers;
    }

    Person person() {
        return person;
    }

    Outbox outbox() {
        return outbox;
    }

    /**
     * Starts a request.
     *
     * @return the reason why it was not; empty if it was
     */
    String start(JsonObject body) {
        String id = Questions.text(body, "call");
        String method = Questions.text(body, "method");
        JsonObject params =
                body.get("params") instanceof JsonObject given ? given : JsonObject.EMPTY;
        if (!METHODS.contains(method)) {
            return "The page may not send " + Failures.shortened(method);
        }
        if (outbox.isBehind()) {
            return "The page reads its answers too slowly; try again";
        }
        boolean isTask = body.get("task") != null && body.bool("task");
        boolean isShown = body.get("frames") != null && body.bool("frames");
        BenchCall call = new BenchCall(id, method, params, isTask, outbox, handlers);
        Thread thread =
                Thread.ofVirtual().name("mcp-console-call").unstarted(() -> run(id, call, isShown));
        synchronized (lock) {
            if (closed || calls.containsKey(id)) {
                return closed ? "The page has left" : "There is a call " + id + " already";
            }
            if (calls.size() >= MAX_CALLS) {
                return MAX_CALLS + " calls are under way; cancel one of them";
            }
            calls.put(id, new Running(call, thread));
        }
        used = System.nanoTime();
        thread.start();
        return "";
    }

    private void run(String id, BenchCall call, boolean isShown) {
        Exception failure = null;
        if (isShown) {
            frames.begin(id);
        }
        try {
            failure = call.run(this::connected);
        } finally {
            frames.end(id);
            synchronized (lock) {
                calls.remove(id);
            }
            used = System.nanoTime();
            if (failure instanceof ConnectionException) {
                disconnect();
            }
        }
    }

    /** Cancels a call; returns false if it has ended. */
    boolean cancel(String id) {
        Running running;
        synchronized (lock) {
            running = calls.get(id);
        }
        if (running == null) {
            return false;
        }
        running.call.cancel();
        return true;
    }

    JsonObject answer(JsonObject body) {
        used = System.nanoTime();
        return questions.answer(body);
    }

    /** Watches a resource, or ends that; returns the reason why it could not, else empty. */
    String watch(String uri, boolean isWanted) {
        used = System.nanoTime();
        try {
            McpClient server = connected();
            connecting.lock();
            try {
                Subscription before = watched.remove(uri);
                if (before != null) {
                    before.close();
                }
                if (isWanted) {
                    if (watched.size() >= MAX_WATCHED) {
                        return MAX_WATCHED + " resources are watched; end one of them";
                    }
                    watched.put(uri, server.watch(uri, this::updated));
                }
            } finally {
                connecting.unlock();
            }
            return "";
        } catch (CallException e) {
            return Failures.message(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "The console is being closed";
        }
    }

    private void updated(String uri) {
        outbox.addPassing(JsonObject.of("type", "updated", "uri", uri));
    }

    /** Connects with this access token from now on, where the server has a URL. */
    void use(String accessToken) {
        used = System.nanoTime();
        if (target instanceof UrlTarget own) {
            target = new UrlTarget(own.url(), accessToken.isEmpty() ? null : accessToken);
            disconnect();
            connect();
        }
    }

    /** Begins to connect, for the head of the page; a failure is an event. */
    void connect() {
        Thread thread =
                Thread.ofVirtual().name("mcp-console-connect").unstarted(this::connectFirst);
        first = thread;
        thread.start();
    }

    private void connectFirst() {
        try {
            connected();
        } catch (RuntimeException e) {
            outbox.add(JsonObject.of("type", "disconnected", "message", Failures.message(e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            outbox.add(
                    JsonObject.of(
                            "type", "disconnected", "message", "The connection was cancelled"));
        }
    }

    /** Cancels the connection that {@link #connect} began. */
    boolean cancelConnecting() {
        Thread thread = first;
        if (thread == null || !thread.isAlive()) {
            return false;
        }
        thread.interrupt();
        return true;
    }

    private McpClient connected() throws InterruptedException {
        connecting.lockInterruptibly();
        try {
            if (closed) {
                throw new ConnectionException("the page has left");
            }
            McpClient known = client;
            if (known == null) {
                outbox.addPassing(JsonObject.of("type", "connecting"));
                McpClient.Builder settings = target.client();
                settings.extension("io.modelcontextprotocol/ui", PAGES);
                questions.handledBy(settings);
                listen(settings);
                known =
                        ConnectTimeout.within(
                                CONNECTING,
                                () -> settings.connect(frames.shown(target.remote(this::printed))));
                client = known;
                outbox.add(described(known));
            }
            return known;
        } finally {
            connecting.unlock();
        }
    }

    private void listen(McpClient.Builder settings) {
        settings.onLog(this::logged)
                .onToolsChanged(list -> changed("tools"))
                .onResourcesChanged(list -> changed("resources"))
                .onPromptsChanged(list -> changed("prompts"))
                .onConnectionLost(
                        why -> {
                            outbox.add(
                                    JsonObject.of(
                                            "type",
                                            "disconnected",
                                            "message",
                                            Failures.message(why)));
                            disconnect();
                        });
    }

    private void changed(String list) {
        outbox.addPassing(JsonObject.of("type", "changed", "list", list));
    }

    private void logged(LoggingMessageNotification entry) {
        line(entry.level().toString(), entry.logger(), entry.text());
    }

    private void printed(String line) {
        line("", "standard error", line);
    }

    private void line(String level, @Nullable String logger, String text) {
        outbox.addPassing(
                JsonObject.of(
                        "type",
                        "log",
                        "level",
                        level,
                        "logger",
                        logger == null ? "" : Failures.shortened(logger),
                        "text",
                        Failures.shortened(text)));
    }

    private static JsonObject described(McpClient client) {
        JsonObject about =
                JsonObject.of(
                        "server",
                        JsonCodec.of(Implementation.class).toValue(client.serverInfo()),
                        "revision",
                        client.revision().date(),
                        "capabilities",
                        JsonCodec.of(ServerCapabilities.class).toValue(client.serverCapabilities()),
                        "instructions",
                        client.instructions().orElse(""));
        return Cut.into(JsonObject.of("type", "connected"), "about", about, Cut.MAX >> 3);
    }

    /** Drops a client that is of no use, so that the next request connects again. */
    private void disconnect() {
        McpClient dropped;
        connecting.lock();
        try {
            dropped = client;
            client = null;
            watched.clear();
        } finally {
            connecting.unlock();
        }
        if (dropped != null) {
            dropped.close();
        }
    }

    /** Closes a client that was not used for this long; the next request opens another. */
    void closeIfIdle(long nanos) {
        boolean isIdle;
        synchronized (lock) {
            isIdle = calls.isEmpty() && System.nanoTime() - used > nanos;
        }
        if (isIdle && isConnected()) {
            disconnect();
            outbox.add(JsonObject.of("type", "idle"));
        }
    }

    private boolean isConnected() {
        connecting.lock();
        try {
            return client != null;
        } finally {
            connecting.unlock();
        }
    }

    /** Ends all calls and the client. */
    void close() {
        Map<String, Running> running;
        synchronized (lock) {
            closed = true;
            running = Map.copyOf(calls);
        }
        outbox.close();
        running.values().forEach(one -> one.call.leave(one.thread));
        Thread thread = first;
        if (thread != null) {
            thread.interrupt();
        }
        disconnect();
    }
}
