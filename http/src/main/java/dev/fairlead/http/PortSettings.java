package dev.fairlead.http;

import dev.fairlead.http.internal.CertificateFiles;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.EngineSettings.Tls;
import dev.fairlead.protocol.engine.ChangedLimits;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The options of a port beside those of its endpoint; changed only on a copy that is not shared
 * yet.
 */
final class PortSettings implements Cloneable {
    String host = "127.0.0.1";
    @Nullable Tls keys;
    @Nullable CertificateFiles certificates;
    Duration certificateCheck = Duration.ofMinutes(1);
    int maxConnections = 20_000;
    Http2 http2 = Http2.WITH_TLS;
    @Nullable String engine;

    /** 0 leaves the number to the engine. */
    int ioThreads;

    PortSettings with(Consumer<PortSettings> change) {
        try {
            PortSettings copy = (PortSettings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** The limits that differ from their defaults. */
    Map<String, String> changedLimits() {
        return ChangedLimits.of(MethodHandles.lookup(), this, new PortSettings());
    }
}
