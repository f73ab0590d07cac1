package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.spi.EngineSettings;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.HttpEngine.Listening;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The same bytes are sent to both engines. A request that our engine accepts is the same to Jetty;
 * where Jetty accepts one that ours refuses, the reason is one of {@link Stricter}.
 *
 * <p>{@code -Dfairlead.fuzz.requests=N} makes the search longer, {@code -Dfairlead.seed=N} repeats
 * one.
 */
@Tag(Engines.JETTY_ALONE)
@Timeout(600)
class EngineDifferencesTest {
    private static final int REQUESTS = Integer.getInteger("fairlead.fuzz.requests", 2_000);
    private static final long SEED = Long.getLong("fairlead.seed", 1);

    private static Listening jetty;
    private static Listening loop;

    /**
     * The reasons why our engine refuses requests that Jetty accepts. Two parties may understand
     * each such request differently, which is how requests are smuggled, and no client of today
     * sends them.
     */
    enum Stricter {
        /** RFC 9112, 2.2 lets a server take it; others do not see the end of the line. */
        LINE_WITHOUT_CR(request("X: a\nContent-Length: 0"), "(?s).*(?<!\r)\n.*"),
        /** RFC 9112, 2.2 lets a server skip an empty line, but this is half of one. */
        CR_BEFORE_A_REQUEST(request("X: a") + "\r" + request("X: a"), "(?s).*\r(?!\n).*"),
        /** RFC 9110, 9.1: a method is a token. */
        METHOD_IS_NO_TOKEN(
                request("X: a").replace("GET", "/ET"),
                "(?s)(.*[^ -~])?[!-~]*[\"(),/:;<=>?@\\[\\\\\\]{}][!-~]* +[^\r\n]* (?i:http)/1.*"),
        /** RFC 9112, 3: one space. */
        SPACES(request("X: a").replace("GET ", "GET  "), "(?s).*  .*"),
        /** RFC 9112, 2.3: the name of the protocol has capital letters. */
        VERSION_IN_LOWER_CASE(
                request("X: a").replace("HTTP", "Http"), "(?s).*(?!HTTP)(?i:HTTP)/1.*"),
        /** A request for another protocol is none for this server. */
        OTHER_SCHEME(
                request("X: a").replace("/mcp", "h2://localhost/mcp"),
                "(?s).* (?!http://)[A-Za-z0-9.+-]+://.*"),
        /** RFC 3986, 3.3 and 3.4: others encode or cut a character that is not allowed in a URL. */
        CHARACTERS_OF_THE_TARGET(
                request("X: a").replace("/mcp", "/mcp?\u00e4"),
                "(?s).*[/?][^ \r\n]*[^!$%&'()*+,./0-9:;=?@A-Z_a-z~ \r\n-].*"),
        /** No name has these, and others split the header there. */
        CHARACTERS_OF_THE_HOST(
                request("X: a").replace("localhost", "local!host"),
                "(?s).*(?i:\nHost):[ \t]*[^\r\n]*[^A-Za-z0-9._:\\[\\]\r\n-].*"),
        /** RFC 9112, 7.1.2: the body is cut; Jetty takes it where the connection ends so. */
        TRAILERS_WITHOUT_END(
                request("Transfer-Encoding: chunked") + "0\r\nTrailer: a\r\n", "(?s).*\n0+\r\n.*"),
        /** RFC 9110, 10.1.1 lets a server answer an unknown expectation with 417. */
        EXPECTATIONS(request("Expect: 100-continue\r\nExpect: 100-continue"), "(?is).*Expect.*"),
        /** Jetty skips the body of a request that it refuses; here the connection ends. */
        AFTER_A_REFUSAL(
                request("X: a").replace("/mcp", "http://other/mcp") + request("X: a"), "(?s).*") {
            @Override
            boolean isFound(String text, Verdict jetty) {
                return jetty.statuses.stream()
                        .limit(jetty.statuses.size() - 1L)
                        .anyMatch(s -> s != 200);
            }
        };

        private final String example;
        private final Pattern found;

