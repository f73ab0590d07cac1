package dev.fairlead.console.workbench;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.access.Person;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ConnectionException;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** The client of one page, and its calls. Thread-safe. */
final class Bench {
    /** The most calls of a page at a time. */
    static final int MAX_CALLS = 16;

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

    private final Person person;
    private final @Nullable Handlers handlers;
    private final Outbox outbox = new Outbox();
    private final Frames frames = new Frames(outbox);
    private final BenchConnection connection;
    private final Object lock = new Object();
    private final Map<String, Running> calls = new LinkedHashMap<>(); // guarded by lock
    private boolean closed; // guarded by lock
    private volatile long used = System.nanoTime();

    private record Running(BenchCall call, Thread thread) {}

    Bench(ConsoleTarget target, Person person, @Nullable Handlers handlers) {
        this.person = person;
        this.handlers = handlers;
        this.connection = new BenchConnection(target, outbox, frames);
    }

    Person person() {
        return person;
    }

    Outbox outbox() {
        return outbox;
    }

    // ---- calls

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
        AtomicReference<McpClient> asked = new AtomicReference<>();
        BenchCall.End end;
        if (isShown) {
            frames.begin(id);
        }
        try {
            end = call.run(() -> asked(asked));
        } finally {
            frames.end(id);
            synchronized (lock) {
                calls.remove(id);
            }
            used = System.nanoTime();
        }
        outbox.add(end.event()); // from now on the page may use the id again
        if (end.failure() instanceof ConnectionException) {
            connection.drop(asked.get());
        }
    }

    /** Keeps the client of a call, since another may take its place before the call ends. */
    private McpClient asked(AtomicReference<McpClient> kept) throws InterruptedException {
        McpClient client = connection.client();
        kept.set(client);
        return client;
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
        return connection.questions().answer(body);
    }

    /** Watches a resource, or ends that; returns the reason why it could not, else empty. */
    String watch(String uri, boolean isWanted) {
        used = System.nanoTime();
        return connection.watch(uri, isWanted);
    }

    // ---- the connection

    /** Begins to connect, for the head of the page. */
    void connect() {
        connection.begin();
    }

    /** Cancels the connection that {@link #connect} began. */
    boolean cancelConnecting() {
        return connection.cancel();
    }

    /** Connects with this access token from now on, where the server has a URL. */
    void use(String accessToken) {
        used = System.nanoTime();
        connection.use(accessToken);
    }

    /** Shows that the server was started again, and connects to the new one. */
    void restarted(ConsoleTarget.Restart restart) {
        outbox.add(
                JsonObject.of(
                        "type",
                        "restarted",
                        "message",
                        Failures.shortened(restart.message()),
                        "succeeded",
                        restart.succeeded()));
        if (restart.succeeded()) {
            used = System.nanoTime();
            connection.beginAgain();
        }
    }

    /** Closes a client that was not used for this long; the next request opens another. */
    void closeIfIdle(long nanos) {
        boolean isIdle;
        synchronized (lock) {
            isIdle = calls.isEmpty() && System.nanoTime() - used > nanos;
        }
        if (isIdle && connection.disconnect()) {
            outbox.add(JsonObject.of("type", "idle"));
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
        connection.close();
    }
}
