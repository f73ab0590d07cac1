package dev.fairlead.http.jetty;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseStream;
import dev.fairlead.http.spi.Route;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** The engine under test without an endpoint. */
abstract class OnEngineTest {
    final BlockingQueue<HttpExchange> exchanges = new LinkedBlockingQueue<>();

    Listening listen(Duration clientTimeout) throws IOException {
        return Engines.tested()
                .listen(
                        new EngineSettings("127.0.0.1", 0, clientTimeout, null, 100, Http2.OFF, 0),
                        List.of(new Route("/mcp", exchanges::add)));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @CheckReturnValue
    static CompletableFuture<String> write(ResponseStream stream, String text) {
        CompletableFuture<String> done = new CompletableFuture<>();
        stream.write(
                ByteBuffer.wrap(utf8(text)),
                failure -> done.complete(failure == null ? "written" : "failed"));
        return done;
    }
}
