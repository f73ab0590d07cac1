package dev.fairlead.http.jetty;

import org.eclipse.jetty.http.HttpFieldPreEncoder;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.http2.hpack.HpackFieldPreEncoder;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;

/**
 * Has Jetty find its encoder of header fields for HTTP/2. Two jars of Jetty have a service file of
 * this name, so that a jar into which both were copied may have lost the encoder; no answer over
 * HTTP/2 could be written then.
 */
final class FieldEncoders extends ClassLoader {
    private static final String FILE = "META-INF/services/" + HttpFieldPreEncoder.class.getName();

    private FieldEncoders() {
        super(FieldEncoders.class.getClassLoader());
    }

    /** Loads the class that looks for encoders, once and for all. */
    static void load() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new FieldEncoders());
        try {
            new PreEncodedHttpField("Server", "");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        return name.equals(FILE)
                ? Collections.enumeration(Collections.singleton(file()))
                : super.findResources(name);
    }

    private static URL file() throws MalformedURLException {
        byte[] content = HpackFieldPreEncoder.class.getName().getBytes(StandardCharsets.UTF_8);
        return URL.of(
                URI.create("memory:encoders"),
                new URLStreamHandler() {
                    @Override
                    protected URLConnection openConnection(URL url) {
                        return new URLConnection(url) {
                            @Override
                            public void connect() {}

                            @Override
                            public InputStream getInputStream() {
                                return new ByteArrayInputStream(content);
                            }
                        };
                    }
                });
    }
}
