package dev.fairlead.stdio;

import dev.fairlead.protocol.limits.HeapPlan;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;

/**
 * MCP over standard input and output: one message on each line, in UTF-8. Authorization has no
 * place here; credentials come from the environment.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio stdio
 */
public final class Stdio {
    /**
     * The longest message that is accepted unless another bound is set: 64 MiB, or a sixteenth of
     * the heap where that is less, but at least 1 MiB.
     */
    public static final int DEFAULT_MAX_MESSAGE_SIZE = 64 << 20;

    private Stdio() {}

    /**
     * Standard input and output of this process, for a server. They can be served once in the life
     * of a process, and serving ends with the input.
     *
     * <p>While they are served, {@code System.out} leads to standard error, so that a stray print
     * never meets the protocol, and {@code System.in} is empty. Both are put back at the end.
     *
     * <p>On Linux and macOS nothing else reaches the protocol either: neither the output of a
     * stream that was kept before, as logging frameworks do, nor that of a child process that
     * inherits standard output. From JDK 22 on, with {@code --enable-native-access}, that goes to
     * standard error; otherwise it is lost. Where standard output is a socket, as below Node.js on
     * Linux, native access is used in any case, so the JVM warns unless it is enabled; on JDK 21
     * only {@code System.out} is diverted then. On Windows that holds always.
     */
    public static StdioStreams streams() {
        return new StdioStreams(new StandardStreams(), HeapPlan.message());
    }

    /** Any pair of streams, for a server; both are closed at the end. */
    public static StdioStreams streams(InputStream in, OutputStream out) {
        return new StdioStreams(StreamSource.of(in, out), HeapPlan.message());
    }

    /**
     * A server to be started as a child process, for a client. Every connection starts a process of
     * its own, which ends with the connection.
     *
     * @param command the program and its arguments; no shell is involved
     */
    public static StdioCommand command(String... command) {
        return new StdioCommand(List.of(command));
    }
}
