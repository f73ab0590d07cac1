package dev.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.RawJson;
import dev.fairlead.jsonrpc.JsonRpcNotification;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

@Requirement("ROOM-053")
class PendingMessagesTest {
    private static final int MAX = PendingMessages.MAX_MESSAGES;

    private final PendingMessages pending = new PendingMessages();

    private static OutgoingEvent note(int number) {
        return OutgoingEvent.of(
                new JsonRpcNotification("x", RawJson.parse("{\"n\":" + number + "}")));
    }

    private static OutgoingEvent change(String uri) {
        return OutgoingEvent.of(
                new JsonRpcNotification(
                        "notifications/resources/updated",
                        RawJson.parse("{\"uri\":\"" + uri + "\"}")));
    }

    private static OutgoingEvent request(int number) {
        return OutgoingEvent.of(new JsonRpcRequest(RequestId.of(number), "roots/list", null));
    }

    private static OutgoingEvent request(int number, int bytes) {
        return OutgoingEvent.of(
                new JsonRpcRequest(
                        RequestId.of(number),
                        "x",
                        RawJson.parse("{\"x\":\"" + "x".repeat(bytes) + "\"}")));
    }

    private List<OutgoingEvent> fill() {
        List<OutgoingEvent> notes =
                IntStream.range(0, MAX).mapToObj(PendingMessagesTest::note).toList();
        notes.forEach(note -> assertThat(pending.add(note)).isEmpty());
        return notes;
    }

    @Test
    void whatSaysTheSameChangeWaitsOnce() {
        OutgoingEvent first = change("a");
        OutgoingEvent other = change("b");

        assertThat(pending.add(first)).isEmpty();
        assertThat(pending.add(other)).isEmpty();
        assertThat(pending.add(change("a"))).isEmpty();

        assertThat(pending.drain()).containsExactly(first, other);
    }

    @Test
    void oneNotificationTooManyIsDropped() {
        List<OutgoingEvent> notes = fill();
        OutgoingEvent late = note(MAX);

        assertThat(pending.add(late)).containsExactly(late);
        assertThat(pending.drain()).isEqualTo(notes);
    }

    @Test
    void aRequestTakesThePlaceOfTheOldestNotification() {
        List<OutgoingEvent> notes = fill();
        OutgoingEvent request = request(1);

        assertThat(pending.add(request)).containsExactly(notes.getFirst());

        List<OutgoingEvent> left = pending.drain();
        assertThat(left).hasSize(MAX).startsWith(notes.get(1)).endsWith(request);
    }

    @Test
    void aChangeThatMadePlaceMayBeSaidAgain() {
        OutgoingEvent change = change("a");
        pending.add(change);
        IntStream.range(1, MAX).forEach(i -> pending.add(note(i)));
        assertThat(pending.add(request(1))).containsExactly(change);
        assertThat(pending.add(request(2))).hasSize(1);

        assertThat(pending.putBack(List.of(change))).containsExactly(change);
        pending.drain();
        assertThat(pending.add(change)).isEmpty();
        assertThat(pending.drain()).containsExactly(change);
    }

    @Test
    void aRequestThatComesBackTakesThePlaceOfANotificationToo() {
        List<OutgoingEvent> notes = fill();
        OutgoingEvent request = request(1);

        assertThat(pending.putBack(List.of(request))).containsExactly(notes.getFirst());
        assertThat(pending.drain()).startsWith(request, notes.get(1));
    }

    @Test
    void bytesAreBoundedTooAndOneMessageMayHaveAnySize() {
        OutgoingEvent huge = request(1, 3 * PendingMessages.MAX_BYTES);
        assertThat(pending.add(huge)).isEmpty();
        OutgoingEvent small = request(2);

        assertThat(pending.add(small)).containsExactly(small);
        assertThat(pending.isFullOfRequests()).isFalse();
        assertThat(pending.drain()).containsExactly(huge);
        assertThat(pending.add(small)).isEmpty();
    }

    @Test
    void aRequestThatFindsNoPlaceCostsNobodyElseHis() {
        OutgoingEvent note = note(1);
        OutgoingEvent request = request(1, PendingMessages.MAX_BYTES / 2);
        pending.add(note);
        pending.add(request);
        OutgoingEvent large = request(2, PendingMessages.MAX_BYTES);

        assertThat(pending.add(large)).containsExactly(large);
        assertThat(pending.drain()).containsExactly(note, request);
    }

    @Test
    void whenOnlyRequestsWaitItIsSaidSo() {
        IntStream.range(0, MAX).forEach(i -> assertThat(pending.add(request(i))).isEmpty());
        OutgoingEvent late = request(MAX);

        assertThat(pending.add(late)).containsExactly(late);
        assertThat(pending.isFullOfRequests()).isTrue();
    }
}
