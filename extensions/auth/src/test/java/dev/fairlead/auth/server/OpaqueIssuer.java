package dev.fairlead.auth.server;

import static dev.fairlead.test.support.ScriptedHttp.json;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.fairlead.test.support.ScriptedHttp;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** An authorization server whose tokens say nothing by themselves. */
final class OpaqueIssuer implements AutoCloseable {
    /** The answer for each token; all others are not active. */
    final Map<String, String> answers = new ConcurrentHashMap<>();

    /** The forms that it was sent. */
    final List<String> asked = new CopyOnWriteArrayList<>();

    final List<String> credentials = new CopyOnWriteArrayList<>();

    /** A permit for each request that has come in. */
    final Semaphore entered = new Semaphore(0);

    /** How many requests were there at the same time, at most. */
    final AtomicInteger most = new AtomicInteger();

    /** Answers are given only when this is open. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    volatile int status = 200;
    private final AtomicInteger inside = new AtomicInteger();
    private final HttpServer server;

    OpaqueIssuer() throws IOException {
        server = ScriptedHttp.create();
        server.createContext("/.well-known/oauth-authorization-server", this::metadata);
        server.createContext("/introspect", this::introspect);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    URI endpoint() {
        return URI.create(url() + "/introspect");
    }

    private void metadata(HttpExchange exchange) throws IOException {
        json(
                exchange,
                200,
                "{\"issuer\":\"" + url() + "\",\"introspection_endpoint\":\"" + endpoint() + "\"}");
    }

    private void introspect(HttpExchange exchange) throws IOException {
        String form = ScriptedHttp.body(exchange);
        asked.add(form);
        credentials.add(exchange.getRequestHeaders().getFirst("Authorization"));
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        entered.release();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            inside.decrementAndGet();
        }
        String token = form.replaceAll("token=([^&]*).*", "$1");
        json(exchange, status, answers.getOrDefault(token, "{\"active\":false}"));
    }

    @Override
    public void close() {
        gate.countDown();
        server.stop(0);
    }
}
