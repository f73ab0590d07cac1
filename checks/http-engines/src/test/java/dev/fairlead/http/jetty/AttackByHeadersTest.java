package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.HttpServing;
import dev.fairlead.http.jetty.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Heads, trailers and codings that are larger, more or other than a server should take. */
@Timeout(120)
class AttackByHeadersTest extends HttpTest {
    private static final String USUAL =
            "Host: localhost\r\nAccept: application/json\r\nContent-Type: application/json\r\n";

    private static String lines(int count, String value) {
        return IntStream.range(0, count)
                .mapToObj(i -> "X-" + i + ": " + value + "\r\n")
                .collect(Collectors.joining());
    }

    private void assertRefused(String request, int status) throws IOException {
        HttpServing serving = serve();
        try (Wire wire = Wire.to(serving)) {
            wire.raw(request);

            assertThat(wire.head().status()).isEqualTo(status);
            wire.awaitEnd();
        }
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }

    @Test
    void aHeaderThatIsTooLargeIsRefused() throws IOException {
        assertRefused("POST /mcp HTTP/1.1\r\n" + USUAL + lines(1, "x".repeat(10_000)), 431);
    }

    @Test
    void tooManyHeadersAreRefused() throws IOException {
        assertRefused("POST /mcp HTTP/1.1\r\n" + USUAL + lines(1_000, "x"), 431);
    }

    @Test
    void aTargetThatIsTooLongIsRefused() throws IOException {
        assertRefused("POST /mcp?" + "x".repeat(10_000) + " HTTP/1.1\r\n" + USUAL, 414);
    }

    @Test
    void trailersThatAreTooLargeAreRefused() throws IOException {
        HttpServing serving = serve();
        try (Wire wire = Wire.to(serving)) {
            wire.raw(
                    "POST /mcp HTTP/1.1\r\n"
                            + USUAL
                            + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
                            + lines(1_000, "x".repeat(100))
                            + "\r\n");

            assertThat(wire.head().status()).isBetween(400, 499);
        }
    }

    @Test
    void manyHeadersWithinTheBoundPass() throws IOException {
        HttpServing serving = serve();
        String body = initialize("2025-11-25");
        try (Wire wire = Wire.to(serving)) {
            wire.raw(
                    "POST /mcp HTTP/1.1\r\n"
                            + USUAL
                            + lines(300, "xxxxxxxxxx")
                            + "Content-Length: "
                            + body.length()
                            + "\r\n\r\n"
                            + body);

            assertThat(wire.answer().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "zstd", "GZIP", "identity, gzip", "x"})
    void aCompressedBodyIsRefusedUnread(String coding) throws IOException {
        Answer answer = post(serve(), "\u001f\u008b", "Content-Encoding", coding);

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.body())
                .containsIgnoringCase(
                        "The body must not be compressed or otherwise encoded ("
                                + coding
                                + "): send it without Content-Encoding");
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "identity", "Identity"})
    void aBodyWithoutACodingIsRead(String coding) throws IOException {
        assertThat(post(serve(), initialize("2025-11-25"), "Content-Encoding", coding).status())
                .isEqualTo(200);
    }

    @Test
    void aCodingThatIsNoneIsNotRepeated() throws IOException {
        assertThat(post(serve(), "x", "Content-Encoding", "<script>").body())
                .contains("otherwise encoded: send it without Content-Encoding")
                .doesNotContain("script");
    }

    @Test
    void aSecondCodingIsSeenToo() throws IOException {
        try (Wire wire = Wire.to(serve())) {
            wire.raw(
                    "POST /mcp HTTP/1.1\r\n"
                            + USUAL
                            + "Content-Encoding: identity\r\nContent-Encoding: gzip\r\n"
                            + "Content-Length: 2\r\n\r\n{}");

            assertThat(wire.answer().status()).isEqualTo(415);
        }
    }

    @Test
    void aCompressedTransferIsRefused() throws IOException {
        try (Wire wire = Wire.to(serve())) {
            wire.raw(
                    "POST /mcp HTTP/1.1\r\n"
                            + USUAL
                            + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");

            assertThat(wire.answer().status()).isEqualTo(415);
        }
    }
}
