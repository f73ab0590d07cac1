package dev.fairlead.http.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.endpoint.Counters;
import dev.fairlead.http.endpoint.Settings;
import dev.fairlead.http.stream.EventStream;
import dev.fairlead.http.stream.OutgoingEvent;
import dev.fairlead.http.stream.PendingMessages;
import dev.fairlead.http.stream.Response;
import dev.fairlead.http.stream.StreamWriter;
import dev.fairlead.http.stream.WaitingBytes;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventId;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.StoredSession;
import dev.fairlead.requirements.Requirement;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

public class HttpSessionTest {
    private final Host host = new Host();
    private final WaitingBytes waiting = new WaitingBytes(64 << 20);

    /** The host's side of the session. */
    private static final class Host implements Session {
        final List<RequestId> failed = new ArrayList<>();

        @Override
        public void accept(JsonRpcMessage message, Exchange exchange) {}

        @Override
        public void fail(RequestId request, CallException cause) {
            failed.add(request);
        }

        @Override
        public Optional<Revision> revision() {
            return Optional.of(Revision.NEWEST_WITH_HANDSHAKE);
        }

        @Override
        public void close() {}
    }

    public static Session host() {
        return new Host();
    }

    /** Knows which streams may still grow. */
    private static final class Growing implements EventStore {
        private final InMemoryEventStore store = new InMemoryEventStore();
        final Set<String> streams = new HashSet<>();

        @Override
        public EventId append(Stream stream, byte[] data) {
            streams.add(stream.name());
            return store.append(stream, data);
        }

        @Override
        public Optional<Stream> open(String session, String name) {
            return store.open(session, name);
        }

        @Override
        public Optional<List<Event>> after(EventId last, int limit) {
            return store.after(last, limit);
        }

        @Override
        public void end(String session, String stream) {
            streams.remove(stream);
            store.end(session, stream);
        }

        @Override
        public void forget(String session) {
            store.forget(session);
        }
    }

    private HttpSession session(@Nullable EventStore store) {
        return session(store, host, waiting);
    }

    /** A session on a clock that stands still. */
    static HttpSession session(@Nullable EventStore store, Session host) {
        return session(store, host, new WaitingBytes(64 << 20));
    }

    private static HttpSession session(
            @Nullable EventStore store, Session host, WaitingBytes pending) {
        HttpSession session =
                new HttpSession(
                        "id",
                        new StoredSession("key", "name", Caller.anonymous(), JsonObject.EMPTY, 0),
                        new HttpSession.Maker(
                                new Settings(),
                                store,
                                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                                new Counters(none -> null, () -> 0),
                                pending),
                        (ended, reason) -> {});
        session.opened(host, Instant.EPOCH);
        return session;
    }

    private static StreamWriter connect(HttpSession session, EventStream stream) {
        return new StreamWriter(
                stream,
                new Response(),
                Duration.ofSeconds(1),
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                null,
                (gone, unwritten) -> session.streamDisconnected(stream, unwritten));
    }

    private static StreamWriter listen(HttpSession session) {
        EventStream stream = session.listen(true);
        StreamWriter writer = connect(session, stream);
        stream.open(writer);
        session.listening(stream);
        return writer;
    }

    @Test
    @Requirement("SSE-019")
    void streamsThatAreNotResumedAreEnded() {
        Growing store = new Growing();
        HttpSession session = session(store);
        for (int i = 0; i < 200; i++) {
            listen(session).abort();
        }

        assertThat(store.streams).hasSizeLessThanOrEqualTo(16).contains("g200");
        assertThat(session.find(new EventId("name", "g200", 1)).orElseThrow().isEnded()).isFalse();
        assertThat(session.find(new EventId("name", "g1", 1)).orElseThrow().isEnded()).isTrue();
    }

    @Test
    @Requirement("HTTP-029")
    void aStreamThatIsBeingOpenedCanBeResumed() {
        HttpSession session = session(new InMemoryEventStore());
        EventStream stream = session.listen(true);
        EventId priming = new EventId("name", "g1", 1);
        stream.open(connect(session, stream));

        assertThat(session.find(priming)).containsSame(stream);
        stream.resume(connect(session, stream), priming);
        session.listening(stream);
        session.listening(stream);
        assertThat(session.find(priming)).containsSame(stream);
    }

    @Test
    @Requirement("HTTP-029")
    void twoConnectionsThatResumeAStreamAtOnceMeetTheSameStream() {
        HttpSession session = session(new InMemoryEventStore());
        listen(session).abort();
        EventId seen = new EventId("name", "g1", 1);

        EventStream one = session.find(seen).orElseThrow();
        EventStream other = session.find(seen).orElseThrow();

        assertThat(other).isSameAs(one);
        StreamWriter first = connect(session, one);
        one.resume(first, seen);
        StreamWriter second = connect(session, other);
        other.resume(second, seen);
        assertThat(session.find(seen)).containsSame(one);
        session.listening(other);
        session.listening(one);
        second.abort();
        assertThat(session.find(seen).orElseThrow().isConnected()).isFalse();
    }

