package dev.fairlead.http.client;

import static dev.fairlead.http.client.RequestTest.handshake;
import static dev.fairlead.http.client.RequestTest.to;
import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.client.ScriptedServer.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Responses to requests of a server that cannot take them for a while. */
@Timeout(90)
class RepeatedResponseTest {
    private static final String RESPONSE = "{'jsonrpc':'2.0','id':9,'result':{}}";
    private static final String AFTER = "{'jsonrpc':'2.0','method':'n'}";

    private final AtomicInteger responses = new AtomicInteger();
    private final AtomicInteger after = new AtomicInteger();

    /** The pauses before a response is sent again take no time; limits stay. */
    private static Duration shorter(Duration time) {
        return time.compareTo(Duration.ofSeconds(5)) <= 0 ? Duration.ZERO : time;
    }

    /** The answer to one of the responses. */
    private interface Taking {
        void answer(int number, Reply reply) throws Exception;
    }

    private void respond(Taking taking) throws Exception {
        ScriptedServer.Script script =
                (request, reply) -> {
                    if (request.body().contains("\"id\":9")) {
                        taking.answer(responses.incrementAndGet(), reply);
                    } else {
                        if (request.calls("n")) {
                            after.incrementAndGet();
                        }
                        reply.accepted();
                    }
                };
        try (ScriptedServer server = new ScriptedServer(handshake("s-1", script));
                RecordingSession session =
                        RecordingSession.initialized(
                                to(server).pauses(RepeatedResponseTest::shorter))) {
            session.send(RESPONSE);
            session.send(AFTER);
            await().until(() -> after.get() == 1);
        }
    }

    @Test
    void aResponseIsSentAgainUntilTheServerTakesIt() throws Exception {
        respond(
                (number, reply) -> {
                    switch (number) {
                        case 1 -> reply.answer(503, "");
                        case 2 -> reply.end();
                        case 3 -> reply.answer(502, "");
                        default -> reply.accepted();
                    }
                });
        assertThat(responses).hasValue(4);
    }

    @Test
    void aResponseIsSentFiveTimesAtMost() throws Exception {
        respond((number, reply) -> reply.answer(503, ""));
        assertThat(responses).hasValue(5);
    }

    @Test
    void aResponseThatTheServerRefusesIsSentOnce() throws Exception {
        respond((number, reply) -> reply.answer(400, ""));
        assertThat(responses).hasValue(1);
    }
}
