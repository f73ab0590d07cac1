package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

class ChunkedDecoderTest {
    private final ChunkedDecoder decoder = new ChunkedDecoder();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    private int decode(String text) throws BadRequestException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return decoder.decode(
                bytes, 0, bytes.length, (part, from, to) -> body.write(part, from, to - from));
    }

    private static final String WHOLE =
            "5;name=value;other\r\nhello\r\n00A\r\n, chunked!\r\n0\r\nTrailer: one\r\nB:\r\n\r\n";

    @Test
    void chunksBecomeABodyAndWhatFollowsIsLeft() throws Exception {
        assertThat(decode(WHOLE + "GET /")).isEqualTo(WHOLE.length());
        assertThat(body.toString(StandardCharsets.UTF_8)).isEqualTo("hello, chunked!");
        assertThat(decoder.isComplete()).isTrue();
    }

    @Test
    void chunksMayComeInAnyPieces() throws Exception {
        for (char c : WHOLE.toCharArray()) {
            assertThat(decoder.isComplete()).isFalse();
            assertThat(decode("" + c)).isEqualTo(1);
        }
        assertThat(decoder.isComplete()).isTrue();
        assertThat(body.toString(StandardCharsets.UTF_8)).isEqualTo("hello, chunked!");
    }

    @Test
    void theSizeOfAChunkIsKnownBeforeItsBytes() throws Exception {
        decode("5\r\nhello\r\n7ffffff");
        assertThat(decoder.announced()).isEqualTo(5);
        decode("f;a\r\n");
        assertThat(decoder.announced()).isEqualTo(5L + Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zz\r\n",
                "-1\r\n",
                " 1\r\n",
                "1 \r\n",
                "0x1\r\n",
                "\r\n",
                "1\n",
                "1\r\r",
                "FFFFFFFFFFFFFFFF\r\n",
                "fffffffffffffff",
                "80000000",
                "080000000",
                "1;a\n",
                "1;\r\n",
                "1;=a\r\n",
                "1;a=\r\n",
                "1;a b\r\n",
                "1;a=\"b\"\r\n",
                "1;\u00e4\r\n",
                "1;\0\r\n",
                "1\r\nhello",
                "1\r\nh\n",
                "1\r\nh\r1",
                "0\r\nNo name\r\n",
                "0\r\n: no name\r\n",
                "0\r\nA: b\n",
                "0\r\nA: \0\r\n",
                "0\r\n folded\r\n",
                "0\r\n\rx"
            })
    void whatIsNoChunkIsRefused(String text) {
        assertThatThrownBy(() -> decode(text)).isInstanceOf(BadRequestException.class);
        assertThat(decoder.isComplete()).isFalse();
    }

    @Test
    void extensionsAndTrailersAreBoundedTogether() throws Exception {
        String half = "x".repeat(ChunkedDecoder.MAX_EXTRA / 2);
        decode("1;" + half + "\r\na\r\n0\r\n");

        assertThatThrownBy(() -> decode("A" + half + ": b\r\n\r\n"))
                .isInstanceOf(BadRequestException.class);
    }

    @Test
    void aBodyOfKnownLengthEndsThere() {
        LengthDecoder known = new LengthDecoder(5);
        byte[] bytes = "hello, you".getBytes(StandardCharsets.UTF_8);

        assertThat(known.decode(bytes, 0, 3, (part, from, to) -> {})).isEqualTo(3);
        assertThat(known.isComplete()).isFalse();
        assertThat(known.decode(bytes, 3, bytes.length, (part, from, to) -> {})).isEqualTo(5);
        assertThat(known.isComplete()).isTrue();
    }
}
