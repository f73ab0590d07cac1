package dev.fairlead.http.jetty;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;

import java.io.IOException;
import java.util.function.UnaryOperator;

/** A server and clients of HTTP/2 without TLS, whose frames a test chooses. */
abstract class FramesTest extends HttpTest {
    /** The stream of a head that has no end, behind that of one request. */
    static final int HEAD = 3;

    HttpServing serveHttp2(UnaryOperator<HttpListener> options) throws IOException {
        return serve(listener -> options.apply(listener.http2WithoutTls()));
    }

    Http2Wire http2(HttpServing serving) throws IOException {
        return closedLater(Http2Wire.to(serving));
    }

    @FunctionalInterface
    interface Sending {
        void send() throws IOException;
    }
}
