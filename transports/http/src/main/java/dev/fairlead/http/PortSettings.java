package dev.fairlead.http;

import dev.fairlead.http.internal.CertificateFiles;
import dev.fairlead.http.spi.EngineSettings.Http2;
import dev.fairlead.http.spi.EngineSettings.Tls;
import dev.fairlead.protocol.engine.ChangedLimits;
import dev.fairlead.protocol.options.CopyOnChange;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;

/** The options of a port beside those of its endpoint. */
final class PortSettings extends CopyOnChange<PortSettings> {
    static final int MAX_IO_THREADS = 256;

    String host = "127.0.0.1";
    @Nullable Tls keys;
    @Nullable CertificateFiles certificates;
    Duration certificateCheck = Duration.ofMinutes(1);
    int maxConnections = 20_000;
    Http2 http2 = Http2.WITH_TLS;
    @Nullable String engine;

    /** 0 leaves the number to the engine. */
    int ioThreads;

    /** The limits that differ from their defaults. */
    Map<String, String> changedLimits() {
        PortSettings defaults = new PortSettings();
        return new ChangedLimits()
                .add("certificateCheck", certificateCheck, defaults.certificateCheck)
                .add("maxConnections", maxConnections, defaults.maxConnections)
                .add("ioThreads", ioThreads, defaults.ioThreads)
                .toMap();
    }
}
