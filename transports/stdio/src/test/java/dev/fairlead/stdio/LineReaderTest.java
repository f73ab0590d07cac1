package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;

import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Random;

class LineReaderTest {
    private static LineReader reader(String text, int maxLength) {
        return new LineReader(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), maxLength);
    }

    private static String next(LineReader reader) throws IOException {
        byte[] line = reader.next();
        return line == null ? null : new String(line, StandardCharsets.UTF_8);
    }

    @Test
    @Requirement({"STDIO-002", "ROOM-044"})
    void blankLinesAndCarriageReturnsAreTolerated() throws Exception {
        LineReader reader = reader("\n\r\n  \t\r\none\r\n\ntwo\n \nlast", 100);
        assertThat(next(reader)).isEqualTo("one");
        assertThat(next(reader)).isEqualTo("two");
        assertThat(next(reader)).isEqualTo("last");
        assertThat(next(reader)).isNull();
        assertThat(next(reader)).isNull();
    }

    @Test
    void aLineThatIsTooLongIsSkippedWithoutBeingKept() throws Exception {
        InputStream endless =
                new InputStream() {
                    private int left = 50_000_000;

                    @Override
                    public int read() {
                        return left-- > 0 ? 'x' : -1;
                    }

                    @Override
                    public int read(byte[] target, int offset, int length) {
                        if (left <= 0) {
                            return -1;
                        }
                        int count = Math.min(left, length);
                        left -= count;
                        return count;
                    }
                };
        LineReader reader =
                new LineReader(
                        new java.io.SequenceInputStream(
                                endless, new ByteArrayInputStream("\nnext\n".getBytes())),
                        1 << 20);
        long before = allocated();
        assertThatThrownBy(reader::next)
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("Invalid request: a message may have 1048576 bytes");
        assertThat(next(reader)).isEqualTo("next");
        assertThat(allocated() - before).isLessThan(10_000_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 200_000}) // kept whole in the buffer, and not
    void anAnswerThatIsTooLongIsKnownByItsBeginning(int length) throws Exception {
        LineReader reader =
                reader(
                        "before\n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"text\":\""
                                + "x".repeat(length)
                                + "\"}}\nnext\n",
                        100);
        assertThat(next(reader)).isEqualTo("before");
        assertThatThrownBy(reader::next)
                .isInstanceOfSatisfying(
                        MalformedMessageException.class,
                        e -> assertThat(e.answered()).contains(RequestId.of(7)));
        assertThat(next(reader)).isEqualTo("next");
    }

    /** Returns how many bytes this thread has allocated. */
    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    @Test
    void theBoundIsExact() throws Exception {
        LineReader reader = reader("12345\r\n123456\n123456\r\n12345", 5);
        assertThat(next(reader)).isEqualTo("12345");
        assertThatThrownBy(reader::next).isInstanceOf(MalformedMessageException.class);
        assertThatThrownBy(reader::next).isInstanceOf(MalformedMessageException.class);
        assertThat(next(reader)).isEqualTo("12345");
    }

    @Test
    void linesOfEveryLengthSurviveReadsOfEveryLength() throws Exception {
        long seed = 42;
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        int lines = 300;
        int[] lengths = new int[lines];
        for (int i = 0; i < lines; i++) {
            lengths[i] = 1 + (i % 10 == 0 ? random.nextInt(300_000) : random.nextInt(200));
            text.append(Character.toString('a' + i % 26).repeat(lengths[i])).append('\n');
        }
        InputStream source =
                new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.US_ASCII)) {
                    @Override
                    public synchronized int read(byte[] target, int offset, int length) {
                        return super.read(
                                target, offset, Math.min(length, 1 + random.nextInt(70_000)));
                    }
                };
        LineReader reader = new LineReader(source, 1 << 20);
        for (int i = 0; i < lines; i++) {
            assertThat(next(reader))
                    .as("line %d, seed %d", i, seed)
                    .isEqualTo(Character.toString('a' + i % 26).repeat(lengths[i]));
        }
        assertThat(next(reader)).isNull();
    }
}
