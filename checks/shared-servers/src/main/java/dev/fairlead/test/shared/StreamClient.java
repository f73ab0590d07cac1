package dev.fairlead.test.shared;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Posts messages, and reads those of all streams as one; does not come back by itself. */
public final class StreamClient extends RawClient {
    private static final String SESSION = "Mcp-Session-Id";

    private final URI url;
    private final HttpClient http = HttpClient.newHttpClient();
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private volatile @Nullable String session;
    private volatile String contentType = "";
    private volatile String readEvent = ""; // the last id that was read
    private volatile String takenEvent = ""; // that of the last message that was taken
    private volatile boolean ended;

    /**
     * A message that has come.
     *
     * @param event the id of its event; empty if it has none
     */
    private record Received(JsonObject message, String event) {}

    public StreamClient(String url) {
        this.url = URI.create(url);
    }

    /** Another client in the same session, on connections of its own, which its end cuts. */
    public StreamClient sameSession() {
        return sameSession(url.toString());
    }

    /** Another client in the same session, at another node of the server. */
    public StreamClient sameSession(String at) {
        StreamClient other = new StreamClient(at);
        other.session = session;
        other.useIdsBeyond(this);
        return other;
    }

    /** Another client in the session with this id. */
    public StreamClient inSession(String id, String at) {
        StreamClient other = sameSession(at);
        other.session = id;
        return other;
    }

    /** Sends a request without a body; returns the status of its answer. */
    public int status(String method) throws Exception {
        HttpRequest bare =
                request()
                        .header("Accept", "text/event-stream")
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build();
        return http.send(bare, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Returns whether a stream or an answer has ended. */
    public boolean hasEnded() {
        return ended;
    }

    /** Opens the stream on which the server sends messages that belong to no request. */
    public void listen() throws Exception {
        get(request());
    }

    /**
     * Comes back to the stream of the message that another client in the same session has taken
     * last, also if it has read more since; to the stream that it has read last if it took none.
     */
    public void resume(StreamClient cut) throws Exception {
        String event = cut.takenEvent.isEmpty() ? cut.readEvent : cut.takenEvent;
        get(request().header("Last-Event-ID", event));
    }

    private void get(HttpRequest.Builder request) throws Exception {
        HttpRequest get = request.header("Accept", "text/event-stream").GET().build();
        HttpResponse<Stream<String>> response = http.send(get, HttpResponse.BodyHandlers.ofLines());
        if (response.statusCode() != 200) {
            throw new AssertionError("the stream was refused: " + response);
        }
        take(response);
    }

    /** Requests are answered in any order, so nothing waits for them here. */
    @Override
    public void send(String json) throws Exception {
        HttpRequest post =
                request()
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(json))
                        .build();
        CompletableFuture<Void> sent =
                http.sendAsync(post, HttpResponse.BodyHandlers.ofLines()).thenAccept(this::take);
        JsonObject message = (JsonObject) JsonValue.parse(json);
        if (!message.has("method") || !message.has("id")) {
            sent.get(60, TimeUnit.SECONDS);
        }
    }

    /** Returns the content type of the last answer with a body. */
    public String contentType() {
        return contentType;
    }

    private void take(HttpResponse<Stream<String>> response) {
        response.headers().firstValue(SESSION).ifPresent(id -> session = id);
        response.headers().firstValue("Content-Type").ifPresent(type -> contentType = type);
        Thread.ofVirtual().name("test-stream").start(() -> read(response));
    }

    private HttpRequest.Builder request() {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(url).header("MCP-Protocol-Version", "2025-11-25");
        String id = session;
        return id == null ? request : request.header(SESSION, id);
    }

    /** A JSON body is one line, and so is each event. */
    private void read(HttpResponse<Stream<String>> response) {
        try (Stream<String> lines = response.body()) {
            String event = "";
            for (String line : (Iterable<String>) lines::iterator) {
                if (line.startsWith("id:")) {
                    event = line.substring(3).strip();
                    readEvent = event;
                }
                String data = (line.startsWith("data:") ? line.substring(5) : line).strip();
                if (data.startsWith("{")) {
                    received.add(new Received((JsonObject) JsonValue.parse(data), event));
                }
            }
        } catch (UncheckedIOException e) {
            // the server has ended; the events read before count
        }
        ended = true;
    }

    @Override
    public JsonObject next() throws InterruptedException {
        Received next = received.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no message within a minute");
        }
        if (!next.event.isEmpty()) {
            takenEvent = next.event;
        }
        return next.message;
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
