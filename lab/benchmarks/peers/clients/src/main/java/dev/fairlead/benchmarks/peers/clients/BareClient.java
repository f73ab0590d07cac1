package dev.fairlead.benchmarks.peers.clients;

import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

/** One client of the comparison; used by many threads. */
interface BareClient extends AutoCloseable {
    /** Reads a body while it comes. */
    interface Reader {
        void read(InputStream body) throws IOException;
    }

    void post(String url, byte[] body, Reader reader) throws Exception;

    List<String> NAMES = List.of("java.net.http", "Apache classic", "Jetty", "sockets");

    static BareClient named(String name, SSLContext tls) throws Exception {
        return switch (name) {
            case "java.net.http" -> new OfTheJdk(tls);
            case "Apache classic" -> new Apache(tls);
            case "Jetty" -> new Jetty(tls);
            default -> new BlockingSockets(tls, Map.of());
        };
    }

    @Override
    void close() throws Exception;

    /** The client of the JDK, its tasks on virtual threads. */
    final class OfTheJdk implements BareClient {
        private final HttpClient client;

        OfTheJdk(SSLContext tls) {
            client =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .executor(Executors.newVirtualThreadPerTaskExecutor())
                            .sslContext(tls)
                            .build();
        }

        @Override
        public void post(String url, byte[] body, Reader reader) throws Exception {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                            .build();
            try (InputStream in = client.send(request, BodyHandlers.ofInputStream()).body()) {
                reader.read(in);
            }
        }

        @Override
        public void close() {
            client.shutdownNow();
        }
    }

    /** Apache HttpClient 5 on the thread of the caller. */
    final class Apache implements BareClient {
        private final CloseableHttpClient client;

        Apache(SSLContext tls) {
            client =
                    HttpClientBuilder.create()
                            .setConnectionManager(
                                    PoolingHttpClientConnectionManagerBuilder.create()
                                            .setMaxConnTotal(1_000)
                                            .setMaxConnPerRoute(1_000)
                                            .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
                                            .build())
                            .disableAuthCaching()
                            .disableAutomaticRetries()
                            .disableContentCompression()
                            .disableCookieManagement()
                            .disableRedirectHandling()
                            .build();
        }

        @Override
        public void post(String url, byte[] body, Reader reader) throws Exception {
            HttpPost post = new HttpPost(url);
            post.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
            client.execute(
                    post,
                    response -> {
                        reader.read(response.getEntity().getContent());
                        return null;
                    });
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    /** The client of Jetty, whose bodies are read by the thread of the caller. */
    final class Jetty implements BareClient {
        private final org.eclipse.jetty.client.HttpClient client;

        Jetty(SSLContext tls) throws Exception {
            ClientConnector connector = new ClientConnector();
            SslContextFactory.Client secure = new SslContextFactory.Client();
            secure.setSslContext(tls);
            connector.setSslContextFactory(secure);
            connector.setExecutor(new VirtualThreadPool(-1));
            connector.setSelectors(1);
            client =
                    new org.eclipse.jetty.client.HttpClient(
                            new HttpClientTransportOverHTTP(connector));
            client.setMaxConnectionsPerDestination(1_000);
            client.setFollowRedirects(false);
            client.start();
        }

        @Override
        public void post(String url, byte[] body, Reader reader) throws Exception {
            InputStreamResponseListener listener = new InputStreamResponseListener();
            client.POST(url).body(new BytesRequestContent("application/json", body)).send(listener);
            listener.get(10, TimeUnit.SECONDS);
            try (InputStream in = listener.getInputStream()) {
                reader.read(in);
            }
        }

        @Override
        public void close() throws Exception {
            client.stop();
        }
    }
}
