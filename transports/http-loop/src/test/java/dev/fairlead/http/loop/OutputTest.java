package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

class OutputTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private long now = Long.MAX_VALUE - 1; // clocks of this kind overflow
    private final Network network = new Network();
    private final List<String> events = new ArrayList<>();
    private final Output output =
            new Output(
                    network,
                    new Output.Owner() {
                        @Override
                        public void outputWaits() {
                            events.add("waits");
                        }

                        @Override
                        public void outputFlushed() {
                            events.add("flushed");
                        }

                        @Override
                        public void outputFailed(IOException cause) {
                            events.add("failed");
                        }
                    },
                    () -> now);

    /** Takes so many bytes as a test allows. */
    private static final class Network implements GatheringByteChannel {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private int room = Integer.MAX_VALUE;
        private int mostAtOnce;
        private boolean broken;

        @Override
        public int write(ByteBuffer source) throws IOException {
            if (broken) {
                throw new IOException("broken");
            }
            int size = Math.min(room, source.remaining());
            for (int i = 0; i < size; i++) {
                taken.write(source.get());
            }
            room -= size;
            mostAtOnce = Math.max(mostAtOnce, size);
            return size;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            long written = 0;
            for (int i = offset; i < offset + length; i++) {
                written += write(sources[i]);
            }
            return written;
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return write(sources, 0, sources.length);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private void write(String... texts) {
        ByteBuffer[] buffers = new ByteBuffer[texts.length];
        for (int i = 0; i < texts.length; i++) {
            buffers[i] = ByteBuffer.wrap(texts[i].getBytes(StandardCharsets.UTF_8));
        }
        output.write(
                buffers,
                failure -> events.add(texts[0] + (failure == null ? "" : failure.getMessage())));
    }

    private void respond(String text) {
        ByteBuffer[] buffers = {ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))};
        output.respond(
                buffers,
                failure -> events.add(text + (failure == null ? "" : failure.getMessage())));
    }

    private String taken() {
        return network.taken.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatTheNetworkTakesIsWrittenAtOnce() {
        write("a", "", "b");

        assertThat(taken()).isEqualTo("ab");
        assertThat(events).containsExactly("a");
        assertThat(output.isWaiting()).isFalse();
    }

    @Test
    void theRestWaitsAndKeepsItsOrder() throws Exception {
        network.room = 3;
        write("ab", "cd");
        network.room = 10;
        write("ef");

        assertThat(taken()).isEqualTo("abc");
        assertThat(events).containsExactly("waits");
        network.room = 2;
        assertThat(output.flush()).isFalse();
        assertThat(events).containsExactly("waits", "ab");
        network.room = 10;
        assertThat(output.flush()).isTrue();
        assertThat(taken()).isEqualTo("abcdef");
        assertThat(events).containsExactly("waits", "ab", "flushed", "ef");
        write("g");
        assertThat(taken()).isEqualTo("abcdefg");
    }

    @Test
    void aResponseThatIsHeldBackIsWrittenByTheNextFlush() throws Exception {
        output.holdBack();
        write("a"); // is no response
        respond("b");
        write("c"); // keeps its order

        assertThat(taken()).isEqualTo("a");
        assertThat(events).containsExactly("a");
        assertThat(output.flush()).isTrue();
        assertThat(taken()).isEqualTo("abc");
        respond("d");
        assertThat(taken()).isEqualTo("abcd");
        assertThat(events).containsExactly("a", "flushed", "b", "c", "d");
    }

    @Test
    void whereNothingWasHeldBackTheNextResponseIsWrittenAtOnce() throws Exception {
        output.holdBack();
        assertThat(output.flush()).isTrue();
        respond("a");

        assertThat(taken()).isEqualTo("a");
    }

    @Test
    void aConnectionThatBreaksFailsWhatIsHeldBack() {
        output.holdBack();
        respond("a");
        output.fail(new IOException(" is lost"));
        respond("b");

        assertThat(events).containsExactly("a is lost", "b is lost");
    }

    @Test
    void whatMakesNoProgressIsStalled() throws Exception {
        network.room = 0;
        write("abc");

        now += SECOND.toNanos();
        assertThat(output.isStalled(now, SECOND)).isFalse();
        now++;
        assertThat(output.isStalled(now, SECOND)).isTrue();
        network.room = 1;
        output.flush();
        assertThat(output.isStalled(now, SECOND)).isFalse();
        now += SECOND.toNanos() + 1;
        assertThat(output.isStalled(now, SECOND)).isTrue();
        network.room = 2;
        output.flush();
        assertThat(output.isStalled(now, SECOND)).isFalse();
    }

    @Test
    void aBrokenConnectionFailsWhatWaitsAndWhatFollows() {
        network.room = 0;
        write("a");
        output.fail(new IOException(" is lost"));
        write("b");

        assertThat(events).containsExactly("waits", "a is lost", "b is lost");
        assertThat(output.isWaiting()).isFalse();
    }

    @Test
    void aCompletionThatFailsDoesNotSuppressOthers() throws Exception {
        network.room = 1;
        write("ab");
        ByteBuffer[] second = {ByteBuffer.wrap(new byte[] {'c'})};
        output.write(
                second,
                failure -> {
                    events.add("fails");
                    throw new IllegalStateException("expected by this test");
                });
        write("d");
        output.write(
                new ByteBuffer[] {ByteBuffer.wrap(new byte[1_000])},
                failure -> {
                    throw new IllegalStateException("expected by this test");
                });
        write("e");
        network.room = 100;
        output.flush();
        output.fail(new IOException(" is lost"));

        assertThat(events).containsExactly("waits", "ab", "fails", "d", "e is lost");
    }

    @Test
    void theOwnerIsNotifiedOfAFailedWrite() {
        network.broken = true;
        write("a ");

        assertThat(events).containsExactly("failed", "a broken");
    }

    @Test
    void aLargeBufferIsWrittenInSlices() throws Exception {
        String large = "x".repeat(3 << 20);
        write("head", large, "tail");

        assertThat(network.mostAtOnce).isLessThanOrEqualTo(128 << 10);
        assertThat(events).containsExactly("waits"); // so that others get their turn
        while (!output.flush()) {
            assertThat(output.isWaiting()).isTrue();
        }
        assertThat(taken()).isEqualTo("head" + large + "tail");
        assertThat(events).containsExactly("waits", "flushed", "head");
    }

    @Test
    void pieceByPieceNothingIsLostOrDoubled() throws Exception {
        Random random = new Random(7);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            network.room = random.nextInt(20);
            String text = Integer.toString(random.nextInt());
            expected.append(text).append(';');
            write(text, ";");
            network.room = random.nextInt(20);
            output.flush();
        }
        network.room = Integer.MAX_VALUE;
        output.flush();

        assertThat(taken()).hasToString(expected.toString());
    }
}