        Stricter(String example, String found) {
            this.example = example;
            this.found = Pattern.compile(found);
        }

        boolean isFound(String text, Verdict jetty) {
            return found.matcher(text).matches();
        }
    }

    private static String request(String field) {
        return "GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + field + "\r\n\r\n";
    }

    @BeforeAll
    static void listen() throws IOException {
        EngineSettings settings =
                new EngineSettings("127.0.0.1", 0, Duration.ofMinutes(2), null, 100, Http2.OFF, 0);
        List<Route> routes = List.of(new Route("/mcp", EngineDifferencesTest::describe));
        jetty = Engines.engine("jetty").listen(settings, routes);
        loop = Engines.engine("loop").listen(settings, routes);
    }

    @AfterAll
    static void close() {
        jetty.close();
        loop.close();
    }

    /** Answers with the request as the engine has understood it. */
    private static void describe(HttpExchange exchange) {
        String seen;
        try {
            seen =
                    String.join(
                            "|",
                            exchange.method(),
                            exchange.path(),
                            exchange.query().orElse("-"),
                            exchange.headers("Host").toString().toLowerCase(Locale.ROOT),
                            exchange.headers("X").toString(),
                            exchange.headers("Content-Type").toString(),
                            Arrays.toString(exchange.body().readAllBytes()));
        } catch (IOException e) {
            exchange.respond(new ResponseHead(400, Map.of("Connection", "close")), new byte[0]);
            return;
        }
        exchange.respond(new ResponseHead(200, Map.of()), seen.getBytes(StandardCharsets.UTF_8));
    }

    /** The requests that an engine has taken, and the statuses of all its answers. */
    private record Verdict(List<String> taken, List<Integer> statuses) {

        boolean endsWithRefusal() {
            return !statuses.isEmpty() && statuses.getLast() != 200;
        }

        /** The requests that are among the first so many that were answered. */
        List<String> takenAmong(int answers) {
            long count = statuses.stream().limit(answers).filter(each -> each == 200).count();
            return taken.subList(0, (int) count);
        }
    }

