package dev.fairlead.http.jetty;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jsonrpc.JsonRpcNotification;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** TLS from PEM files, as OpenSSL writes them. */
@Tag(Engines.JETTY_ALONE)
@Timeout(60)
class PemTlsTest extends HttpTest {
    private static final String PASSWORD = "for this test";
    private static final Logger WATCH =
            Logger.getLogger("dev.fairlead.http.internal.CertificateWatch");

    @TempDir private Path folder;

    private Path certificate() {
        return folder.resolve("certificate.pem");
    }

    private Path key() {
        return folder.resolve("key.pem");
    }

    /** Replaces a file at once, as careful tools do. */
    private static void put(Path place, byte[] bytes) throws IOException {
        Path beside = Files.write(place.resolveSibling(place.getFileName() + ".new"), bytes);
        Files.move(beside, place, StandardCopyOption.ATOMIC_MOVE);
    }

    private static byte[] resource(String name) throws IOException {
        try (var in = PemTlsTest.class.getResourceAsStream("tls/" + name + ".pem")) {
            return in.readAllBytes();
        }
    }

    private void use(String certificate, String key) throws IOException {
        put(certificate(), resource(certificate));
        put(key(), resource(key));
    }

    private HttpServing serve(HttpListener listener) throws IOException {
        return closedLater(listener.shutdownGrace(Duration.ofMillis(100)).serve(host));
    }

    private HttpListener listener() {
        return Http.port(0).tls(certificate(), key()).certificateCheck(Duration.ofMillis(20));
    }

