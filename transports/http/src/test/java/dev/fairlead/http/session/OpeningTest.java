package dev.fairlead.http.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.http.stream.Response;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A session, or a stream of it, that is just being opened. */
class OpeningTest {
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Response response = new Response();

    private HttpSession session() {
        return HttpSessionTest.session(store, HttpSessionTest.host());
    }

    private StreamWriter connect(HttpSession session, EventStream stream) {
        return new StreamWriter(
                stream,
                response,
                Duration.ofSeconds(1),
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                null,
                (gone, unwritten) -> session.streamDisconnected(stream, unwritten));
    }

    private static JsonRpcMessage numbered(int number) {
        return JsonRpcMessage.parse(
                "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"n\":" + number + "}}");
    }

    @Test
    @Requirement("ROOM-053")
    void aClientWithThePrimingEventIsReachable() {
        HttpSession session = session();
        session.send(numbered(1));
        EventStream stream = session.listen(true);
        assertThat(session.isReachable()).isFalse();

        stream.open(connect(session, stream));
        assertThat(response.text).contains("retry: ");
        assertThat(session.isReachable()).isTrue();
        session.send(numbered(2));
        session.listening(stream);

        assertThat(response.text.toString()).containsSubsequence("retry: ", "\"n\":1", "\"n\":2");
    }

    @Test
    @Requirement("SSE-004")
    void aClientWithThePrimingEventIsDisconnectedWhenTheSessionContinuesElsewhere() {
        HttpSession session = session();
        EventStream stream = session.listen(true);
        stream.open(connect(session, stream));

        session.shutDown(true);
        session.listening(stream);

        assertThat(response.text.toString()).endsWith("retry: 1000\n\n");
        assertThat(response.ended).isTrue();
        assertThat(stream.isEnded()).isFalse();
    }

    @Test
    @Requirement("SSE-004")
    void aClientThatConnectsTooLateIsDisconnectedToo() {
        HttpSession session = session();
        EventStream stream = session.listen(true);

        session.shutDown(true);
        stream.open(connect(session, stream));
        session.listening(stream);

        assertThat(response.text.toString()).endsWith("retry: 1000\n\n");
        assertThat(response.ended).isTrue();
        assertThat(stream.isEnded()).isFalse();
    }

    @Test
    void aSessionIsInUseUntilItsFirstRequestIsAnswered() {
        HttpSession session = session();
        Instant later = Instant.EPOCH.plus(Duration.ofDays(1));

        assertThat(session.isIdle(later)).isFalse();
        session.touch(Instant.EPOCH);
        assertThat(session.isIdle(later)).isTrue();
    }

    @Test
    void aSessionIsInUseWhileAStreamIsBeingOpened() {
        HttpSession session = session();
        session.touch(Instant.EPOCH);
        EventStream stream = session.listen(true);
        Instant later = Instant.EPOCH.plus(Duration.ofDays(1));

        assertThat(session.isIdle(later)).isFalse();
        session.streamDisconnected(stream, List.of()); // the connection was not to be had
        assertThat(session.isIdle(later)).isTrue();
    }

    /**
     * Clients of an old revision get no priming event, so that nothing is kept before the first.
     */
    @Test
    void aClientThatIsConnectingHasNotLeft() {
        HttpSession session = session();
        Instant later = Instant.EPOCH.plus(Duration.ofDays(1));
        AtomicInteger gone = new AtomicInteger();
        EventStream stream = session.answerStream(List.of(RequestId.of(1)), false);
        stream.onGivenUp(gone::incrementAndGet);

        session.tidy(Instant.EPOCH);
        session.tidy(later);
        assertThat(gone).hasValue(0);
        assertThat(
                        stream.add(
                                OutgoingEvent.of(
                                        new JsonRpcRequest(RequestId.of(2), "roots/list", null))))
                .isTrue();

        stream.missed(); // the connection was not to be had
        session.tidy(later);
        session.tidy(later.plus(Duration.ofDays(1)));
        assertThat(gone).hasValue(1);
    }
}
