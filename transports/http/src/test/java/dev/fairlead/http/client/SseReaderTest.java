package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

@Requirement({"SSE-015", "SSE-016"})
class SseReaderTest {
    private static final int LARGE = 1_000_000;

    /** An event in a form that can be compared. */
    private record Event(String type, String id, String data) {
        static Event of(SseEvent event) {
            return new Event(
                    event.type(), event.id(), new String(event.data(), StandardCharsets.UTF_8));
        }
    }

    private static List<Event> events(InputStream in) throws IOException {
        SseReader reader = new SseReader(in, LARGE);
        List<Event> events = new ArrayList<>();
        for (SseEvent event = reader.next(); event != null; event = reader.next()) {
            events.add(Event.of(event));
        }
        return events;
    }

    private static List<Event> events(String text) throws IOException {
        return events(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Event message(String data) {
        return new Event("message", "", data);
    }

    @Test
    void severalDataLinesAreJoinedByALineFeed() throws IOException {
        assertThat(events("data: one\ndata:two\ndata:\ndata:  four\n\n"))
                .containsExactly(message("one\ntwo\n\n four"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void everyKindOfLineEndCounts(String end) throws IOException {
        String text = String.join(end, "data: a", "data: b", "", "data: c", "", "");
        assertThat(events(text)).containsExactly(message("a\nb"), message("c"));
    }

    @Test
    void aCarriageReturnEndsTheLineBeforeTheNextByteCame() throws IOException {
        byte[] first = "data: a\r\r".getBytes(StandardCharsets.UTF_8);
        InputStream in =
                new InputStream() {
                    private int next;

                    @Override
                    public int read() {
                        throw new AssertionError("waits for another byte");
                    }

                    @Override
                    public int read(byte[] bytes, int offset, int length) {
                        if (next == first.length) {
                            throw new AssertionError("waits for another byte");
                        }
                        bytes[offset] = first[next++];
                        return 1;
                    }
                };
        assertThat(Event.of(new SseReader(in, LARGE).next())).isEqualTo(message("a"));
    }

    @Test
    void anIdHoldsForTheEventsThatFollow() throws IOException {
        assertThat(events("id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n"))
                .containsExactly(
                        new Event("message", "7", "a"),
                        new Event("message", "7", "b"),
                        message("c"));
    }

    @Test
    void anIdWithANullCharacterIsIgnored() throws IOException {
        assertThat(events("id: 7\ndata: a\n\nid: 8\0\ndata: b\n\n"))
                .extracting(Event::id)
                .containsExactly("7", "7");
    }

    @Test
    @Requirement("ROOM-055")
    void anEventWithoutDataIsSeenForItsIdOnly() throws IOException {
        SseReader reader =
                new SseReader(
                        new ByteArrayInputStream(
                                "id: 1\ndata:\n\nid: 2\n\nevent: ping\n\n"
                                        .getBytes(StandardCharsets.UTF_8)),
                        LARGE);
        SseEvent priming = reader.next();
        assertThat(priming.id()).isEqualTo("1");
        assertThat(priming.isMessage()).isFalse();
        assertThat(reader.next().id()).isEqualTo("2");
        assertThat(reader.next()).isNull();
    }

    @Test
    void onlyEventsOfTheTypeMessageAreMessages() throws IOException {
        String text =
                "event: message\n"
                        + "data: {}\n\n"
                        + "event: ping\n"
                        + "data: {}\n\n"
                        + "data: {}\n\n"
                        + "event: Message\n"
                        + "data: {}\n\n";
        SseReader reader =
                new SseReader(
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), LARGE);
        List<Boolean> messages = new ArrayList<>();
        for (SseEvent event = reader.next(); event != null; event = reader.next()) {
            messages.add(event.isMessage());
        }
        assertThat(messages).containsExactly(true, false, true, false);
    }

    @Test
    void commentsAndUnknownFieldsAreIgnored() throws IOException {
        assertThat(
                        events(
                                ": heartbeat\n\n"
                                        + ":\n\n"
                                        + "whatever: x\n"
                                        + "DATA: y\n"
                                        + "data : z\n\n"
                                        + "data: a\n"
                                        + ": in between\n"
                                        + "data: b\n\n"))
                .containsExactly(message("a\nb"));
    }

    @Test
    void aByteOrderMarkIsSkippedAtTheStartOnly() throws IOException {
        assertThat(events("\uFEFFdata: a\n\n\uFEFFdata: b\n\n")).containsExactly(message("a"));
    }

    @Test
    void anEventThatTheEndCutsOffIsDropped() throws IOException {
        assertThat(events("data: a\n\nid: 9\ndata: b\n")).containsExactly(message("a"));
        assertThat(events("data: a")).isEmpty();
    }

    @Test
    @Requirement("SSE-005")
    void aRetryHoldsAsSoonAsItsLineIsThere() throws IOException {
        assertThat(retry("retry: 1500\n")).contains(Duration.ofMillis(1500));
        assertThat(retry("retry: 1500\nretry: 20\n\n")).contains(Duration.ofMillis(20));
        assertThat(retry("retry: -5\nretry: 1e3\nretry:\nretry: 5 \nretry: \u0663\n\n")).isEmpty();
        assertThat(retry("retry: 86400000\n\n")).contains(Duration.ofDays(1));
        assertThat(retry("retry: 86400001\n\n")).isEmpty();
        assertThat(retry("retry: 999999999999999999\n\n")).isEmpty();
        assertThat(retry("retry: 1000000000000000000000000\n\n")).isEmpty();
    }

    private static java.util.Optional<Duration> retry(String text) throws IOException {
        SseReader reader =
                new SseReader(
                        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), LARGE);
        assertThat(reader.next()).isNull();
        return reader.retry();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data: 12345678901\n\n",
                "data: 1234567\ndata: 1234567\n\n",
                ": a comment without an end, a comment without an end",
                "id: 123456789012345678901234567890\n\n"
            })
    void whatIsTooLargeEndsTheStream(String text) {
        SseReader reader =
                new SseReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), 10);
        assertThatThrownBy(reader::next)
                .isInstanceOf(TooLargeException.class)
                .hasMessage("a message of the server is larger than 10 bytes");
    }

