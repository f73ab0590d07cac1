package dev.fairlead.console.workbench;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.Subscription;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection of one page to the server. It is made with the first request, and again after it
 * was lost or the server was started again. The page gets its state as events. Thread-safe.
 */
final class BenchConnection {
    /** The longest time in which a client connects; a program may be downloaded first. */
    static final Duration CONNECTING = Duration.ofSeconds(30);

    /** The most resources that a page watches. */
    private static final int MAX_WATCHED = 16;

    /** The pages of servers that the page shows. */
    private static final JsonObject PAGES =
            JsonObject.of("mimeTypes", List.of("text/html;profile=mcp-app"));

    private final Outbox outbox;
    private final Questions questions;
    private final Frames frames;
    private final ReentrantLock connecting = new ReentrantLock();
    private final Map<String, Subscription> watched = new LinkedHashMap<>(); // by connecting
    private @Nullable McpClient client; // guarded by connecting
    private volatile ConsoleTarget target;
    private volatile boolean closed;
    private volatile @Nullable Thread first; // connects for the head of the page

    BenchConnection(ConsoleTarget target, Outbox outbox, Frames frames) {
        this.target = target;
        this.outbox = outbox;
        this.questions = new Questions(outbox);
        this.frames = frames;
    }

    /** Returns the questions of the server to the person. */
    Questions questions() {
        return questions;
    }

    /** Begins to connect, for the head of the page. */
    void begin() {
        begin(this::connectFirst);
    }

    /** Begins to connect to the server that was started in the place of the one before. */
    void beginAgain() {
        begin(
                () -> {
                    disconnect();
                    connectFirst();
                });
    }

    private void begin(Runnable connection) {
        Thread thread = Thread.ofVirtual().name("mcp-console-connect").unstarted(connection);
        first = thread;
        thread.start();
    }

    private void connectFirst() {
        try {
            client();
        } catch (RuntimeException e) {
            // the page has its event
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cancels the connection that was begun last; returns false if that has ended. */
    boolean cancel() {
        Thread thread = first;
        if (thread == null || !thread.isAlive()) {
            return false;
        }
        thread.interrupt();
        return true;
    }

    /** Connects with this access token from now on, where the server has a URL. */
    void use(String accessToken) {
        if (target instanceof UrlTarget own) {
            target = own.withToken(accessToken.isEmpty() ? null : accessToken);
            disconnect();
            begin();
        }
    }

    /** Returns the connected client. */
    McpClient client() throws InterruptedException {
        connecting.lockInterruptibly();
        try {
            if (closed) {
                throw new ConnectionException("the page has left");
            }
            McpClient known = client;
            return known == null ? newClient() : known;
        } finally {
            connecting.unlock();
        }
    }

    /** Connects, for the thread that holds {@code connecting}. */
    private McpClient newClient() throws InterruptedException {
        outbox.addPassing(JsonObject.of("type", "connecting"));
        AtomicReference<McpClient> itself = new AtomicReference<>();
        try {
            McpClient.Builder settings = target.client();
            settings.extension("io.modelcontextprotocol/ui", PAGES);
            questions.handledBy(settings);
            listen(settings, itself);
            McpClient made =
                    ConnectTimeout.within(
                            CONNECTING,
                            () -> settings.connect(frames.shown(target.remote(this::printed))));
            itself.set(made);
            client = made;
            outbox.add(described(made));
            return made;
        } catch (RuntimeException e) {
            outbox.add(disconnected(Failures.message(e)));
            throw e;
        } catch (InterruptedException e) {
            outbox.add(disconnected("The connection was cancelled"));
            throw e;
        }
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

    private static JsonObject disconnected(String message) {
        return JsonObject.of("type", "disconnected", "message", message);
    }

    private void listen(McpClient.Builder settings, AtomicReference<McpClient> itself) {
        settings.onLog(this::logged)
                .onToolsChanged(list -> changed("tools"))
                .onResourcesChanged(list -> changed("resources"))
                .onPromptsChanged(list -> changed("prompts"))
                .onConnectionLost(why -> lost(itself, why));
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

    /**
     * Watches a resource, or ends that; returns the reason why it could not, else empty. The server
     * is asked without the lock: it may be silent while the console is closed.
     */
    String watch(String uri, boolean isWanted) {
        try {
            McpClient server = client();
            Subscription before = forget(uri);
            if (before != null) {
                before.close();
            }
            return isWanted ? keep(server, uri, server.watch(uri, this::updated)) : "";
        } catch (CallException e) {
            return Failures.message(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "The console is being closed";
        }
    }

    private @Nullable Subscription forget(String uri) {
        connecting.lock();
        try {
            return watched.remove(uri);
        } finally {
            connecting.unlock();
        }
    }

    /** Keeps a watch of a client, or closes it; returns the reason why it could not be kept. */
    private String keep(McpClient server, String uri, Subscription watch) {
        @Nullable Subscription surplus = watch;
        String refusal = "";
        connecting.lock();
        try {
            if (server != client) {
                refusal = "The connection has changed meanwhile; try again";
            } else if (watched.size() >= MAX_WATCHED) {
                refusal = MAX_WATCHED + " resources are watched; end one of them";
            } else {
                surplus = watched.put(uri, watch);
            }
        } finally {
            connecting.unlock();
        }
        if (surplus != null) { // of another request of the page, or this one
            surplus.close();
        }
        return refusal;
    }

    private void updated(String uri) {
        outbox.addPassing(JsonObject.of("type", "updated", "uri", uri));
    }

    /** Shows a lost connection, unless another has taken its place. */
    private void lost(AtomicReference<McpClient> itself, ConnectionException why) {
        McpClient dead;
        connecting.lock(); // the client is known once it has connected
        try {
            dead = itself.get();
            if (dead == null || dead != client) {
                return;
            }
            outbox.add(disconnected(Failures.message(why)));
            forget();
        } finally {
            connecting.unlock();
        }
        dead.close();
    }

    /** Drops a client that is of no use, unless another has taken its place. */
    void drop(@Nullable McpClient dead) {
        if (dead == null) {
            return;
        }
        connecting.lock();
        try {
            if (dead == client) {
                forget();
            }
        } finally {
            connecting.unlock();
        }
        dead.close();
    }

    /** Forgets the client, on the thread that holds {@code connecting}. */
    private void forget() {
        client = null;
        watched.clear();
    }

    /**
     * Drops the client, so that the next request connects again.
     *
     * @return whether there was one
     */
    boolean disconnect() {
        McpClient current;
        connecting.lock();
        try {
            current = client;
        } finally {
            connecting.unlock();
        }
        drop(current);
        return current != null;
    }

    /** Ends the connection; there is none after that. */
    void close() {
        closed = true;
        cancel();
        disconnect();
    }
}
