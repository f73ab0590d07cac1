package dev.fairlead.stdio;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The standard streams of the process, taken away from everybody else. They are used as channels,
 * since closing a channel ends a read or write under way, which closing a stream does not.
 */
final class StandardStreams implements StreamSource {
    // the streams belong to the process, and so does this
    private static final AtomicBoolean TAKEN = new AtomicBoolean();

    @Override
    public Streams open() throws IOException {
        if (!TAKEN.compareAndSet(false, true)) {
            throw new IOException("standard input and output are served already");
        }
        PrintStream out = System.out;
        InputStream in = System.in;
        out.flush();
        FileChannel input = new FileInputStream(FileDescriptor.in).getChannel();
        FileChannel output = new FileOutputStream(FileDescriptor.out).getChannel();
        System.setOut(System.err);
        System.setIn(InputStream.nullInputStream());
        return new Streams(
                Channels.newInputStream(input),
                Channels.newOutputStream(output),
                () -> {
                    try (input) {
                        output.close();
                    } finally {
                        System.setOut(out); // leads nowhere now, like the channel
                        System.setIn(in);
                    }
                });
    }
}
