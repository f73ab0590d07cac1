package dev.fairlead.proofs.attack;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CheckReturnValue;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.server.handler.Call;
import dev.fairlead.test.support.RawHttpClient;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Many requests that end in unusual ways: everything that they took is free again. */
@Tag("proof")
@Timeout(900)
class EndedRequestsAttackTest {
    private static final int TIMES = 300;
    private static final int LIMIT = 40;
    private static final int BODY = 1 << 20;
    private static final int BIG = 300_000;
    private static final int HUGE = 3 << 20; // more than all answers together may have
    private static final String FROM = "127.0.0.2";
    private static final String REVISION = "2025-03-26";

    private static final String UNSTORABLE = "unstorable";

    record Text(String text) {}

    private final AtomicInteger held = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Semaphore started = new Semaphore(0);
    private final List<Socket> open = new ArrayList<>();
    private final McpServer server =
            McpServer.named("attacked", "1")
                    .withoutRateLimit()
                    .intercept(new Failing())
                    .tool("echo", "Returns its text", Text.class, String.class)
                    .handle((input, call) -> input.text())
                    .tool("echo_stream", "Returns it by a stream", Text.class, String.class)
                    .handle((input, call) -> progressed(call, input.text()))
                    .tool("big", "Returns much", NoInput.class, String.class)
                    .handle((none, call) -> "x".repeat(BIG))
                    .tool("big_stream", "Returns it by a stream", Text.class, String.class)
                    .handle((input, call) -> progressed(call, "x".repeat(BIG)))
                    .tool("huge", "Returns very much", NoInput.class, String.class)
                    .handle((none, call) -> "x".repeat(HUGE))
                    .tool("error", "Fails", NoInput.class, String.class)
                    .handle(
                            (none, call) -> {
                                throw new StackOverflowError("of a handler");
                            })
                    .tool("hold", "Waits for the end of the test", NoInput.class, String.class)
                    .handle((none, call) -> hold())
                    .tool("wait", "Waits until it is stopped", NoInput.class, String.class)
                    .handle((none, call) -> untilStopped())
                    .build();

    private static final class Failing implements Interceptor {
        @Override
        public Outcome<?> intercept(MethodCall method, Next next) throws Exception {
            Outcome<?> outcome = next.proceed(method);
            if (method.name().equals("prompts/list")) {
                throw new AssertionError("of an interceptor");
            }
            return outcome;
        }
    }

    private static String progressed(Call call, String text) {
        call.progress(1);
        return text;
    }

    private String hold() throws InterruptedException {
        held.incrementAndGet();
        over.await();
        return "held";
    }

    private String untilStopped() throws InterruptedException {
        started.release();
        over.await();
        return "stopped";
    }

    private static String tool(int id, String tool, String text) {
        return RawHttpClient.request(
                id,
                "tools/call",
                "{\"_meta\":{\"progressToken\":%s},\"name\":\"%s\",\"arguments\":{\"text\":\"%s\"}}"
                        .formatted(id, tool, text));
    }

    private enum End {
        LEFT_BEFORE_THE_ANSWER,
        LEFT_WITHIN_THE_ANSWER,
        LEFT_WITHIN_THE_STREAM,
        LEFT_WITHIN_THE_BODY,
        LEFT_WITHIN_INITIALIZE,
        BODY_TOO_LARGE,
        MALFORMED_BATCH,
        HALF_A_SURROGATE,
        ERROR_OF_THE_STORE,
        ERROR_OF_A_HANDLER,
        ERROR_OF_AN_INTERCEPTOR,
        INITIALIZED_TWICE,
        REFUSED_SESSION,
        CANCELLED,
        SESSION_DELETED
    }

    private void attack(End end, RawHttpClient client, int id) throws Exception {
        switch (end) {
            case LEFT_BEFORE_THE_ANSWER -> client.begin(RawHttpClient.call(id, "big")).close();
            case LEFT_WITHIN_THE_ANSWER -> leave(client.begin(RawHttpClient.call(id, "big")));
            case LEFT_WITHIN_THE_STREAM -> leave(client.begin(tool(id, "big_stream", "")));
            case LEFT_WITHIN_THE_BODY -> client.send("POST", "x".repeat(50_000), BODY).close();
            case LEFT_WITHIN_INITIALIZE ->
                    RawHttpClient.at(client.port(), FROM)
                            .begin(RawHttpClient.request(id, "initialize", initialize()))
                            .close();
            case BODY_TOO_LARGE -> client.send("POST", "x".repeat(50_000), BODY + 1).close();
            case MALFORMED_BATCH -> client.post("[1," + tool(id, "echo", "x") + ",{\"id\":2}]");
            case HALF_A_SURROGATE -> client.post(tool(id, "echo_stream", "\\ud800"));
            case ERROR_OF_THE_STORE -> leave(client.begin(tool(id, "echo_stream", UNSTORABLE)));
            case ERROR_OF_A_HANDLER -> client.post(RawHttpClient.call(id, "error"));
            case ERROR_OF_AN_INTERCEPTOR ->
                    client.post(RawHttpClient.request(id, "prompts/list", "{}"));
            case INITIALIZED_TWICE ->
                    client.post(RawHttpClient.request(id, "initialize", initialize()));
            case REFUSED_SESSION ->
                    RawHttpClient.at(client.port(), FROM)
                            .post(RawHttpClient.request(id, "initialize", "{}"));
            case CANCELLED -> {
                try (Socket call = begun(client, id)) {
                    client.post(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                                    + "\"params\":{\"requestId\":%s}}".formatted(id));
                    RawHttpClient.read(call);
                }
            }
            case SESSION_DELETED -> {
                RawHttpClient other = RawHttpClient.open(client.port(), FROM, REVISION);
                try (Socket call = begun(other, id)) {
                    other.delete();
                    RawHttpClient.read(call);
                }
            }
        }
    }

