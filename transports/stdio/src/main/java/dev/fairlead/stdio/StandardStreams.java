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
 * The standard streams of the process, taken away from all other code.
 *
 * <p>The input is a stream and not a channel, since threads that run handlers read it, and an
 * interrupt of the reader would close a channel. So closing does not end a read under way: its
 * daemon thread stays blocked until the peer writes or ends. The output is used as a channel by the
 * thread that writes, since closing a channel ends a write under way, and as a stream by threads
 * that run handlers.
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
        FileInputStream input = ProtocolDescriptors.takeInput();
        System.setOut(System.err); // before descriptor 1 leads elsewhere
        FileDescriptor own = ProtocolDescriptors.takeOutput();
        FileOutputStream direct = new FileOutputStream(own);
        FileChannel output = new FileOutputStream(own).getChannel();
        System.setIn(InputStream.nullInputStream());
        return new Streams(
                input,
                Channels.newOutputStream(output),
                direct,
                () -> {
                    try (input) {
                        output.close();
                    } finally {
                        System.setOut(out); // leads nowhere now, like the channel
                        System.setIn(in); // leads nowhere either
                    }
                });
    }
}
