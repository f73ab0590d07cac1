package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.SessionHost;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * One jar, made by copying the files of all others: of the files of one name the first or the last
 * stays. A port for plain HTTP, one for TLS and one for HTTP/2 are served nevertheless.
 */
@Tag(Engines.JETTY_ALONE)
@Timeout(120)
class MergedJarTest {
    /** The classes of the class path, as they are found in such a jar. */
    private static final class MergedJar extends URLClassLoader {
        private final boolean first;

        MergedJar(boolean first) {
            super(
                    Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                            .map(MergedJar::url)
                            .toArray(URL[]::new),
                    ClassLoader.getPlatformClassLoader());
            this.first = first;
        }

        private static URL url(String entry) {
            try {
                return Path.of(entry).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(e);
            }
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            List<URL> all = Collections.list(super.findResources(name));
            return Collections.enumeration(
                    all.isEmpty() ? all : List.of(first ? all.get(0) : all.get(all.size() - 1)));
        }
    }

    /** The program in the jar. */
    public static final class Program implements Function<Path, List<String>> {
        @Override
        public List<String> apply(Path folder) {
            HttpListener tls =
                    Http.port(0)
                            .host("localhost")
                            .tls(folder.resolve("certificate.pem"), folder.resolve("key.pem"));
            return Stream.of(
                            Http.port(0),
                            Http.port(0).engine("jetty"),
                            Http.port(0).http2WithoutTls(),
                            tls)
                    .map(Program::answer)
                    .toList();
        }

        private static String answer(HttpListener listener) {
            SessionHost none =
                    context -> {
                        throw new UnsupportedOperationException("no session is opened");
                    };
            SSLContext trustful;
            try {
                trustful = SSLContext.getInstance("TLS");
                trustful.init(null, new TrustManager[] {new TrustAll()}, null);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
            try (HttpServing serving = listener.serve(none);
                    HttpClient client = HttpClient.newBuilder().sslContext(trustful).build()) {
                URI nothing = serving.uri().resolve("/nothing");
                HttpResponse<Void> answer =
                        client.send(
                                HttpRequest.newBuilder(nothing).build(),
                                HttpResponse.BodyHandlers.discarding());
                return nothing.getScheme() + " " + answer.version() + " " + answer.statusCode();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Trusts every certificate and name. */
    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keepsBothEngines(boolean first, @TempDir Path folder) throws Exception {
        for (String file : List.of("certificate.pem", "key.pem")) {
            String name = "tls/" + (file.startsWith("key") ? "ec.pem" : "ec-certificate.pem");
            try (var in = MergedJarTest.class.getResourceAsStream(name)) {
                Files.copy(in, folder.resolve(file));
            }
        }
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (MergedJar jar = new MergedJar(first)) {
            Thread.currentThread().setContextClassLoader(jar);
            Object program =
                    jar.loadClass(Program.class.getName()).getDeclaredConstructor().newInstance();
            assertThat(program.getClass()).isNotSameAs(Program.class);
            @SuppressWarnings("unchecked")
            var served = ((Function<Path, List<String>>) program).apply(folder);
            assertThat(served)
                    .containsExactly(
                            "http HTTP_1_1 404",
                            "http HTTP_1_1 404",
                            "http HTTP_2 404",
                            "https HTTP_2 404");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