    /** Trusts every certificate, since {@link #presented} is about something else. */
    private static SSLContext trustingAll() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
        return context;
    }

    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** The algorithm of the key that the server presents to a new connection. */
    private static String presented(HttpServing serving, SSLContext context, String... protocols)
            throws IOException {
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", serving.port())) {
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            socket.startHandshake();
            socket.getOutputStream().write("OPTIONS /mcp HTTP/1.1\r\nHost: x\r\n\r\n".getBytes());
            assertThat(socket.getInputStream().read()).isEqualTo('H'); // with tickets to resume by
            return socket.getSession().getPeerCertificates()[0].getPublicKey().getAlgorithm();
        }
    }

    private static HttpResponse<Stream<String>> send(
            HttpClient client, HttpServing serving, HttpRequest.Builder request) throws Exception {
        return client.send(request.uri(serving.uri()).build(), BodyHandlers.ofLines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ec", "rsa", "ed25519"})
    void aKeyMayBeOfAnyOfTheUsualAlgorithms(String name) throws Exception {
        use(name + "-certificate", name);

        String algorithm = presented(serve(listener()), trustingAll());

        assertThat(algorithm.toLowerCase(Locale.ROOT)).isEqualTo(name.replace("25519", "dsa"));
    }

    @ParameterizedTest
    @CsvSource({
        "ec, ec-sec1, EC, '-nocrypt '",
        "rsa, rsa-pkcs1, RSA, '-nocrypt '",
        "rsa, rsa-old-encryption, RSA, ''",
    })
    void aKeyInAnOlderFormatIsRefusedWithTheCommandThatConvertsIt(
            String certificate, String key, String algorithm, String option) throws IOException {
        use(certificate + "-certificate", key);

        assertThatThrownBy(() -> serve(listener()))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        key()
                                + " has its private key in an older format ("
                                + algorithm
                                + " PRIVATE KEY); only PKCS#8 is read. Convert it: openssl pkcs8"
                                + " -topk8 "
                                + option
                                + "-in "
                                + key()
                                + " -out new.pem");
    }

    @Test
    void aKeyMayBeEncrypted() throws Exception {
        use("ec-certificate", "ec-encrypted");

        HttpServing serving = serve(Http.port(0).tls(certificate(), key(), PASSWORD));

        assertThat(presented(serving, trustingAll())).isEqualTo("EC");
    }

    @Test
    void oneFileMayHoldBoth() throws Exception {
        Path both = folder.resolve("both.pem");
        Files.writeString(
                both,
                "Some words\n"
                        + new String(resource("ec"))
                        + new String(resource("ec-certificate")));

        assertThat(presented(serve(Http.port(0).tls(both, both)), trustingAll())).isEqualTo("EC");
    }

    @Test
    void oldProtocolsAreNotSpoken() throws Exception {
        use("ec-certificate", "ec");
        HttpServing serving = serve(listener());

        assertThat(presented(serving, trustingAll(), "TLSv1.2")).isEqualTo("EC");
        assertThatThrownBy(() -> presented(serving, trustingAll(), "TLSv1.1"))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void newConnectionsGetTheNewCertificateAndOpenStreamsContinue() throws Exception {
        use("ec-certificate", "ec");
        HttpServing serving = serve(listener());
        SSLContext known = trustingAll();
        assertThat(presented(serving, known)).isEqualTo("EC");
        HttpClient client = HttpClient.newBuilder().sslContext(trustingAll()).build();
        closedLater(client::shutdownNow);
        HttpResponse<Stream<String>> opened =
                send(
                        client,
                        serving,
                        HttpRequest.newBuilder()
                                .header("Content-Type", Wire.JSON)
                                .header("Accept", Wire.BOTH)
                                .POST(BodyPublishers.ofString(initialize("2025-11-25"))));
        Iterator<String> events =
                send(
                                client,
                                serving,
                                HttpRequest.newBuilder()
                                        .header("Accept", "text/event-stream")
                                        .header(
                                                SESSION,
                                                opened.headers().firstValue(SESSION).get()))
                        .body()
                        .iterator();

        use("rsa-certificate", "rsa");
        await().until(() -> "RSA".equals(unchecked(() -> presented(serving, known))));
        host.session().context.send(new JsonRpcNotification("notifications/after", null));

        assertThat(line(events, "data: {")).contains("notifications/after");
    }

    private static String line(Iterator<String> lines, String start) {
        String line = lines.next();
        while (!line.startsWith(start)) {
            line = lines.next();
        }
        return line;
    }

    private static String unchecked(Callable<String> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the log of the watch until the work was done and this text came. */
    private List<String> logged(String awaited, Work work) throws Exception {
        List<String> log = new CopyOnWriteArrayList<>();
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord entry) {
                        log.add(new SimpleFormatter().format(entry));
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        WATCH.addHandler(handler);
        try {
            work.run();
            await().until(() -> log.stream().anyMatch(entry -> entry.contains(awaited)));
            return log;
        } finally {
            WATCH.removeHandler(handler);
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    @ParameterizedTest
    @CsvSource({
        "half, is not complete",
        "other, is not that of the first certificate",
        "nothing, has no certificate",
    })
    void whatCannotBeUsedIsLoggedAndTheOldCertificateStays(String what, String reason)
            throws Exception {
        use("ec-certificate", "ec-encrypted");
        HttpServing serving =
                serve(
                        Http.port(0)
                                .tls(certificate(), key(), PASSWORD)
                                .certificateCheck(Duration.ofMillis(20)));
        byte[] next = resource("rsa-certificate");
        byte[] wrong =
                switch (what) {
                    case "half" -> Arrays.copyOf(next, next.length / 2);
                    case "other" -> next;
                    default -> new byte[0];
                };

        List<String> log = logged(reason, () -> put(certificate(), wrong));

        assertThat(presented(serving, trustingAll())).isEqualTo("EC");
        assertThat(log.toString()).contains(certificate().toString()).doesNotContain(PASSWORD);
        put(key(), resource("rsa"));
        put(certificate(), next);
        await().until(() -> "RSA".equals(unchecked(() -> presented(serving, trustingAll()))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ec-certificate | rsa | the private key in KEY is not that of the first"
                        + " certificate",
                "rsa | rsa | CERTIFICATE has no certificate: expected -----BEGIN CERTIFICATE-----",
                "rsa-certificate | rsa-certificate | KEY has no private key: expected PKCS#8",
                "ec-certificate | ec-encrypted | KEY has an encrypted private key, and no password",
            })
    void filesThatCannotBeUsedAreNamed(String certificate, String key, String message)
            throws IOException {
        use(certificate, key);

        assertThatThrownBy(() -> serve(listener()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        message.replace("CERTIFICATE has", certificate() + " has")
                                .replace("KEY", key().toString()));
    }

    @Test
    void aWrongPasswordIsNotRepeated() throws IOException {
        use("ec-certificate", "ec-encrypted");

        assertThatThrownBy(() -> serve(Http.port(0).tls(certificate(), key(), "top-secret")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(key() + " has a private key that cannot be decrypted")
                .hasMessageNotContaining("top-secret");
    }

    @Test
    void aFileThatIsMissingIsNamed() {
        assertThatThrownBy(() -> serve(listener()))
                .isInstanceOf(IOException.class)
                .hasMessage("there is no file " + certificate());
    }

    @Test
    void aFolderInThePlaceOfAFileIsNamed() throws IOException {
        Files.createDirectory(certificate());

        assertThatThrownBy(() -> serve(listener()))
                .isInstanceOf(IOException.class)
                .hasMessage(certificate() + " cannot be read: Is a directory");
    }

    @Test
    void aCertificateThatIsBrokenIsNamed() throws IOException {
        use("ec-certificate", "ec");
        put(certificate(), "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----".getBytes());

        assertThatThrownBy(() -> serve(listener()))
                .isInstanceOf(IOException.class)
                .hasMessage(certificate() + " is broken: its CERTIFICATE is no base64");
    }

    @Test
    void certificatesThatDoNotFollowEachOtherAreRefused() throws IOException {
        use("ec-certificate", "ec");
        String own = new String(resource("ec-certificate"));
        put(certificate(), (own + own + new String(resource("other-certificate"))).getBytes());

        assertThatThrownBy(() -> serve(listener()))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(certificate() + " has certificates that are no chain")
                .hasMessageContaining("number 3 has not issued the one before");
    }
}
