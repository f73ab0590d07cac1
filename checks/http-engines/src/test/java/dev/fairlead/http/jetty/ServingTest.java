package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.TestServers;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.http.jetty.Wire.Answer;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

@Timeout(120)
class ServingTest extends HttpTest {
    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();

            assertThatThrownBy(() -> port(port).serve(host))
                    .isInstanceOf(BindException.class)
                    .hasMessageStartingWith("cannot listen on port " + port + " on 127.0.0.1: ")
                    .hasMessageEndingWith(
                            "already in use; stop the program that has it (lsof -i :"
                                    + port
                                    + ", on Windows netstat -ano, names it), or take a free port"
                                    + " with port 0");
        }
    }

    @Test
    @Requirement({"HTTP-004", "LEGACY-006", "N26-HTTP-006"})
    void onlyThisMachineReachesItByDefault() throws Exception {
        HttpServing serving = serve(listener -> listener.legacySse());

        assertThat(serving.uri())
                .isEqualTo(URI.create("http://127.0.0.1:" + serving.port() + "/mcp"));
        InetAddress other = InetAddress.getByName("127.0.0.2");
        try (Socket socket = new Socket()) {
            assertThatThrownBy(() -> socket.connect(new InetSocketAddress(other, serving.port())))
                    .isInstanceOf(java.io.IOException.class);
        }
    }

    @Test
    void thePathMayBeAnother() throws Exception {
        HttpServing serving = serve(listener -> listener.path("/a/b"));

        assertThat(serving.uri().getPath()).isEqualTo("/a/b");
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(404);
    }

    @Test
    void closingLetsRequestsEndAndEndsStreamsAndSessions() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    closing.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving =
                port(0).withoutEventStore()
                        .streamAfter(NEVER)
                        .shutdownGrace(Duration.ofMinutes(2))
                        .serve(host);
        String id = session(serving);
        Scripted session = host.session();
        Wire listening = wire(serving).get(SESSION, id);
        listening.head();
        Wire running = wire(serving).post(request(1, "tools/call"), SESSION, id);
        session.received.take();
        Thread closer = Thread.ofVirtual().start(serving::close);
        await().until(() -> serving.metrics().draining());
        closing.countDown();

        assertThat(running.answer().body()).contains("\"result\"");
        closer.join();
        serving.await();
        assertThat(session.closed).isTrue();
        assertThat(listening.event()).isEqualTo(new Wire.Event(null, null, null, "1000"));
        assertThat(listening.event()).isNull();
        awaitRefused(serving.port());
    }

    @Test
    void closingWaitsNoLongerThanTheGrace() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        host.on("tools/call", (request, exchange, session) -> {});
        host.on(
                "stream",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    written.countDown();
                });
        HttpServing serving =
                TestServers.farewell(port(0), Duration.ofMinutes(2))
                        .withoutEventStore()
                        .streamAfter(NEVER)
                        .shutdownGrace(Duration.ofMillis(50))
                        .serve(host);
        String id = session(serving);
        Wire waiting = wire(serving).post(request(1, "tools/call"), SESSION, id);
        Wire streaming = wire(serving).post(request(2, "stream"), SESSION, id);
        streaming.head();
        streaming.event();
        Scripted session = host.session();
        session.received.take();
        session.received.take();
        written.await(); // so that nobody else is at it when the last is written

        serving.close();

        Answer answer = waiting.answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("\"id\":1,\"error\"").contains("The server was closed");
        assertThat(streaming.event().data()).contains("\"id\":2,\"error\"");
        assertThat(streaming.event()).isNull();
    }

    @Test
    void closingMoreThanOnceIsHarmless() throws Exception {
        HttpServing serving = serve();
        serving.close();
        serving.close();

        awaitRefused(serving.port());
    }

    @Test
    void itKeepsTheProgramAliveUntilItIsClosed() throws Exception {
        HttpServing serving = serve();
        String name = "mcp-http-" + serving.port();

        assertThat(thread(name)).matches(Thread::isAlive).matches(thread -> !thread.isDaemon());
        Thread keeper = thread(name);
        serving.close();
        keeper.join();
    }

    private static Thread thread(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
