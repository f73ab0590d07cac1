package dev.fairlead.http;

import dev.fairlead.http.spi.HttpEngine;
import dev.fairlead.http.spi.TlsHttpEngine;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The HTTP engines that are there. */
final class HttpEngines {
    /** The cause that a missing engine has in a jar into which others were merged. */
    static final String IN_ONE_JAR =
            "; a jar that others were merged into needs their files META-INF/services/"
                    + HttpEngine.class.getName()
                    + " and META-INF/services/"
                    + TlsHttpEngine.class.getName()
                    + " (Maven: ServicesResourceTransformer)";

    private HttpEngines() {}

    static List<HttpEngine> all() {
        return Stream.concat(
                        loaded(ServiceLoader.load(HttpEngine.class, loader())),
                        loaded(ServiceLoader.load(TlsHttpEngine.class, loader())))
                .toList();
    }

    private static Stream<HttpEngine> loaded(ServiceLoader<? extends HttpEngine> engines) {
        return engines.stream().map(ServiceLoader.Provider::get);
    }

    private static ClassLoader loader() {
        return HttpEngines.class.getClassLoader();
    }
}