    @Test
    void anEventOfTheLargestSizeIsTaken() throws IOException {
        SseReader reader =
                new SseReader(
                        new ByteArrayInputStream(
                                "data: 1234567890\n\n".getBytes(StandardCharsets.UTF_8)),
                        10);
        assertThat(Event.of(reader.next())).isEqualTo(message("1234567890"));
    }

    @Test
    void anIdThatIsTooLongIsNone() throws IOException {
        String longest = "x".repeat(4_096);
        assertThat(events("id: %s\ndata: a\n\nid: %sx\ndata: b\n\n".formatted(longest, longest)))
                .containsExactly(new Event("message", longest, "a"), message("b"));
        assertThat(events("event: %sx\ndata: a\n\n".formatted(longest)))
                .containsExactly(new Event(longest, "", "a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"id: ", "event: ", ": ", "retry: ", "x"})
    void onlyDataTakesTheMemoryOfALargeLine(String start) throws IOException {
        int length = 32 << 20;
        InputStream in =
                new SequenceInputStream(
                        Collections.enumeration(
                                List.of(
                                        new ByteArrayInputStream(
                                                ("\n" + start).getBytes(StandardCharsets.UTF_8)),
                                        new Repeated(length),
                                        new ByteArrayInputStream(
                                                "\ndata: a\n\n"
                                                        .getBytes(StandardCharsets.UTF_8)))));
        SseReader reader = new SseReader(in, length);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        SseEvent event = reader.next();
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(new String(event.data(), StandardCharsets.UTF_8)).isEqualTo("a");
        assertThat(allocated).isLessThan(length / 4);
    }

    /** Gives the letter x many times. */
    private static final class Repeated extends InputStream {
        private int left;

        Repeated(int length) {
            left = length;
        }

        @Override
        public int read() {
            return left-- > 0 ? 'x' : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            int size = Math.min(length, left);
            Arrays.fill(target, offset, offset + size, (byte) 'x');
            left -= size;
            return size == 0 ? -1 : size;
        }
    }

    /** Streams at random, cut at random, against a reader that has the whole text before it. */
    @Test
    void howTheNetworkCutsAStreamDoesNotMatter() throws IOException {
        for (long seed = 1; seed <= 20_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = randomStream(random);
            List<Event> expected = wholeTextEvents(new String(bytes, StandardCharsets.UTF_8));
            assertThat(events(new Cut(bytes, random))).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private static byte[] randomStream(Random random) {
        String[] parts = {
            "data",
            "data",
            "id",
            "event",
            "retry",
            ":",
            ": ",
            ":",
            " ",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "\r\n\r\n",
            "\r\r",
            "message",
            "ping",
            "17",
            "é",
            "漢",
            "🚀",
            "\uFEFF",
            "\0",
            "{}",
            "data: {\"a\":1}\n",
            "id: 4\n",
            "x"
        };
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i >= 0; i--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The definition, read off the whole text. */
    private static List<Event> wholeTextEvents(String stream) {
        String text = stream.startsWith("\uFEFF") ? stream.substring(1) : stream;
        List<Event> events = new ArrayList<>();
        String id = "";
        String type = "";
        List<String> data = new ArrayList<>();
        boolean named = false;
        String[] lines = text.split("\r\n|\r|\n", -1);
        for (int i = 0; i < lines.length - 1; i++) { // the last one has no end
            String line = lines[i];
            if (line.isEmpty()) {
                if (named || !data.isEmpty()) {
                    events.add(
                            new Event(
                                    type.isEmpty() ? "message" : type,
                                    id,
                                    String.join("\n", data)));
                }
                data.clear();
                named = false;
                type = "";
                continue;
            }
            int colon = line.indexOf(':');
            String name = colon < 0 ? line : line.substring(0, colon);
            String value = colon < 0 ? "" : line.substring(colon + 1);
            value = value.startsWith(" ") ? value.substring(1) : value;
            switch (name) {
                case "data" -> data.add(value);
                case "event" -> type = value;
                case "id" -> {
                    if (value.indexOf('\0') < 0) {
                        id = value;
                        named = true;
                    }
                }
                default -> {}
            }
        }
        return events;
    }

    /** Gives its bytes in pieces of random sizes. */
    private static final class Cut extends InputStream {
        private final byte[] bytes;
        private final Random random;
        private int position;

        Cut(byte[] bytes, Random random) {
            this.bytes = bytes;
            this.random = random;
        }

        @Override
        public int read() {
            return position == bytes.length ? -1 : bytes[position++] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (position == bytes.length) {
                return -1;
            }
            int size = Math.min(Math.min(length, bytes.length - position), 1 + random.nextInt(7));
            System.arraycopy(bytes, position, target, offset, size);
            position += size;
            return size;
        }
    }
}
