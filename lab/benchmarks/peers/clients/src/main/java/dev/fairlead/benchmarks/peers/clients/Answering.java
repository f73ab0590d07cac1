package dev.fairlead.benchmarks.peers.clients;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.VirtualThreadPool;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The server of the comparison, in a process of its own: {@code /json/SIZE} has a length, {@code
 * /events/SIZE} is a stream of one event without one.
 */
final class Answering {
    private static final String PASSWORD = "password";

    private Answering() {}

    static Path newKeys() throws Exception {
        Path keys = Files.createTempFile("keys", ".p12");
        Files.delete(keys);
        Process made =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/keytool").toString(),
                                "-genkeypair",
                                "-alias",
                                "a",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                keys.toString())
                        .inheritIO()
                        .start();
        if (made.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        return keys;
    }

    static SSLContext trusting(Path keys) throws Exception {
        KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", store.getCertificate("a"));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** Starts the program in a process of its own. */
    static Process start(Redirect out, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
        command.add(BareClients.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(out)
                .redirectError(Redirect.INHERIT)
                .start();
    }

    static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        Server server = new Server(new VirtualThreadPool(-1));
        HttpConfiguration plain = new HttpConfiguration();
        HttpConfiguration secure = new HttpConfiguration();
        secure.addCustomizer(new SecureRequestCustomizer(false));
        SslContextFactory.Server keys = new SslContextFactory.Server();
        keys.setKeyStorePath(arguments[1]);
        keys.setKeyStorePassword(PASSWORD);
        ServerConnector[] connectors = {
            new ServerConnector(server, new HttpConnectionFactory(plain)),
            new ServerConnector(
                    server,
                    new SslConnectionFactory(keys, "http/1.1"),
                    new HttpConnectionFactory(secure))
        };
        for (ServerConnector connector : connectors) {
            connector.setHost("localhost");
            connector.setAcceptedTcpNoDelay(true);
            connector.setAcceptQueueSize(1024);
            server.addConnector(connector);
        }
        server.setHandler(new Echo());
        server.start();
        System.out.println(connectors[0].getLocalPort() + " " + connectors[1].getLocalPort());
        server.join();
    }

    private static final class Echo extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            try (InputStream body = Content.Source.asInputStream(request)) {
                body.readAllBytes();
            }
            String path = Request.getPathInContext(request);
            int size = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            byte[] text = new byte[size];
            Arrays.fill(text, (byte) 'a');
            if (path.startsWith("/json/")) {
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, size);
                response.write(true, ByteBuffer.wrap(text), callback);
            } else {
                byte[] event =
                        ("data: " + new String(text, StandardCharsets.US_ASCII) + "\n\n")
                                .getBytes(StandardCharsets.US_ASCII);
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
                response.write(
                        false,
                        ByteBuffer.wrap(event),
                        Callback.from(
                                () -> response.write(true, ByteBuffer.allocate(0), callback),
                                callback::failed));
            }
            return true;
        }
    }
}
