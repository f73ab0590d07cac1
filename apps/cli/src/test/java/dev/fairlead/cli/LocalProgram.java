package dev.fairlead.cli;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Programs that are real processes, and whose work is done in the JVM of the test: a script
 * connects their standard streams to it. They start at once, where a JVM takes a second.
 */
final class LocalProgram {
    /** The work of a program. */
    @FunctionalInterface
    interface Work {
        /**
         * Runs on a thread of its own, which is interrupted once the process is killed.
         *
         * @return the exit status
         */
        int run(List<String> arguments, InputStream in, PrintStream out, PrintStream err)
                throws Exception;
    }

    /**
     * Each stream has a connection that only its copying process holds, so that its end is the end
     * of the stream. The first connection is the script's own: it ends with the script, and brings
     * the exit status.
     */
    private static final String SCRIPT =
            """
            place=/dev/tcp/127.0.0.1/$0
            exec 3<>$place 6<&0
            printf '%s\\0' $$ start $# "$@" >&3
            { printf '%s\\0' $$ in >&4; exec cat <&6 >&4 3>&-; } 4<>$place &
            in=$!
            { printf '%s\\0' $$ out >&4; exec cat <&4 3>&- 6<&-; } 4<>$place &
            out=$!
            { printf '%s\\0' $$ err >&4; exec cat <&4 >&2 3>&- 6<&-; } 4<>$place &
            wait $out $!
            kill -PIPE $in 2>/dev/null
            read -r status <&3
            exit $status
            """;

    private static final Map<String, Work> WORKS = new ConcurrentHashMap<>();
    private static final Map<String, Streams> STARTED = new ConcurrentHashMap<>();
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final ServerSocket LISTENER = listen();

    private LocalProgram() {}

    private record Streams(
            CompletableFuture<Socket> in,
            CompletableFuture<Socket> out,
            CompletableFuture<Socket> err) {
        Streams() {
            this(new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
        }

        CompletableFuture<Socket> named(String name) {
            return switch (name) {
                case "in" -> in;
                case "out" -> out;
                default -> err;
            };
        }
    }

    /**
     * The command line that starts a program of this work; it may be started any number of times.
     */
    static List<String> command(Work work) {
        String key = Integer.toString(COUNT.incrementAndGet());
        WORKS.put(key, work);
        return List.of("bash", "-c", SCRIPT, Integer.toString(LISTENER.getLocalPort()), key);
    }

    private static ServerSocket listen() {
        try {
            ServerSocket listener = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
            Thread.ofPlatform().name("test-programs").daemon().start(() -> acceptAll(listener));
            return listener;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void acceptAll(ServerSocket listener) {
        while (true) {
            try {
                Socket socket = listener.accept();
                socket.setTcpNoDelay(true);
                Thread.ofPlatform().name("test-program").daemon().start(() -> accept(socket));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void accept(Socket socket) {
        try {
            InputStream in = socket.getInputStream();
            String process = field(in);
            String role = field(in);
            Streams streams = STARTED.computeIfAbsent(process, id -> new Streams());
            if (role.equals("start")) {
                List<String> arguments = new ArrayList<>();
                for (int left = Integer.parseInt(field(in)); left > 0; left--) {
                    arguments.add(field(in));
                }
                run(process, socket, streams, arguments);
            } else {
                streams.named(role).complete(socket);
            }
        } catch (IOException e) {
            // the process was killed
        }
    }

    private static String field(InputStream in) throws IOException {
        ByteArrayOutputStream field = new ByteArrayOutputStream();
        for (int next = in.read(); next != 0; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            field.write(next);
        }
        return field.toString(StandardCharsets.UTF_8);
    }

    private static void run(String process, Socket control, Streams streams, List<String> arguments)
            throws IOException {
        Thread worker = Thread.currentThread();
        int status;
        try (control;
                Socket in = streams.in().join();
                Socket out = streams.out().join();
                Socket err = streams.err().join()) {
            STARTED.remove(process);
            Thread.startVirtualThread(
                    () -> {
                        awaitEnd(control);
                        worker.interrupt();
                        List.of(in, out, err).forEach(LocalProgram::close);
                    });
            Work work = WORKS.get(arguments.getFirst());
            status = run(work, arguments.subList(1, arguments.size()), in, out, err);
            out.close();
            err.close();
            control.getOutputStream().write((status + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private static int run(Work work, List<String> arguments, Socket in, Socket out, Socket err)
            throws IOException {
        try (PrintStream output = print(out);
                PrintStream errors = print(err)) {
            try {
                return work.run(arguments, in.getInputStream(), output, errors);
            } catch (Exception e) {
                e.printStackTrace(errors);
                return 70;
            }
        }
    }

    private static PrintStream print(Socket to) throws IOException {
        return new PrintStream(
                new BufferedOutputStream(to.getOutputStream()), true, StandardCharsets.UTF_8);
    }

    /** Nothing comes but the end. */
    private static void awaitEnd(Socket control) {
        try {
            control.getInputStream().read();
        } catch (IOException e) {
            // closed here
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed enough
        }
    }
}
