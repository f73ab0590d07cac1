package dev.fairlead.http.client;

import dev.fairlead.http.Http;
import dev.fairlead.http.client.ScriptedServer.Received;
import dev.fairlead.http.client.ScriptedServer.Reply;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * A server that only speaks HTTP+SSE: it names an endpoint, and answers each POST over its stream.
 */
final class OldServer implements AutoCloseable {
    /** Limits that are longer than any test. */
    static final GracePeriods PATIENT =
            new GracePeriods(
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(1));

    private final ScriptedServer server;
    private final CompletableFuture<Reply> stream = new CompletableFuture<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final int refusal;
    private final String endpoint;

    /**
     * @param refusal how a POST is answered at the place of the stream
     * @param endpoint the data of the first event
     */
    OldServer(int refusal, String endpoint) throws IOException {
        this.refusal = refusal;
        this.endpoint = endpoint;
        server = new ScriptedServer(this::answer);
    }

    private void answer(Received request, Reply reply) throws Exception {
        if (request.is("GET")) {
            reply.stream().lines("event: endpoint", "data: " + endpoint, "");
            stream.complete(reply);
            over.await();
        } else if (request.target().equals("/mcp")) {
            reply.answer(refusal, "");
        } else {
            reply.answer(202, "Accepted");
            id(request).ifPresent(id -> say("{'jsonrpc':'2.0','id':" + id + ",'result':{}}"));
        }
    }

    private static java.util.Optional<String> id(Received request) {
        var id =
                java.util.regex.Pattern.compile("\"id\":(\\d+),\"method\"").matcher(request.body());
        return id.find() ? java.util.Optional.of(id.group(1)) : java.util.Optional.empty();
    }

    /** Sends an event, in whose message apostrophes stand for quotation marks. */
    void say(String json) {
        try {
            stream.join().lines("event: message", "data: " + json.replace('\'', '"'), "");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Lets the stream end. */
    void endStream() {
        over.countDown();
    }

    /** Breaks the stream off. */
    void cutStream() throws IOException {
        stream.join().cut();
        over.countDown();
    }

    HttpConnector connector() {
        return Http.to(server.uri()).gracePeriods(PATIENT);
    }

    ScriptedServer server() {
        return server;
    }

    Received await(Predicate<Received> wanted) throws InterruptedException {
        return server.await(wanted);
    }

    @Override
    public void close() throws IOException {
        over.countDown();
        server.close();
    }
}
