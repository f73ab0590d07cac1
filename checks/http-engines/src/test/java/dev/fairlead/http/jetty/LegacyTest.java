package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.http.jetty.Wire.Event;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A scripted server that serves HTTP+SSE as well, and clients of it. */
abstract class LegacyTest extends HttpTest {
    /** The state of an old client: its stream, and the endpoint for POST. */
    record Old(Wire stream, String endpoint) {
        Event event() throws IOException {
            return stream.event();
        }
    }

    HttpServing serveBoth() throws IOException {
        return serveBoth(listener -> listener);
    }

    HttpServing serveBoth(UnaryOperator<HttpListener> options) throws IOException {
        return serve(listener -> options.apply(listener.legacySse()));
    }

    /** Opens a stream. */
    Old open(HttpServing serving) throws IOException {
        Wire stream = wire(serving);
        assertThat(get(stream, "/sse").head().status()).isEqualTo(200);
        return new Old(stream, stream.event().data());
    }

    /** Opens a stream, and a session of a revision on it. */
    Old open(HttpServing serving, String revision) throws IOException {
        Old old = open(serving);
        assertThat(post(serving, old, initialize(revision)).status()).isEqualTo(202);
        assertThat(old.event().data()).contains("\"protocolVersion\":\"" + revision + "\"");
        return old;
    }

    static Wire get(Wire wire, String path, String... headers) throws IOException {
        return wire.send("GET", path, headers("Accept", "text/event-stream", headers), new byte[0]);
    }

    Answer post(HttpServing serving, Old old, String body, String... headers) throws IOException {
        return postTo(serving, old.endpoint(), body, headers);
    }

    /** Posts a body as an old client does: without an {@code Accept} header. */
    static Answer postTo(HttpServing serving, String path, String body, String... headers)
            throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return wire.send(
                            "POST",
                            path,
                            headers("Content-Type", Wire.JSON, headers),
                            body.getBytes(StandardCharsets.UTF_8))
                    .answer();
        }
    }

    static Answer request(HttpServing serving, String method, String path, String... headers)
            throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return wire.send(method, path, headers("Accept", "*/*", headers), new byte[0]).answer();
        }
    }

    private static Map<String, String> headers(String name, String value, String... more) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.put(name, value);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }
}