    private static String initialize() {
        return "{\"protocolVersion\":\"%s\",\"capabilities\":{},\"clientInfo\":{\"name\":\"raw\",\"version\":\"1\"}}"
                .formatted(REVISION);
    }

    private static void leave(Socket socket) throws IOException {
        try (socket) {
            socket.getInputStream().read();
        }
    }

    @CheckReturnValue
    private Socket begun(RawHttpClient client, int id) throws Exception {
        Socket call = client.begin(RawHttpClient.call(id, "wait"));
        assertThat(started.tryAcquire(60, TimeUnit.SECONDS)).as("call %s began", id).isTrue();
        return call;
    }

    @AfterEach
    void close() throws IOException {
        over.countDown();
        for (Socket socket : open) {
            socket.close();
        }
        server.close();
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void everythingIsFreeAgain(End end) throws Exception {
        HttpServing serving =
                server.serve(
                        Http.port(0)
                                .eventStore(new BrokenStore())
                                .maxRequests(LIMIT)
                                .maxSessions(LIMIT)
                                .maxBody(BODY)
                                .maxBodySum(BODY)
                                .maxAnswerSum(2 << 20)
                                .shutdownGrace(Duration.ofMillis(100)));
        RawHttpClient client = RawHttpClient.open(serving.port(), FROM, REVISION);
        for (int i = 1; i <= TIMES; i++) {
            attack(end, client, i);
        }

        int port = serving.port();
        String empty = tool(1, "echo", "");
        String largest = tool(1, "echo", "x".repeat(BODY - empty.length()));
        eventually(
                "all bytes of bodies are free", () -> opened(port).post(largest).status() == 200);
        String huge = RawHttpClient.call(1, "huge");
        eventually(
                "all bytes of answers are free",
                () -> opened(port).post(huge).body().length() > HUGE);
        RawHttpClient other = RawHttpClient.open(port, FROM, REVISION);
        for (int id = 1; held.get() < LIMIT; id++) {
            int before = held.get();
            Socket call = other.begin(RawHttpClient.call(id, "hold"));
            open.add(call);
            await().untilAsserted(
                            () ->
                                    assertThat(held.get() > before || isAnswered(call))
                                            .as(
                                                    () ->
                                                            before
                                                                    + " of "
                                                                    + LIMIT
                                                                    + " run, and the next is"
                                                                    + " refused")
                                            .isTrue());
            assertThat(id).as("%s of %s run", held.get(), LIMIT).isLessThan(2 * LIMIT);
        }
        for (int i = 1; i < LIMIT; i++) { // the others are idle, and end
            open.add(RawHttpClient.open(port, FROM, REVISION).listen());
        }
    }

    private static RawHttpClient opened(int port) throws IOException {
        return RawHttpClient.open(port, FROM, REVISION);
    }

    private static boolean isAnswered(Socket call) {
        try {
            return call.getInputStream().available() > 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** The server learns of clients that left a little later, and refuses others until then. */
    private static void eventually(String what, Callable<Boolean> attempt) {
        await(what).ignoreExceptionsInstanceOf(IOException.class).until(attempt);
    }

    /** A store with a bug. */
    private static final class BrokenStore implements EventStore {
        private final EventStore store = new InMemoryEventStore();

        @Override
        public EventId append(Stream stream, byte[] data) {
            if (new String(data, StandardCharsets.UTF_8).contains(UNSTORABLE)) {
                throw new IllegalStateException("of a store");
            }
            return store.append(stream, data);
        }

        @Override
        public Optional<List<Event>> after(EventId last, int limit) {
            return store.after(last, limit);
        }

        @Override
        public Optional<Stream> open(String session, String name) {
            return store.open(session, name);
        }

        @Override
        public void end(String session, String name) {
            store.end(session, name);
        }

        @Override
        public void forget(String session) {
            store.forget(session);
        }
    }
}
