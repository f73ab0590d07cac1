package dev.fairlead.http.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

class HeadParserTest {
    private static final String PLAIN =
            "POST /mcp?a=b HTTP/1.1\r\nHost: localhost:80\r\nX-One: 1\r\nx-one:\t2 \r\nEmpty:\r\n"
                    + "Content-Length: 12\r\n\r\n";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static RequestHead parse(String text) throws BadRequestException {
        HeadParser parser = new HeadParser();
        parser.reset();
        byte[] bytes = bytes(text);
        assertThat(parser.parse(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        return parser.head();
    }

    private static int status(String text) {
        try {
            RequestHead head = parse(text);
            throw new AssertionError("taken: " + head.method());
        } catch (BadRequestException e) {
            return e.status();
        }
    }

    private static String withField(String field) {
        return "POST / HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n";
    }

    private static void assertPlain(RequestHead head) {
        assertThat(head.method()).isEqualTo("POST");
        assertThat(head.target()).isEqualTo(new RequestTarget(null, "/mcp", "a=b"));
        assertThat(head.values("X-ONE")).containsExactly("1", "2");
        assertThat(head.value("x-one")).contains("1");
        assertThat(head.values("empty")).containsExactly("");
        assertThat(head.values("absent")).isEmpty();
        assertThat(head.length()).isEqualTo(12);
        assertThat(head.isChunked()).isFalse();
        assertThat(head.isLast()).isFalse();
        assertThat(head.isContinueExpected()).isFalse();
    }

    @Test
    void aHeadIsParsed() throws Exception {
        assertPlain(parse(PLAIN));
        assertPlain(parse("\r\n" + PLAIN));
    }

    @Test
    void aHeadMayComeInAnyPieces() throws Exception {
        byte[] bytes = bytes(PLAIN);
        for (int first = 0; first < bytes.length; first++) {
            HeadParser parser = new HeadParser();
            parser.reset();
            assertThat(parser.parse(bytes, 0, first)).isEqualTo(-1);
            byte[] moved = bytes("xyz" + PLAIN + "next");
            assertThat(parser.parse(moved, 3, moved.length)).isEqualTo(bytes.length);
            assertPlain(parser.head());
        }
        HeadParser parser = new HeadParser();
        parser.reset();
        for (int end = 0; end < bytes.length; end++) {
            assertThat(parser.parse(bytes, 0, end)).isEqualTo(-1);
        }
        assertThat(parser.parse(bytes, 0, bytes.length)).isEqualTo(bytes.length);
        assertPlain(parser.head());
    }

    @Test
    void aParserIsUsedAgain() throws Exception {
        HeadParser parser = new HeadParser();
        parser.reset();
        byte[] other = bytes("GET /x HTTP/1.0\r\nA: b\r\n\r\n");
        parser.parse(other, 0, other.length);
        RequestHead first = parser.head();
        parser.reset();
        byte[] bytes = bytes(PLAIN);
        parser.parse(bytes, 0, bytes.length);

        assertPlain(parser.head());
        assertThat(first.values("a")).containsExactly("b");
        assertThat(first.isLast()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NONSENSE",
                " GET / HTTP/1.1",
                "GET  / HTTP/1.1",
                "GET /  HTTP/1.1",
                "GET / HTTP/1.1 ",
                "GET /",
                "GET / http/1.1",
                "GET / HTTP/1.",
                "GET / HTTP/11",
                "G(T / HTTP/1.1",
                "GET /\u00e4 HTTP/1.1",
                "GET /\t HTTP/1.1",
                "GET mcp HTTP/1.1",
                "GET /mcp#a HTTP/1.1",
                "GET /%2 HTTP/1.1",
                "GET /%zz HTTP/1.1",
                "GET /a\\b HTTP/1.1",
                "GET https://a/ HTTP/1.1",
                "GET http:///a HTTP/1.1",
                "GET http://b/ HTTP/1.1",
                "GET http://u@a/ HTTP/1.1",
                "CONNECT a:80 HTTP/1.1",
                "\u0016\u0003\u0001",
                "GET / HTTP/1.1\nX: y",
                "GET / HTTP/1.1\r\r"
            })
    void whatIsNoRequestLineIsRefused(String line) {
        assertThat(status(line + "\r\nHost: a\r\n\r\n")).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/2.0", "GET / HTTP/1.2", "GET / HTTP/0.9", "GET / HTTP/3.1"})
    void anotherVersionIsRefused(String line) {
        assertThat(status(line + "\r\nHost: a\r\n\r\n")).isEqualTo(505);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X : y",
                ": y",
                "X",
                " X: y",
                "X: a\r\n b",
                "X: a\nY: b",
                "X: a\rb",
                "X: \0",
                "X: \u007f",
                "X(: y",
                "X\u00e4: y",
                "Host: a",
                "Content-Length: 1\r\nContent-Length: 1",
                "Content-Length: 1, 1",
                "Content-Length: +1",
                "Content-Length: -1",
                "Content-Length: 0x1",
                "Content-Length:",
                "Content-Length: 1234567890123456789",
                "Content-Length: 1\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: ,chunked"
            })
    void aDoubtfulFieldIsRefused(String field) {
        assertThat(status(withField(field))).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({
        "Transfer-Encoding: xchunked, 501",
        "Transfer-Encoding: , 501",
        "Expect: something, 417",
    })
    void whatIsNotServedHasAStatusOfItsOwn(String field, int status) {
        assertThat(status(withField(field))).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a/b",
                "u@a",
                "[::1",
                "::1",
                "[:1]",
                "a:",
                "a:123456",
                "a:0",
                "a:65536",
                "a, b",
                "a%41",
                "[]"
            })
    void whatIsNoHostIsRefused(String host) {
        assertThat(status("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n")).isEqualTo(400);
    }

    @Test
    void aRequestWithoutHostIsRefusedUnlessItIsOld() throws Exception {
        assertThat(status("GET / HTTP/1.1\r\n\r\n")).isEqualTo(400);
        assertThat(parse("GET / HTTP/1.0\r\n\r\n").isOldVersion()).isTrue();
    }

    @Test
    void anAbsoluteTargetNamesTheSameHost() throws Exception {
        assertThat(parse("GET http://A:1/b?c HTTP/1.1\r\nHost: a:1\r\n\r\n").target())
                .isEqualTo(new RequestTarget("A:1", "/b", "c"));
        assertThat(parse("GET HTTP://a HTTP/1.1\r\nHost: a\r\n\r\n").target().path())
                .isEqualTo("/");
    }

    @Test
    void fieldsOfTheConnectionAreUnderstood() throws Exception {
        assertThat(parse(withField("Transfer-Encoding: gzip, Chunked")).isChunked()).isTrue();
        assertThat(parse(withField("Connection: keep-alive, Close")).isLast()).isTrue();
        RequestHead expecting = parse(withField("Expect: 100-Continue\r\nContent-Length: 1"));
        assertThat(expecting.isContinueExpected()).isTrue();
        assertThat(expecting.isLast()).isFalse();
        assertThat(parse(withField("Expect: 100-continue")).isLast()).isTrue();
    }

    @Test
    void aHeadIsBounded() throws Exception {
        assertThat(status("GET /" + "x".repeat(HeadParser.MAX) + " HTTP/1.1\r\n")).isEqualTo(414);
        assertThat(status(withField("X: " + "x".repeat(HeadParser.MAX)))).isEqualTo(431);
        String frame = withField("X: ");
        parse(withField("X: " + "x".repeat(HeadParser.MAX - frame.length())));
        assertThat(status(withField("X: " + "x".repeat(HeadParser.MAX - frame.length() + 1))))
                .isEqualTo(431);
    }

    @Test
    void whatIsAnotherProtocolIsRefusedAtItsFirstByte() {
        HeadParser parser = new HeadParser();
        parser.reset();

        assertThatThrownBy(() -> parser.parse(new byte[] {22, 3, 1}, 0, 1))
                .isInstanceOf(BadRequestException.class);
    }

    private static @Nullable RequestHead repeated(RequestHead head, String text) {
        byte[] arrived = bytes("xyz" + text);
        return head.repeatedIn(arrived, 3, arrived.length);
    }

    @Test
    void aHeadThatIsRepeatedIsNotParsedAgain() throws Exception {
        for (String text : List.of(PLAIN, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
            RequestHead head = parse(text);
            assertThat(repeated(head, text + "next")).isSameAs(head);
            assertThat(head.size()).isEqualTo(text.length());
            for (int end = 0; end < text.length(); end++) {
                assertThat(repeated(head, text.substring(0, end))).isNull();
            }
        }
    }

    @Test
    void aRepeatedHeadMayHaveAnotherLength() throws Exception {
        RequestHead head = parse(PLAIN);
        for (String length : List.of("0", "7", "13", "12345", "9".repeat(18))) {
            String other = PLAIN.replace(": 12\r", ": " + length + "\r");
            RequestHead repeated = repeated(head, other);
            assertThat(repeated).isNotNull();
            assertThat(repeated.size()).isEqualTo(other.length());
            assertThat(repeated.length()).isEqualTo(Long.parseLong(length));
            assertThat(repeated.values("Content-Length")).containsExactly(length);
            assertThat(repeated.values("X-One")).containsExactly("1", "2");
            assertThat(repeated(repeated, PLAIN)).isNotNull();
            assertThat(repeated(repeated, PLAIN).length()).isEqualTo(12);
        }
        assertThat(head.values("Content-Length")).containsExactly("12");
        for (String wrong : List.of("", "-1", "+1", "1a", "1 2", "9".repeat(19), "0x1")) {
            assertThat(repeated(head, PLAIN.replace(": 12\r", ": " + wrong + "\r"))).isNull();
        }
    }

    @Test
    void aHeadWhoseMeaningDependsOnTheLengthIsParsedAgain() throws Exception {
        String expecting = withField("Expect: 100-continue\r\nContent-Length: 1");
        assertThat(repeated(parse(expecting), expecting)).isNull();
    }

    /** A changed head that is taken for a repeated one has the same meaning. */
    @Test
    void whatIsTakenForARepeatedHeadMeansTheSame() throws Exception {
        Random random = new Random(1);
        RequestHead head = parse(PLAIN);
        int taken = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder(PLAIN);
            int at =
                    random.nextBoolean()
                            ? PLAIN.indexOf("12\r") - 2 + random.nextInt(5)
                            : random.nextInt(PLAIN.length());
            String piece = List.of("0", "5", " ", "\r\n", ",", "-", "x", "").get(random.nextInt(8));
            text.replace(at, at + random.nextInt(2), piece);
            RequestHead repeated = repeated(head, text + "0123456789");
            if (repeated != null) {
                taken++;
                String rest = text + "0123456789";
                RequestHead parsed = parse(rest.substring(0, repeated.size()));
                assertThat(repeated.length()).isEqualTo(parsed.length());
                for (String name : List.of("Host", "X-One", "Empty", "X-Two")) {
                    assertThat(repeated.values(name)).isEqualTo(parsed.values(name));
                }
            }
        }
        assertThat(taken).isGreaterThan(1_000);
    }
}
