package dev.fairlead.http.jetty;

import static dev.fairlead.http.jetty.ScriptedHost.notification;
import static dev.fairlead.http.jetty.ScriptedHost.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jsonrpc.JsonRpcNotification;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** HTTP/2 with TLS, as the client of the JDK speaks it: all over one connection. */
@Tag(Engines.JETTY_ALONE)
@Timeout(120)
class Http2Test extends HttpTest {
    @TempDir private Path folder;
    private HttpClient client;

    @BeforeEach
    void trust() throws Exception {
        for (String name : List.of("ec-certificate", "ec")) {
            try (var in = Http2Test.class.getResourceAsStream("tls/" + name + ".pem")) {
                Files.copy(in, folder.resolve(name + ".pem"));
            }
        }
        client = client(trusting());
    }

    private HttpClient client(SSLContext trusting) {
        HttpClient made =
                HttpClient.newBuilder().version(Version.HTTP_2).sslContext(trusting).build();
        closedLater(made::shutdownNow);
        return made;
    }

    private SSLContext trusting() throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        try (var in = Files.newInputStream(folder.resolve("ec-certificate.pem"))) {
            keys.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    private HttpListener listener() {
        return Http.port(0)
                .host("localhost")
                .shutdownGrace(Duration.ofMillis(100))
                .clientTimeout(Duration.ofMinutes(2))
                .tls(folder.resolve("ec-certificate.pem"), folder.resolve("ec.pem"));
    }

    private HttpServing serve(HttpListener listener) throws IOException {
        return closedLater(listener.serve(host));
    }

    private static HttpRequest posting(HttpServing serving, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(serving.uri())
                        .header("Content-Type", Wire.JSON)
                        .header("Accept", Wire.BOTH)
                        .POST(BodyPublishers.ofString(body));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    private HttpResponse<String> send(HttpRequest request) throws Exception {
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        assertThat(answer.version()).isEqualTo(Version.HTTP_2);
        return answer;
    }

    private String opened(HttpServing serving) throws Exception {
        HttpResponse<String> answer = send(posting(serving, initialize("2025-11-25")));
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.headers().firstValue(SESSION).orElseThrow();
    }

    private HttpResponse<Stream<String>> listen(HttpServing serving, String id) throws Exception {
        return client.send(
                HttpRequest.newBuilder(serving.uri())
                        .header("Accept", "text/event-stream")
                        .header(SESSION, id)
                        .build(),
                BodyHandlers.ofLines());
    }

    private static String data(Iterator<String> lines) {
        String line = lines.next();
        while (!line.startsWith("data: {")) {
            line = lines.next();
        }
        return line;
    }

    @Test
    void callsAndStreamsShareAConnection() throws Exception {
        HttpServing serving = serve(listener());
        String id = opened(serving);
        HttpResponse<Stream<String>> stream = listen(serving, id);
        assertThat(stream.version()).isEqualTo(Version.HTTP_2);

        assertThat(send(posting(serving, request(1, "ping"), SESSION, id)).body())
                .contains("result");
        host.session().context.send(new JsonRpcNotification("notifications/one", null));

        assertThat(data(stream.body().iterator())).contains("notifications/one");
        assertThat(send(posting(serving, NOTIFICATION, SESSION, id)).statusCode()).isEqualTo(202);
    }

    @Test
    void manyCallsAreUnderWayOnOneConnection() throws Exception {
        int calls = 100;
        CountDownLatch all = new CountDownLatch(calls);
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    all.countDown();
                    all.await();
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving = serve(listener().maxConnections(1));
        String id = opened(serving);

        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 1; i <= calls; i++) {
            HttpRequest request = posting(serving, request(i, "tools/call"), SESSION, id);
            answers.add(client.sendAsync(request, BodyHandlers.ofString()));
        }

        for (int i = 1; i <= calls; i++) {
            assertThat(answers.get(i - 1).get().body()).contains("\"id\":" + i + ",");
        }
    }

    @Test
    void theHostThatIsNamedIsChecked() throws Exception {
        HttpServing serving = serve(listener().allowHosts("weather.example"));

        assertThat(send(posting(serving, initialize("2025-11-25"))).statusCode()).isEqualTo(200);
        HttpServing strict = serve(listener().host("0.0.0.0").allowHosts("weather.example"));
        var request =
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + strict.port() + "/mcp"))
                        .header("Origin", "https://evil.example")
                        .build();
        assertThat(send(request).statusCode()).isEqualTo(403);
    }

    @Test
    void aReaderThatStallsHoldsUpNoOtherStream() throws Exception {
        String mebibyte = "{\"data\":\"" + "x".repeat(1 << 20) + "\"}";
        host.on(
                "tools/call",
                (request, exchange, session) -> {
                    for (int i = 0; i < 20; i++) {
                        exchange.send(notification("notifications/message", mebibyte));
                    }
                    exchange.send(result(request, "{}"));
                });
        HttpServing serving =
                serve(listener().maxConnections(1).withoutEventStore().streamBuffer(64 << 20));
        String id = opened(serving);
        var stalled =
                client.send(
                        posting(serving, request(1, "tools/call"), SESSION, id),
                        BodyHandlers.ofInputStream());

        for (int i = 2; i < 50; i++) {
            assertThat(send(posting(serving, request(i, "ping"), SESSION, id)).statusCode())
                    .isEqualTo(200);
        }
        assertThat(stalled.body().readAllBytes().length).isGreaterThan(1 << 20);
    }

    @Test
    void http11IsServedIfHttp2IsDisabled() throws Exception {
        HttpServing serving = serve(listener().withoutHttp2());

        var answer =
                client.send(posting(serving, initialize("2025-11-25")), BodyHandlers.ofString());

        assertThat(answer.version()).isEqualTo(Version.HTTP_1_1);
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void withoutTlsItIsSpokenWhereItIsAskedFor() throws Exception {
        HttpListener plain = Http.port(0).shutdownGrace(Duration.ofMillis(100));
        HttpServing off = serve(plain);
        HttpServing on = serve(plain.http2WithoutTls());

        HttpRequest upgrade =
                HttpRequest.newBuilder(on.uri()).method("OPTIONS", BodyPublishers.noBody()).build();
        HttpRequest ignored =
                HttpRequest.newBuilder(off.uri())
                        .method("OPTIONS", BodyPublishers.noBody())
                        .build();

        assertThat(client.send(upgrade, BodyHandlers.ofString()).version())
                .isEqualTo(Version.HTTP_2);
        assertThat(client.send(ignored, BodyHandlers.ofString()).version())
                .isEqualTo(Version.HTTP_1_1);
        assertThat(send(posting(on, initialize("2025-11-25"))).statusCode()).isEqualTo(200);
    }
}
