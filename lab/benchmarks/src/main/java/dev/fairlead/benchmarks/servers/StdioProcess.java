package dev.fairlead.benchmarks.servers;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * A contender that runs in a process of its own, with the lines that it writes. Used by one thread.
 */
final class StdioProcess implements AutoCloseable {
    private static final String INITIALIZE =
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
            "capabilities":{},"clientInfo":{"name":"benchmark","version":"1"}}}
            """;
    private static final String INITIALIZED =
            """
            {"jsonrpc":"2.0","method":"notifications/initialized"}
            """;
    private static final String LIST =
            """
            {"jsonrpc":"2.0","id":2,"method":"tools/list"}
            """;

    private final Contender contender;
    private final Process process;
    private final OutputStream input;
    private final InputStream output;
    private byte[] received = new byte[64 << 10];
    private int begin;
    private int end;
    private @Nullable Allocation allocation; // once it was asked for

    private StdioProcess(Contender contender, Process process) {
        this.contender = contender;
        this.process = process;
        this.input = process.getOutputStream();
        this.output = process.getInputStream();
    }

    static StdioProcess start(Contender contender) throws IOException {
        return start(contender, List.of());
    }

    /**
     * @param options for its JVM
     */
    static StdioProcess start(Contender contender, List<String> options) throws IOException {
        Process process =
                new ProcessBuilder(contender.commandWith(options))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return new StdioProcess(contender, process);
    }

    Contender contender() {
        return contender;
    }

    /** Makes the exchange before the first call. */
    void agree() throws IOException {
        if (contender.isPerRequest()) {
            return;
        }
        initialize();
        send(INITIALIZED.getBytes(StandardCharsets.US_ASCII));
    }

    private void initialize() throws IOException {
        send(INITIALIZE.getBytes(StandardCharsets.US_ASCII));
        expect("\"protocolVersion\":\"2025-11-25\"");
    }

    /** Has it say which tools it has. */
    void listTools() throws IOException {
        agree();
        send(LIST.getBytes(StandardCharsets.US_ASCII));
        expect("\"name\":\"echo\"");
    }

    private void expect(String wanted) throws IOException {
        String line = new String(next(), StandardCharsets.UTF_8);
        if (!line.contains(wanted)) {
            throw new IOException(contender + " was to say " + wanted + " but said " + line);
        }
    }

    void send(byte[] bytes) throws IOException {
        input.write(bytes);
        input.flush();
    }

    /** The next line that it writes, without its end. */
    byte[] next() throws IOException {
        int from = begin;
        while (true) {
            for (int at = from; at < end; at++) {
                if (received[at] == '\n') {
                    byte[] line = Arrays.copyOfRange(received, begin, at);
                    begin = at + 1;
                    return line;
                }
            }
            from = end - begin;
            fill();
        }
    }

    /** Whether another line is there without a wait. */
    boolean hasNext() {
        for (int at = begin; at < end; at++) {
            if (received[at] == '\n') {
                return true;
            }
        }
        return false;
    }

    /** Reads more bytes behind the unread ones, which begin at 0 then. */
    private void fill() throws IOException {
        System.arraycopy(received, begin, received, 0, end - begin);
        end -= begin;
        begin = 0;
        if (end == received.length) {
            received = Arrays.copyOf(received, 2 * end);
        }
        int more = output.read(received, end, received.length - end);
        if (more < 0) {
            throw new EOFException(contender + " ended");
        }
        end += more;
    }

    /** Processor time that it has used so far, of all its threads. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Bytes that it has allocated so far; absent if it is not a JVM. */
    OptionalLong allocated() throws IOException {
        if (contender.kind() == Contender.Kind.TYPESCRIPT) {
            return OptionalLong.empty();
        }
        if (allocation == null) {
            allocation = Allocation.of(process.pid());
        }
        return OptionalLong.of(allocation.bytes());
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it where it makes no progress. May be called by any thread. */
    void kill() {
        process.destroyForcibly();
    }

    /** Has it end by itself, as when its client has closed the input; terminated after a while. */
    void end() throws IOException, InterruptedException {
        input.close();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroy();
            process.waitFor(3, TimeUnit.MINUTES); // it may have a cache to write
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (allocation != null && process.isAlive()) {
            allocation.close();
        }
        process.destroyForcibly();
        process.waitFor();
    }
}
