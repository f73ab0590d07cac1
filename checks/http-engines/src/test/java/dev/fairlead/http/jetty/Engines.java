package dev.fairlead.http.jetty;

import dev.fairlead.http.HttpListener;
import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.http.spi.TlsHttpEngine;

import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The engine under test. Surefire runs the tests of this module once for each: with the engine that
 * the system property {@code fairlead.test.engine} names, {@code jetty} without it.
 */
final class Engines {
    /** The tag of tests of features that only Jetty serves: TLS and HTTP/2. */
    static final String JETTY_ALONE = "jetty-alone";

    private static final String NAME = System.getProperty("fairlead.test.engine", "jetty");

    private Engines() {}

    static HttpListener named(HttpListener listener) {
        return listener.engine(NAME);
    }

    static HttpEngine tested() {
        return engine(NAME);
    }

    static HttpEngine engine(String name) {
        return Stream.concat(
                        ServiceLoader.load(HttpEngine.class).stream(),
                        ServiceLoader.load(TlsHttpEngine.class).stream())
                .<HttpEngine>map(ServiceLoader.Provider::get)
                .filter(engine -> engine.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
