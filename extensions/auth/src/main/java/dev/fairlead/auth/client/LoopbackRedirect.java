package dev.fairlead.auth.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.auth.wire.FormEncoding;
import dev.fairlead.http.client.AuthorizationException;
import dev.fairlead.http.page.HtmlPage;
import dev.fairlead.protocol.time.Durations;

import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A server on the loopback interface that the browser is redirected to (RFC 8252). It accepts the
 * one redirect with the state of this login, and shows one page. Requests with another state change
 * nothing.
 */
final class LoopbackRedirect implements AutoCloseable {
    private static final String PATH = "/callback";
    private static final int LONGEST_QUERY = 16 * 1024;

    private final HttpServer server;
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("mcp-login-", 0).factory());
    private final byte[] state;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile boolean hasRefused;
    private final BlockingQueue<Map<String, String>> redirects = new ArrayBlockingQueue<>(1);

    /**
     * @param port to listen on; 0 for a free one
     * @param state that the redirect has to have
     */
    LoopbackRedirect(int port, String state) throws IOException {
        this.state = state.getBytes(StandardCharsets.UTF_8);
        try {
            server = HttpServer.create(new InetSocketAddress(loopback(), port), 0);
        } catch (BindException e) {
            throw new AuthorizationException("port " + port + " for the redirect is taken", e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns the URL to which the browser returns. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + port() + PATH);
    }

    /**
     * Waits for the redirect.
     *
     * @return its parameters
     * @throws AuthorizationException if it does not come in time
     */
    Map<String, String> await(Duration limit) throws InterruptedException {
        Map<String, String> redirect = redirects.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        if (redirect == null) {
            throw new AuthorizationException(
                    "no login within "
                            + Durations.text(limit)
                            + (hasRefused
                                    ? "; a redirect was not accepted, since it was malformed or had"
                                            + " not the state of this login"
                                    : ""));
        }
        return redirect;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = exchange.getRequestURI().getRawQuery();
            boolean isRedirect =
                    exchange.getRequestMethod().equals("GET")
                            && exchange.getRequestURI().getPath().equals(PATH)
                            && query != null
                            && query.length() <= LONGEST_QUERY;
            Map<String, String> parameters = isRedirect ? parameters(query) : Map.of();
            if (isMine(parameters) && isTaken.compareAndSet(false, true)) {
                take(exchange, parameters);
            } else {
                if (isRedirect) {
                    hasRefused = true;
                }
                show(exchange, 404, "There is nothing here.");
            }
        }
    }

    /**
     * Sends the page first, because the waiting thread closes the server as soon as it has the
     * redirect.
     */
    private void take(HttpExchange exchange, Map<String, String> parameters) throws IOException {
        try {
            show(
                    exchange,
                    200,
                    parameters.containsKey("code")
                            ? "Your login has arrived. You can close this window and return to the"
                                    + " program."
                            : "You are not logged in. You can close this window.");
        } finally {
            redirects.add(parameters);
        }
    }

    private boolean isMine(Map<String, String> parameters) {
        return MessageDigest.isEqual(
                state, parameters.getOrDefault("state", "").getBytes(StandardCharsets.UTF_8));
    }

    /** Returns no parameters if they are malformed or one of them occurs twice. */
    private static Map<String, String> parameters(String query) {
        try {
            return FormEncoding.parse(query);
        } catch (IllegalArgumentException e) {
            return Map.of();
        }
    }

    /** Shows a page that contains nothing of the request. */
    private static void show(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = new HtmlPage(status, "Login", "<h1>Login</h1><p>" + text + "</p>").bytes();
        var headers = exchange.getResponseHeaders();
        HtmlPage.headers().forEach(headers::set);
        headers.set("Connection", "close");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
