package dev.fairlead.stdio;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/** Where the streams of a serving come from. */
@FunctionalInterface
interface StreamSource {
    /**
     * Streams that are open.
     *
     * @param release closes both and undoes what opening did
     */
    record Streams(InputStream in, OutputStream out, Closeable release) {}

    Streams open() throws IOException;

    static StreamSource of(InputStream in, OutputStream out) {
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(out, "out");
        return () ->
                new Streams(
                        in,
                        out,
                        () -> {
                            try (in) {
                                out.close();
                            }
                        });
    }
}
