package dev.fairlead.http.jetty;

import static dev.fairlead.test.support.Awaiting.await;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.TestServers;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.test.support.ClosingTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A scripted server on a free port, and clients of it. */
abstract class HttpTest extends ClosingTest {
    static final String VERSION = "MCP-Protocol-Version";
    static final String SESSION = "MCP-Session-Id";

    /** Until an answer that is late becomes a stream: it does so where a test wants it only. */
    static final Duration NEVER = Duration.ofHours(1);

    final ScriptedHost host = new ScriptedHost();
    final ManualTimers timers = new ManualTimers();

    /** A port of the engine under test; see {@link Engines}. */
    static HttpListener port(int number) {
        return Engines.named(Http.port(number));
    }

    HttpServing serve() throws IOException {
        return serve(listener -> listener);
    }

    HttpServing serve(UnaryOperator<HttpListener> options) throws IOException {
        return closedLater(options.apply(patient()).serve(host));
    }

    /** A server whose time is that of {@link #timers}: it does not pass by itself. */
    HttpServing serveOnTimers(UnaryOperator<HttpListener> options) throws IOException {
        HttpListener listener = options.apply(patient());
        return closedLater(TestServers.serve(listener, host, timers.share()));
    }

    /** A port that gives up no client of a slow machine, and is closed soon. */
    private static HttpListener patient() {
        return port(0).shutdownGrace(Duration.ofMillis(100))
                .clientTimeout(Duration.ofMinutes(2))
                .streamAfter(NEVER);
    }

    /** Lets time pass, again and again, since a round of a server is skipped while one runs. */
    void pass(Duration step, BooleanSupplier until) {
        await().until(
                        () -> {
                            timers.advance(step);
                            return until.getAsBoolean();
                        });
    }

    /** Lets time pass until the next line of a stream is there. */
    String lineInTime(Duration step, Wire stream) throws Exception {
        FutureTask<String> line = new FutureTask<>(stream::bodyLine);
        Thread.ofVirtual().start(line);
        pass(step, line::isDone);
        return line.get();
    }

    Wire wire(HttpServing serving) throws IOException {
        Wire wire = Wire.to(serving);
        return closedLater(wire);
    }

    static String initialize(String version) {
        return """
        {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"%s"}}\
        """
                .formatted(version);
    }

    static String request(Object id, String method) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\"}";
    }

    static final String NOTIFICATION =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

    /** Opens a session and gives its id. */
    String session(HttpServing serving) throws IOException {
        return session(serving, "2025-11-25");
    }

    String session(HttpServing serving, String version) throws IOException {
        Answer answer = wire(serving).post(initialize(version)).answer();
        return answer.header(SESSION);
    }

    /**
     * The session to which somebody listens. Where a server is impatient, a client on a slow
     * machine may have opened others, of which it never heard.
     */
    Scripted reachable() {
        await().until(() -> host.sessions.stream().anyMatch(each -> each.context.isReachable()));
        return host.sessions.stream()
                .filter(each -> each.context.isReachable())
                .findFirst()
                .orElseThrow();
    }

    Answer post(HttpServing serving, String body, String... headers) throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return wire.post(body, headers).answer();
        }
    }

    Answer method(HttpServing serving, String method, String... headers) throws IOException {
        try (Wire wire = Wire.to(serving)) {
            return wire.method(method, headers).answer();
        }
    }

    /**
     * Waits until no server listens at a port. The kernel listens until the acceptor, which was
     * interrupted, has left its call, so a moment longer than the server.
     */
    static void awaitRefused(int port) {
        await().until(() -> isRefused(port));
    }

    /** Whether no server listens at a port; a connection to itself is not one to a server. */
    private static boolean isRefused(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.getLocalPort() == port;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