    @Test
    @Requirement("ROOM-053")
    void whatIsPutBackIsStillSaidOnlyOnce() {
        PendingMessages pending = new PendingMessages(() -> waiting.share("ann", "1"));
        OutgoingEvent changed =
                OutgoingEvent.of(
                        JsonRpcMessage.parse(
                                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}"));
        pending.add(changed);

        pending.putBack(pending.drain());
        pending.add(changed);
        pending.putBack(List.of(changed));

        assertThat(pending.drain()).containsExactly(changed);
    }

    @Test
    @Requirement("ROOM-053")
    void aRequestThatFindsNoPlaceAnyMoreFails() {
        HttpSession session = session(null);
        EventStream stream = session.listen(false);
        StreamWriter writer = connect(session, stream);
        stream.open(writer);
        session.listening(stream);
        stream.add(OutgoingEvent.of(request(0)));
        stream.detach(writer); // as if its connection was about to be lost
        for (int i = 1; i <= PendingMessages.MAX_MESSAGES; i++) {
            session.send(request(i));
        }

        session.streamDisconnected(stream, List.of(OutgoingEvent.of(request(0))));

        assertThat(host.failed).containsExactly(RequestId.of(0));
    }

    @Test
    @Requirement("ROOM-053")
    void messagesOfASessionThatHasEndedWaitNoLonger() {
        HttpSession session = session(null);
        EventStream stream = session.listen(false);
        StreamWriter writer = connect(session, stream);
        stream.open(writer);
        session.listening(stream);
        stream.detach(writer); // as if its connection was about to be lost
        session.send(request(1));
        assertThat(waiting.waiting()).isPositive();

        session.shutDown(false);
        session.streamDisconnected(stream, List.of(OutgoingEvent.of(request(2))));

        assertThat(waiting.waiting()).isZero();
        assertThat(host.failed).containsExactly(RequestId.of(2));
    }

    @Test
    void aRequestThatWaitsForAnAbsentListenerFails() {
        HttpSession session = session(new InMemoryEventStore());
        EventStream stream = session.listen(true);
        StreamWriter writer = connect(session, stream);
        stream.open(writer);
        session.listening(stream);
        session.send(request(1)); // written
        writer.wake();
        stream.add(OutgoingEvent.of(request(2))); // not yet
        writer.abort();
        Duration patience = new Settings().resumeWithin;

        session.tidy(Instant.EPOCH);
        session.tidy(Instant.EPOCH.plus(patience).minusMillis(1));
        assertThat(host.failed).isEmpty();
        session.tidy(Instant.EPOCH.plus(patience));
        session.tidy(Instant.EPOCH.plus(patience));

        assertThat(host.failed).containsExactly(RequestId.of(2));
    }

    @Test
    void aRequestOnAStreamThatIsForgottenFails() {
        HttpSession session = session(new InMemoryEventStore());
        EventStream stream = session.listen(true);
        StreamWriter writer = connect(session, stream);
        stream.open(writer);
        session.listening(stream);
        stream.add(OutgoingEvent.of(request(1)));
        writer.abort();
        for (int i = 0; i < 16; i++) {
            assertThat(host.failed).isEmpty();
            listen(session).abort();
        }

        assertThat(host.failed).containsExactly(RequestId.of(1));
    }

    @Test
    void aStreamTakesNoMoreRequestsWhenTooManyWaitToBeWritten() {
        EventStream stream =
                new EventStream(
                        new EventStore.Stream("name", "p1", List.of()),
                        new InMemoryEventStore(),
                        1 << 20);
        for (int i = 0; i < 1_000; i++) {
            assertThat(stream.add(OutgoingEvent.of(request(i)))).isTrue();
        }

        assertThat(stream.add(OutgoingEvent.of(request(1_000)))).isFalse();
        assertThat(stream.add(OutgoingEvent.priming())).isTrue();
    }

    private static JsonRpcMessage request(int id) {
        return JsonRpcMessage.parse(
                "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"roots/list\"}");
    }

    /** Housekeeping runs beside the thread that gives the session to another node. */
    @Test
    void aSessionThatIsGivenAwayIsNotSetBack() {
        HttpSession session = session(null);
        assertThat(session.retireUnlessBusy()).isTrue();
        assertThat(session.retire(Instant.MIN)).isFalse();
        assertThat(session.retireUnlessBusy()).as("it stays so").isTrue();
        assertThat(session.retire(Instant.MAX)).as("another thread ends it").isFalse();
    }
}
