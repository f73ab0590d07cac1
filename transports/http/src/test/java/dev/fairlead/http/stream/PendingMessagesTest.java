package dev.fairlead.http.stream;

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
    private static final int MIB = 1 << 20;

    /** An eighth of the bytes of all sessions. */
    private static final int PART = MIB / 8;

    private final WaitingBytes all = new WaitingBytes(MIB);
    private final PendingMessages pending = pending("ann", "1");

    private PendingMessages pending(String caller, String session) {
        return new PendingMessages(() -> all.share(caller, session));
    }

    private static OutgoingEvent note(int number) {
        return OutgoingEvent.of(
                new JsonRpcNotification("x", RawJson.parse("{\"n\":" + number + "}")));
    }

    /** A notification that counts as so many bytes. */
    private static OutgoingEvent noteOf(int size) {
        int empty = (int) PendingMessages.size(textNote(""));
        return textNote("x".repeat(size - empty));
    }

    private static OutgoingEvent textNote(String text) {
        return OutgoingEvent.of(
                new JsonRpcNotification("x", RawJson.parse("{\"x\":\"" + text + "\"}")));
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
    void notificationsOfTheSameChangeWaitOnce() {
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
    void aReturnedRequestTakesThePlaceOfANotificationToo() {
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
    void aRequestWithoutRoomDisplacesNoOther() {
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

    @Test
    void theMessagesOfASessionACallerAndAllSessionsAreBounded() {
        assertThat(pending.add(noteOf(PART))).isEmpty();
        assertThat(pending.add(noteOf(PART))).isEmpty();
        assertThat(pending.add(noteOf(PART))).as("a session has a quarter").hasSize(1);
        PendingMessages second = pending("ann", "2");
        assertThat(second.add(noteOf(PART))).isEmpty();
        assertThat(second.add(noteOf(PART))).isEmpty();
        assertThat(pending("ann", "3").add(noteOf(PART))).as("a caller has half").hasSize(1);
        PendingMessages other = pending("bob", "4");
        assertThat(other.add(noteOf(PART))).isEmpty();
        assertThat(other.add(noteOf(PART))).isEmpty();
        PendingMessages late = pending("bob", "5");
        assertThat(late.add(noteOf(PART))).isEmpty();
        assertThat(late.add(noteOf(PART))).as("the last part is for little").hasSize(1);
        assertThat(late.add(noteOf(300))).as("this session holds much").hasSize(1);
        PendingMessages small = pending("bob", "6");
        assertThat(small.add(noteOf(WaitingBytes.SMALL))).isEmpty();
        assertThat(all.waiting()).isEqualTo(7 * PART + WaitingBytes.SMALL);

        second.drain();
        small.drain();
        assertThat(late.add(noteOf(PART))).isEmpty();
        for (PendingMessages each : List.of(pending, other, late)) {
            each.drain();
        }
        assertThat(all.waiting()).isZero();
    }

    @Test
    void aMessageCountsWithWhatItTakesInMemory() {
        pending.add(note(1));
        assertThat(all.waiting()).isBetween(200L, 300L);
        pending.drain();

        pending.add(change("x".repeat(10_000)));
        assertThat(all.waiting()).isBetween(30_000L, 31_000L);
        assertThat(pending.add(change("x".repeat(10_000)))).isEmpty();
        assertThat(all.waiting()).isBetween(30_000L, 31_000L);
    }

    @Test
    void aRequestWithoutRoomTakesThatOfTheOldestNotificationsOfItsSession() {
        OutgoingEvent first = noteOf(PART);
        OutgoingEvent second = noteOf(PART);
        OutgoingEvent request = request(1, PART + PART / 2);
        pending.add(first);
        pending.add(second);

        assertThat(pending.add(request)).containsExactly(first, second);
        assertThat(all.waiting()).isEqualTo(PendingMessages.size(request));
        assertThat(pending.drain()).containsExactly(request);
        assertThat(all.waiting()).isZero();
    }

    @Test
    void aRequestWithoutRoomCostsNothingWhereThatDoesNotHelp() {
        PendingMessages other = pending("ann", "2");
        OutgoingEvent note = noteOf(PART / 2 + 1);
        OutgoingEvent question = request(1, PART);
        other.add(request(1, 2 * PART - 1_000));
        pending.add(note);
        pending.add(question);
        long before = all.waiting();

        OutgoingEvent late = request(2, PART);
        assertThat(pending.add(late)).containsExactly(late);
        assertThat(all.waiting()).isEqualTo(before);
        assertThat(pending.drain()).containsExactly(note, question);
    }

    @Test
    void aMessageThatIsTakenOutGivesItsRoomBack() {
        pending.add(noteOf(PART));
        pending.add(request(1));

        pending.removeFirst();
        assertThat(all.waiting()).isLessThan(1_000);
        pending.removeFirst();

        assertThat(all.waiting()).isZero();
        assertThat(pending.isEmpty()).isTrue();
    }
}
