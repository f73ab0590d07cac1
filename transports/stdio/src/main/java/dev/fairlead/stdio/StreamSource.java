package dev.fairlead.stdio;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/** The source of the streams of a serving. */
@FunctionalInterface
interface StreamSource {
    /**
     * Streams that are open.
     *
     * @param direct leads to the same place as {@code out}, and neither it nor {@code in} can be
     *     interrupted; null if that cannot be had
     * @param release closes all and reverts the changes of opening
     */
    record Streams(
            InputStream in, OutputStream out, @Nullable OutputStream direct, Closeable release) {}

    Streams open() throws IOException;

    static StreamSource of(InputStream in, OutputStream out) {
        Objects.requireNonNull(in, "in");
        Objects.requireNonNull(out, "out");
        return () ->
                new Streams(
                        in,
                        out,
                        null,
                        () -> {
                            try (in) {
                                out.close();
                            }
                        });
    }
}
