package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpMount;
import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The contract of an engine, on sockets. */
@Timeout(120)
class HttpEngineTest extends OnEngineTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private HttpExchange exchange() throws InterruptedException {
        HttpExchange exchange = exchanges.poll(60, TimeUnit.SECONDS);
        assertThat(exchange).isNotNull();
        return exchange;
    }

    @Test
    void anExchangeKnowsItsRequest() throws Exception {
        try (Listening listening = listen(LONG);
                Wire wire = new Wire(listening.port(), 0)) {
            wire.send("POST", "/mcp?a=b", Map.of("X-One", "1", "x-one", "2"), utf8("body"));
            HttpExchange exchange = exchange();

            assertThat(exchange.method()).isEqualTo("POST");
            assertThat(exchange.path()).isEqualTo("/mcp");
            assertThat(exchange.query()).contains("a=b");
            assertThat(exchange.scheme()).isEqualTo("http");
            assertThat(exchange.host()).contains("127.0.0.1:" + listening.port());
            assertThat(exchange.headers("X-ONE")).containsExactlyInAnyOrder("1", "2");
            assertThat(exchange.header("absent")).isEmpty();
            assertThat(exchange.localAddress()).contains(InetAddress.getByName("127.0.0.1"));
            assertThat(exchange.body().readAllBytes()).isEqualTo(utf8("body"));
            exchange.respond(new ResponseHead(201, Map.of("X-Two", "2")), utf8("answer"));
            Wire.Answer answer = wire.answer();
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.header("X-Two")).isEqualTo("2");
            assertThat(answer.header("Server")).isNull();
            assertThat(answer.body()).isEqualTo("answer");
        }
    }

    @Test
    void anAbortedStreamEndsBadly() throws Exception {
        try (Listening listening = listen(LONG);
                Wire wire = new Wire(listening.port(), 0)) {
            wire.post("{}");
            ResponseStream stream = exchange().stream(new ResponseHead(200, Map.of()));
            write(stream, "one\n").get(60, TimeUnit.SECONDS);
            wire.head();
            wire.bodyLine();
            stream.abort();
            stream.abort();

            assertThatThrownBy(wire::bodyLine).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whatTheEngineRefusesItselfHasNoBody() throws Exception {
        try (Listening listening = listen(LONG);
                Wire wire = new Wire(listening.port(), 0)) {
            wire.raw(utf8("NONSENSE\r\n\r\n"));
            Wire.Answer answer = wire.answer();

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void anEndpointIsMountedWithoutAPortOfItsOwn() throws Exception {
        ScriptedHost host = new ScriptedHost();
        HttpMount mount = Http.endpoint().path("/elsewhere").serve(host);
        EngineSettings settings = new EngineSettings("127.0.0.1", 0, LONG, null, 100, Http2.OFF, 0);
        try (Listening listening = Engines.tested().listen(settings, mount.routes());
                Wire wire = new Wire(listening.port(), 0)) {
            wire.send(
                    "POST",
                    "/elsewhere",
                    Map.of("Accept", Wire.BOTH, "Content-Type", Wire.JSON),
                    utf8(HttpTest.initialize("2025-11-25")));

            assertThat(wire.answer().header(HttpTest.SESSION)).isNotEmpty();
            assertThat(mount.sessions()).isEqualTo(1);
            mount.close();
            mount.await();
            assertThat(host.session().closed).isTrue();
        }
    }
}
