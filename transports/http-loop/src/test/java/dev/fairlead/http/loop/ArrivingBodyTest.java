package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class ArrivingBodyTest {
    private final AtomicInteger wanted = new AtomicInteger();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicInteger room = new AtomicInteger();
    private final BytesAhead ahead = new BytesAhead(1 << 20);

    private void wanted() {
        wanted.incrementAndGet();
        asked.countDown();
    }

    private ArrivingBody body(Duration timeout) {
        return new ArrivingBody(timeout, this::wanted, room::incrementAndGet, ahead);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatHasArrivedIsReadWithoutAsking() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        body.receive(new LengthDecoder(5), bytes("hello"), 0, 5);

        assertThat(body.isComplete()).isTrue();
        assertThat(body.readAllBytes()).isEqualTo(bytes("hello"));
        assertThat(body.read()).isEqualTo(-1);
        assertThat(wanted).hasValue(0);
    }

    @Test
    void theFirstReadThatWaitsAsksForTheBody() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        LengthDecoder decoder = new LengthDecoder(2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<byte[]> read = new CompletableFuture<>();
            threads.submit(() -> read.complete(body.readAllBytes()));
            asked.await();
            body.receive(decoder, bytes("a"), 0, 1);
            body.receive(decoder, bytes("b"), 0, 1);

            assertThat(read.get()).isEqualTo(bytes("ab"));
        }
        assertThat(wanted).hasValue(1);
    }

    @Test
    void aReadWaitsNoLongerThanTheTimeout() {
        ArrivingBody body = body(Duration.ofMillis(20));

        assertThatThrownBy(body::read)
                .isInstanceOf(IOException.class)
                .hasMessage("No byte of the body came for 20 ms");
    }

    @Test
    void anInterruptEndsTheWait() {
        ArrivingBody body = body(Duration.ofMinutes(1));
        Thread.currentThread().interrupt();

        assertThatThrownBy(body::read).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatCameBeforeAFailureIsRead() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        body.receive(new LengthDecoder(5), bytes("ab"), 0, 2);
        body.disconnected();

        assertThat(body.readNBytes(2)).isEqualTo(bytes("ab"));
        assertThatThrownBy(body::read).hasCauseInstanceOf(EOFException.class);
    }

    @Test
    void aBodyThatIsNoneFails() {
        ArrivingBody body = body(Duration.ofMinutes(1));

        assertThat(body.receive(new ChunkedDecoder(), bytes("zz\r\nGET /"), 0, 9)).isEqualTo(9);
        assertThat(body.isBroken()).isTrue();
        assertThatThrownBy(body::read).hasMessage("The size of a chunk is not a number");
    }

    @Test
    void whatIsNotReadPausesTheConnectionUntilThereIsRoom() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        byte[] much = new byte[ArrivingBody.ENOUGH];
        LengthDecoder decoder = new LengthDecoder(much.length + 2L);
        body.receive(decoder, much, 0, 1);
        assertThat(body.read()).isZero();
        body.receive(decoder, much, 0, much.length - 1);
        assertThat(body.pause()).isFalse();
        body.receive(decoder, much, 0, 1);
        assertThat(body.pause()).isTrue();

        body.readNBytes(much.length / 2 - 1);
        assertThat(room).hasValue(0);
        body.readNBytes(1);
        assertThat(room).hasValue(1);
        assertThat(body.pause()).isFalse();
        body.readNBytes(10);
        assertThat(room).hasValue(1);
    }

    @Test
    void beforeItIsReadLittleIsEnough() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        LengthDecoder decoder = new LengthDecoder(1_000_000);
        byte[] few = new byte[BytesAhead.FEW];
        body.receive(decoder, few, 0, few.length - 1);
        assertThat(body.pause()).isFalse();
        body.receive(decoder, few, 0, 1);
        assertThat(body.pause()).isTrue();
        assertThat(ahead.waiting()).isEqualTo(few.length);

        assertThat(body.read()).isZero();
        assertThat(ahead.waiting()).isZero();
        assertThat(room).hasValue(1);
        assertThat(body.pause()).isFalse();
    }

    @Test
    void afterTheAnswerNothingOfItIsKept() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        LengthDecoder decoder = new LengthDecoder(20);
        body.receive(decoder, new byte[10], 0, 10);
        body.discard();
        body.receive(decoder, new byte[10], 0, 10);

        assertThat(ahead.waiting()).isZero();
        assertThat(body.isComplete()).isTrue();
        assertThatThrownBy(body::read)
                .isInstanceOf(IOException.class)
                .hasMessage("the request was answered before its body was read");
    }

    /** Each piece that comes alone is an object of its own, which takes more memory than a byte. */
    @Test
    void bytesThatComeOneByOnePauseTheConnectionEarlier() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        LengthDecoder decoder = new LengthDecoder(ArrivingBody.ENOUGH);
        int taken = 0;
        while (!body.pause()) {
            body.receive(decoder, new byte[1], 0, 1);
            taken++;
        }
        assertThat(taken).isEqualTo(ArrivingBody.ENOUGH_PIECES);

        body.readNBytes(taken / 2 - 1);
        assertThat(room).hasValue(0);
        body.readNBytes(1);
        assertThat(room).hasValue(1);
    }

    @Test
    void chunksThatComeTogetherAreOnePiece() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        int chunks = ArrivingBody.ENOUGH_PIECES;
        byte[] all = bytes("1\r\nx\r\n".repeat(chunks) + "0\r\n\r\nGET");

        assertThat(body.receive(new ChunkedDecoder(), all, 0, all.length))
                .isEqualTo(all.length - 3);
        assertThat(body.pause()).isFalse();
        assertThat(all).endsWith(bytes("GET"));
        assertThat(body.readAllBytes()).isEqualTo(bytes("x".repeat(chunks)));
    }

    @Test
    void chunksBeforeOneThatIsNoneAreRead() throws Exception {
        ArrivingBody body = body(Duration.ofMinutes(1));
        byte[] all = bytes("1\r\na\r\n2\r\nbc\r\nzz");
        body.receive(new ChunkedDecoder(), all, 0, all.length);

        assertThat(body.readNBytes(3)).isEqualTo(bytes("abc"));
        assertThatThrownBy(body::read).hasMessage("The size of a chunk is not a number");
    }

    @Test
    void piecesOfAnySizeBecomeTheBody() throws Exception {
        Random random = new Random(1);
        byte[] whole = new byte[100_000];
        random.nextBytes(whole);
        ArrivingBody body = body(Duration.ofMinutes(1));
        LengthDecoder decoder = new LengthDecoder(whole.length);
        Thread sender =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    int from = 0;
                                    while (from < whole.length) {
                                        int to =
                                                Math.min(
                                                        whole.length,
                                                        from + 1 + random.nextInt(999));
                                        from = body.receive(decoder, whole, from, to);
                                    }
                                });

        assertThat(body.readAllBytes()).isEqualTo(whole);
        sender.join();
    }
}
