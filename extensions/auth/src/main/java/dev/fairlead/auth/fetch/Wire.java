package dev.fairlead.auth.fetch;

import dev.fairlead.http.client.HttpProxy;

import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sends a request to a target that was checked, over a connection of its own, and takes the answer
 * within the limits. It adds nothing of itself: no cookies, credentials, redirects, repetitions and
 * compression. A proxy is asked for a connection ({@code CONNECT}), with its own credentials, and
 * sees nothing of the request: fetches from other machines use TLS.
 */
final class Wire {
    /** Headers of an answer. */
    static final int MAX_HEADERS = 64;

    /** The longest of them, in bytes. */
    static final int MAX_HEADER_LINE = 8 * 1024;

    private static final Http1Config HEADS =
            Http1Config.custom()
                    .setMaxHeaderCount(MAX_HEADERS)
                    .setMaxLineLength(MAX_HEADER_LINE)
                    .build();

    private final FetchLimits limits;
    private final TlsSocketStrategy tls = DefaultClientTlsStrategy.createDefault();

    Wire(FetchLimits limits) {
        this.limits = limits;
    }

    Fetched send(FetchTarget target, ClassicHttpRequest request, Sockets sockets)
            throws IOException {
        try (CloseableHttpClient client = client(target, sockets)) {
            return client.execute(request, response -> take(client, response));
        } catch (ConnectException e) {
            if (target.proxy() == null) {
                throw e;
            }
            throw new IOException(
                    "the proxy " + target.proxy() + " does not answer: " + e.getMessage(), e);
        }
    }

    private CloseableHttpClient client(FetchTarget target, Sockets sockets) {
        DnsResolver addresses = new Checked(target.addresses());
        HttpProxy proxy = target.proxy();
        Timeout connect = Timeout.of(limits.connectTimeout());
        Timeout total = Timeout.of(limits.totalTimeout());
        var connections =
                new BasicHttpClientConnectionManager(
                        new DefaultHttpClientConnectionOperator(
                                sockets,
                                DefaultSchemePortResolver.INSTANCE,
                                addresses,
                                RegistryBuilder.<TlsSocketStrategy>create()
                                        .register(URIScheme.HTTPS.id, tls)
                                        .build()),
                        ManagedHttpClientConnectionFactory.builder().http1Config(HEADS).build());
        connections.setConnectionConfig(
                ConnectionConfig.custom()
                        .setConnectTimeout(connect)
                        .setSocketTimeout(total)
                        .build());
        HttpClientBuilder client = HttpClientBuilder.create();
        if (proxy != null) {
            client.setProxy(new HttpHost(URIScheme.HTTP.id, proxy.host(), proxy.port()))
                    .setRequestExecutor(new Tunnelling(proxy));
        }
        return client.setConnectionManager(connections)
                .setDefaultRequestConfig(
                        RequestConfig.custom()
                                .setAuthenticationEnabled(false)
                                .setProtocolUpgradeEnabled(false)
                                .setResponseTimeout(total)
                                .build())
                .setUserAgent("Fairlead")
                .disableAuthCaching()
                .disableAutomaticRetries()
                .disableContentCompression()
                .disableCookieManagement()
                .disableRedirectHandling()
                .build();
    }

    private Fetched take(CloseableHttpClient client, ClassicHttpResponse response)
            throws IOException {
        try {
            return take(response);
        } catch (RefusedException e) {
            client.close(CloseMode.IMMEDIATE); // else it would read the answer to its end
            throw e;
        }
    }

    private Fetched take(ClassicHttpResponse response) throws IOException {
        Map<String, List<String>> headers = new TreeMap<>();
        for (Header header : response.getHeaders()) {
            headers.computeIfAbsent(
                            header.getName().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(header.getValue());
        }
        if (headers.containsKey("content-encoding")) { // it was not asked for
            throw new RefusedException(
                    "an answer with the content encoding "
                            + PlainText.of(String.join(", ", headers.get("content-encoding")))
                            + " is not taken: none was asked for");
        }
        return new Fetched(response.getCode(), headers, body(response));
    }

    private byte[] body(ClassicHttpResponse response) throws IOException {
        if (response.getEntity() == null) {
            return new byte[0];
        }
        if (response.getEntity().getContentLength() > limits.maxSize()) {
            throw tooLarge();
        }
        InputStream body = response.getEntity().getContent(); // closing it would read the rest
        byte[] bytes = body.readNBytes(limits.maxSize() + 1);
        if (bytes.length > limits.maxSize()) {
            throw tooLarge();
        }
        return bytes;
    }

    private RefusedException tooLarge() {
        return new RefusedException(
                "an answer of more than " + limits.maxSize() + " bytes is not taken");
    }

    /**
     * Gives the proxy its credentials, and takes nothing else from it than a connection: any other
     * answer would pass for one of the target, though no certificate stands for it.
     */
    private static final class Tunnelling extends HttpRequestExecutor {
        private final HttpProxy proxy;

        Tunnelling(HttpProxy proxy) {
            this.proxy = proxy;
        }

        @Override
        public ClassicHttpResponse execute(
                ClassicHttpRequest request,
                HttpClientConnection connection,
                HttpResponseInformationCallback informed,
                HttpContext context)
                throws IOException, HttpException {
            if (!Method.CONNECT.isSame(request.getMethod())) {
                return super.execute(request, connection, informed, context);
            }
            if (proxy.authorization() != null) {
                request.setHeader(HttpHeaders.PROXY_AUTHORIZATION, proxy.authorization());
            }
            ClassicHttpResponse answer = super.execute(request, connection, informed, context);
            if (answer.getCode() / 100 != 2) {
                connection.close(CloseMode.IMMEDIATE);
                throw new IOException(
                        "the proxy " + proxy + " gives no connection: status " + answer.getCode());
            }
            return answer;
        }
    }

    /** Knows the addresses that were checked, and no others. */
    private record Checked(List<InetAddress> addresses) implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) {
            return addresses.toArray(InetAddress[]::new);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
