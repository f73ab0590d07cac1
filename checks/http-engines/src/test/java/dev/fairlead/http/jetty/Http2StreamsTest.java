package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.numbered;
import static dev.fairlead.http.jetty.ScriptedHost.result;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Http2Wire.Received;
import dev.fairlead.http.jetty.ScriptedHost.Scripted;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers that are streams of an HTTP/2 connection: how long they live and how they end. */
@Tag(Engines.JETTY_ALONE)
@Timeout(120)
class Http2StreamsTest extends HttpTest {
    private static final Pattern ID = Pattern.compile("(?m)^id: ?(.*)$");

    private final CountDownLatch end = new CountDownLatch(1);

    private Http2Wire http2(HttpServing serving) throws IOException {
        return closedLater(Http2Wire.to(serving));
    }

    @AfterEach
    void endCalls() {
        end.countDown();
    }

    @Test
    @Requirement({"HTTP-018", "SSE-011"})
    void aCallWhoseStreamIsResetContinuesAndItsAnswerIsKept() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    exchange.send(numbered(1));
                    begun.countDown();
                    end.await();
                    exchange.send(result(request, "{\"kept\":true}"));
                });
        HttpServing serving = serve(listener -> listener.http2WithoutTls());
        String id = session(serving);
        Scripted session = host.session();
        Http2Wire wire = http2(serving);
        int call = wire.post(request(1, "tools/call"), SESSION, id);
        begun.await();
        String last = lastId(wire.body(call, "\"n\":1}"));

        wire.reset(call);
        // A later request on the same connection is only answered once the reset was seen.
        assertThat(wire.answer(wire.post(request(2, "ping"), SESSION, id)).status).isEqualTo(200);
        end.countDown();

        int back = wire.get(SESSION, id, "Last-Event-ID", last);
        assertThat(wire.body(back, "\"kept\":true")).doesNotContain("\"n\":1}");
        assertThat(session.failed).isEmpty();
    }

    private static String lastId(String events) {
        Matcher ids = ID.matcher(events);
        String last = null;
        while (ids.find()) {
            last = ids.group(1);
        }
        return last;
    }

    @Test
    @Requirement("HTTP-018")
    void aCallWhoseConnectionIsClosedContinues() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    end.await();
                    exchange.send(result(request, "{}"));
                    answered.countDown();
                });
        HttpServing serving = serve(listener -> listener.http2WithoutTls());
        String id = session(serving);
        Scripted session = host.session();
        Http2Wire wire = Http2Wire.to(serving);
        wire.post(request(1, "tools/call"), SESSION, id);
        session.received.take();

        wire.close();
        end.countDown();

        answered.await();
        assertThat(session.failed).isEmpty();
        assertThat(session.closed).isFalse();
    }

    @Test
    @Requirement("SSE-022")
    void whatComesForAStreamThatWasBrokenOffWaitsForTheNext() throws Exception {
        HttpServing serving =
                serve(listener -> listener.http2WithoutTls().heartbeat(Duration.ofMillis(20)));
        String id = session(serving);
        Scripted session = host.session();
        Http2Wire wire = http2(serving);
        int first = wire.get(SESSION, id);
        assertThat(wire.status(first)).isEqualTo(200);
        wire.body(first, ":\n"); // a heartbeat
        assertThat(session.context.isReachable()).isTrue();

        wire.reset(first);
        await().until(() -> !session.context.isReachable());
        session.context.send(numbered(3));

        assertThat(wire.body(wire.get(SESSION, id), "\"n\":3")).contains("notifications/message");
    }

    @Test
    void closingEndsStreamsProperly() throws Exception {
        HttpServing serving =
                serve(listener -> listener.http2WithoutTls().shutdownGrace(Duration.ofMinutes(2)));
        String id = session(serving);
        Http2Wire wire = http2(serving);
        int stream = wire.get(SESSION, id);
        assertThat(wire.status(stream)).isEqualTo(200);

        serving.close();

        Received answer = wire.answer(stream);
        assertThat(answer.body()).contains("retry:");
        assertThat(answer.reset).isEqualTo(-1);
        assertThat(wire.awaitEnd()).isZero(); // no error
    }

    @Test
    void anUnreadBodyOfAnUnknownCallerAffectsNoOtherRequest() throws Exception {
        HttpServing serving =
                serve(listener -> listener.http2WithoutTls().authorization(Names.of("ann")));
        Http2Wire wire = http2(serving);
        String body = initialize("2025-11-25");
        String length = "" + body.length();

        int eve = wire.post(body, "Authorization", "Bearer eve", "Content-Length", length);
        int ann = wire.post(body, "Authorization", "Bearer ann", "Content-Length", length);

        assertThat(wire.answer(eve).status).isEqualTo(401);
        assertThat(wire.answer(ann).status).isEqualTo(200);
        int again = wire.post(body, "Authorization", "Bearer ann", "Content-Length", length);
        assertThat(wire.answer(again).status).isEqualTo(200);
    }
}
