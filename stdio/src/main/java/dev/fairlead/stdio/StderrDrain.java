package dev.fairlead.stdio;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Reads standard error of a child to its end, whatever the listener does, so that the child never
 * waits for a reader (STDIO-007). Runs on a thread of its own, which ends with the stream.
 */
final class StderrDrain implements Runnable {
    private static final System.Logger LOGGER = System.getLogger(StderrDrain.class.getName());
    private static final int MAX_LINE = 16 << 10;

    private final InputStream in;
    private final Consumer<String> listener;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private StderrDrain(InputStream in, Consumer<String> listener) {
        this.in = in;
        this.listener = listener;
    }

    static Thread start(InputStream in, Consumer<String> listener) {
        return Thread.ofPlatform()
                .name("mcp-stdio-stderr")
                .daemon()
                .start(new StderrDrain(in, listener));
    }

    @Override
    public void run() {
        byte[] chunk = new byte[8 << 10];
        try (in) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                for (int i = 0; i < count; i++) {
                    take(chunk[i]);
                }
            }
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "Standard error of a server process was lost", e);
        }
        if (line.size() > 0) {
            tell();
        }
    }

    private void take(byte next) {
        boolean insideCharacter = (next & 0xC0) == 0x80;
        if (line.size() >= MAX_LINE && !insideCharacter && next != '\n') {
            tell();
        }
        if (next == '\n') {
            tell();
        } else {
            line.write(next);
        }
    }

    private void tell() {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        try {
            listener.accept(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
        } catch (RuntimeException e) {
            LOGGER.log(Level.WARNING, "The listener to standard error failed", e);
        }
    }
}
