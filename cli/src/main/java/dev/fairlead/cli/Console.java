package dev.fairlead.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard streams of a command. Both outputs are UTF-8, whatever the locale says: JSON is.
 *
 * @param out what was asked for, and nothing else
 * @param err everything else
 */
record Console(InputStream in, PrintStream out, PrintStream err) {
    /** The streams of this process. */
    static Console ofProcess() {
        return new Console(
                System.in, utf8(FileDescriptor.out, 64 << 10), utf8(FileDescriptor.err, 1 << 10));
    }

    private static PrintStream utf8(FileDescriptor descriptor, int buffer) {
        return new PrintStream(
                new java.io.BufferedOutputStream(new FileOutputStream(descriptor), buffer),
                true,
                StandardCharsets.UTF_8);
    }
}