    private static Verdict verdict(Listening engine, byte[] request, int cut) throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), engine.port())) {
            socket.setSoTimeout(60_000);
            socket.setTcpNoDelay(true);
            try {
                socket.getOutputStream().write(request, 0, cut);
                socket.getOutputStream().write(request, cut, request.length - cut);
                socket.shutdownOutput();
            } catch (SocketException e) {
                // refused after the first part; the answer counts
            }
            return read(socket);
        }
    }

    private static Verdict read(Socket socket) throws IOException {
        StringBuilder all = new StringBuilder();
        byte[] part = new byte[8192];
        try {
            for (int read; (read = socket.getInputStream().read(part)) >= 0; ) {
                all.append(new String(part, 0, read, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketException e) {
            // reset after the answer
        }
        return parse(all.toString());
    }

    private static final Pattern STATUS = Pattern.compile("HTTP/1.1 ([0-9]{3})");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: ([0-9]+)\r\n");

    private static Verdict parse(String answers) {
        List<String> taken = new ArrayList<>();
        List<Integer> statuses = new ArrayList<>();
        int at = 0;
        while (at < answers.length()) {
            int end = answers.indexOf("\r\n\r\n", at);
            String head = answers.substring(at, end + 4);
            Matcher status = STATUS.matcher(head);
            assertThat(status.lookingAt()).as(answers).isTrue();
            Matcher length = LENGTH.matcher(head);
            int size = length.find() ? Integer.parseInt(length.group(1)) : 0;
            int code = Integer.parseInt(status.group(1));
            if (code >= 200) {
                statuses.add(code);
            }
            if (code == 200) {
                taken.add(answers.substring(end + 4, end + 4 + size));
            }
            at = end + 4 + size;
        }
        return new Verdict(taken, statuses);
    }

    private static final List<String> SEEDS =
            List.of(
                    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX: one\r\nContent-Type: a/b\r\n"
                            + "Content-Length: 5\r\n\r\nhello",
                    "POST /mcp?a=b&c HTTP/1.1\r\nHost: localhost:80\r\nX: \r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n"
                            + "5\r\nhello\r\n3;a=b\r\n...\r\n0\r\nTrailer: x\r\n\r\n",
                    "GET /mcp HTTP/1.1\r\nHost: [::1]:1\r\nX: a\r\nX: b, c\r\n"
                            + "Connection: keep-alive\r\n\r\n",
                    "GET http://localhost/mcp HTTP/1.1\r\nHost: localhost\r\nX: \"a\tb\"\r\n\r\n",
                    "POST /mcp HTTP/1.0\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
                    "POST /mcp HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                            + "Content-Length: 2\r\n\r\n{}");

    private static final List<String> PIECES =
            List.of(
                    "\r",
                    "\n",
                    "\r\n",
                    " ",
                    "\t",
                    ":",
                    ";",
                    ",",
                    "/",
                    "?",
                    "%",
                    "%2f",
                    "#",
                    "..",
                    "\0",
                    "\u007f",
                    "\u00e4",
                    "0",
                    "1",
                    "-1",
                    "+",
                    "0x",
                    "a",
                    "\"",
                    "chunked",
                    "identity",
                    "Content-Length: 5\r\n",
                    "Content-Length: 0\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "Host: localhost\r\n",
                    "Host: b\r\n",
                    "Connection: close\r\n",
                    "Expect: 100-continue\r\n",
                    "X: d\r\n",
                    " folded\r\n",
                    "HTTP/1.0",
                    "HTTP/2.0",
                    "http://localhost",
                    "https://localhost",
                    "//",
                    "@",
                    "0\r\n\r\n",
                    "5\r\n");

    private static String mutated(Random random) {
        StringBuilder text = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(text.length());
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(5)) {
                case 0 -> text.insert(at, piece);
                case 1 -> text.replace(at, Math.min(text.length(), at + piece.length()), piece);
                case 2 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(3)));
                case 3 -> text.setCharAt(at, (char) random.nextInt(256));
                default -> text.insert(lineAfter(text, at), piece);
            }
        }
        if (random.nextInt(3) == 0) {
            text.append(SEEDS.get(random.nextInt(SEEDS.size())));
        }
        return text.toString();
    }

    private static int lineAfter(StringBuilder text, int at) {
        int end = text.indexOf("\n", at);
        return end < 0 ? 0 : end + 1;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void whatOursTakesJettyTakesToo() throws IOException {
        Random random = new Random(SEED);
        for (int sent = 1; sent <= REQUESTS; sent++) {
            String text = mutated(random);
            byte[] request = bytes(text);
            int cut = random.nextInt(request.length + 1);
            Verdict theirs = verdict(jetty, request, cut);
            Verdict ours = verdict(loop, request, cut);

            String what = "seed " + SEED + ", number " + sent + ": " + escaped(text);
            // Jetty ends the connection at a refused request whose body has not arrived yet.
            List<String> taken =
                    theirs.endsWithRefusal() ? ours.takenAmong(theirs.statuses.size()) : ours.taken;
            assertThat(taken).as(what).hasSizeLessThanOrEqualTo(theirs.taken.size());
            assertThat(taken).as(what).isEqualTo(theirs.taken.subList(0, taken.size()));
            if (taken.size() < theirs.taken.size()) {
                assertThat(Stricter.values()).as(what).anyMatch(each -> each.isFound(text, theirs));
            }
            assertThat(ours.statuses)
                    .as(what)
                    .allMatch(each -> each < 500 || each == 501 || each == 505);
        }
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            escaped.append(c < ' ' || c > '~' ? "\\x" + HexFormat.of().toHexDigits((byte) c) : c);
        }
        return escaped.toString();
    }

    @ParameterizedTest
    @EnumSource
    void whatJettyTakesIsRefused(Stricter reason) throws IOException {
        byte[] request = bytes(reason.example);
        Verdict theirs = verdict(jetty, request, 0);

        assertThat(reason.isFound(reason.example, theirs)).isTrue();
        assertThat(verdict(loop, request, 0).taken).hasSizeLessThan(theirs.taken.size());
    }
}
