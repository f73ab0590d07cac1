package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.SessionHost;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Which engine serves a port. */
@Timeout(60)
class EngineChoiceTest extends HttpTest {
    private static final Pattern ENGINE =
            Pattern.compile("dev\\.fairlead\\.http\\.(loop|jetty)\\.(?!EngineChoiceTest).*");

    private static final String LOOPS = "fairlead.loops";

    @TempDir private Path folder;

    private HttpListener withTls(HttpListener listener) throws IOException {
        for (String name : List.of("ec-certificate.pem", "ec.pem")) {
            try (var in = EngineChoiceTest.class.getResourceAsStream("tls/" + name)) {
                Files.copy(in, folder.resolve(name));
            }
        }
        return listener.tls(folder.resolve("ec-certificate.pem"), folder.resolve("ec.pem"));
    }

    /** The engine whose code handles a request. */
    private String engineOf(HttpListener listener) throws Exception {
        AtomicReference<String> engine = new AtomicReference<>();
        SessionHost looking =
                context -> {
                    engine.set(StackWalker.getInstance().walk(EngineChoiceTest::engine));
                    return host.open(context);
                };
        var serving = closedLater(listener.serve(looking));
        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
        return engine.get();
    }

    private static String engine(Stream<StackWalker.StackFrame> frames) {
        return frames.map(StackWalker.StackFrame::getClassName)
                .map(ENGINE::matcher)
                .filter(Matcher::matches)
                .map(name -> name.group(1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPlainPortIsServedByLoops() throws Exception {
        assertThat(engineOf(Http.port(0))).isEqualTo("loop");
        assertThat(engineOf(Http.port(0).engine("loop"))).isEqualTo("loop");
        assertThat(engineOf(Http.port(0).engine("jetty"))).isEqualTo("jetty");
    }

    @Test
    void http2WithoutTlsIsServedByJetty() throws Exception {
        assertThat(engineOf(Http.port(0).http2WithoutTls())).isEqualTo("jetty");
    }

    /** Loops refuse it, see below. */
    @Test
    void tlsIsServed() throws Exception {
        var serving = closedLater(withTls(Http.port(0)).serve(host));

        assertThat(serving.uri().getScheme()).isEqualTo("https");
    }

    @Test
    void anEngineThatCannotServeThePortIsNamed() throws Exception {
        String message =
                "TLS and HTTP/2 are not served by the HTTP engine loop:"
                        + " add fairlead-http-jetty, or leave HttpListener.engine out; a jar that"
                        + " others were merged into needs their files"
                        + " META-INF/services/dev.fairlead.http.spi.HttpEngine and"
                        + " META-INF/services/dev.fairlead.http.spi.TlsHttpEngine"
                        + " (Maven: ServicesResourceTransformer)";
        HttpListener tls = withTls(Http.port(0).engine("loop"));

        assertThatThrownBy(() -> tls.serve(host))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> Http.port(0).engine("loop").http2WithoutTls().serve(host))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(message);
    }

    @Test
    void anEngineIsChosenByItsName() throws Exception {
        var serving = closedLater(Http.port(0).engine("jetty").serve(host));

        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }

    @Test
    void anUnknownEngineIsNamed() {
        assertThatThrownBy(() -> Http.port(0).engine("other").serve(host))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("there is no HTTP engine 'other': add its module; a jar");
    }

    @ParameterizedTest
    @CsvSource({"loop, 1", "loop, 256", "jetty, 1", "jetty, 256"})
    void anEngineHasOneTo256ThreadsForTheBytesOfClients(String engine, int threads)
            throws Exception {
        var serving = serve(listener -> listener.engine(engine).ioThreads(threads));

        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }

    /** The threads of JDK 21 to 23, where 256 virtual ones at selectors leave none for requests. */
    @Test
    void selectorsOfJettyCanBePlatformThreads() throws Exception {
        AtomicReference<Thread> handling = new AtomicReference<>();
        SessionHost looking =
                context -> {
                    handling.set(Thread.currentThread());
                    return host.open(context);
                };
        HttpServing serving;
        System.setProperty(LOOPS, "platform");
        try {
            serving = closedLater(Http.port(0).engine("jetty").ioThreads(256).serve(looking));
        } finally {
            System.clearProperty(LOOPS);
        }

        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
        assertThat(handling.get().isVirtual()).isTrue();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("mcp-http-selector"))
                .hasSizeGreaterThanOrEqualTo(256);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 257, Integer.MAX_VALUE})
    void anotherNumberOfThreadsIsRefused(int threads) {
        assertThatThrownBy(() -> Http.port(0).ioThreads(threads))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ioThreads must be 1 to 256 but was " + threads);
    }
}
