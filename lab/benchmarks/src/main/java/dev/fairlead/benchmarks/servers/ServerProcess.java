package dev.fairlead.benchmarks.servers;

import dev.fairlead.benchmarks.Jvm;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A contender that runs in a process of its own. Its cost is read from Linux and the JDK. */
final class ServerProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    private final Contender contender;
    private final Process process;
    private final InetSocketAddress address;
    private @Nullable Allocation allocation; // once it was asked for

    private ServerProcess(Contender contender, Process process, int port) {
        this.contender = contender;
        this.process = process;
        this.address = new InetSocketAddress("127.0.0.1", port);
    }

    /** Starts it and returns when it takes connections. */
    static ServerProcess start(Contender contender) throws IOException, InterruptedException {
        return start(contender, ProcessBuilder.Redirect.INHERIT);
    }

    /** Starts a contender and discards its log of sessions. */
    static ServerProcess startQuietly(Contender contender)
            throws IOException, InterruptedException {
        return start(contender, ProcessBuilder.Redirect.DISCARD);
    }

    private static ServerProcess start(Contender contender, ProcessBuilder.Redirect errors)
            throws IOException, InterruptedException {
        int port = freePort();
        Process process =
                new ProcessBuilder(contender.command(port))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(errors)
                        .start();
        ServerProcess started = new ServerProcess(contender, process, port);
        try {
            started.awaitReady();
        } catch (IOException | InterruptedException e) {
            started.close();
            throw e;
        }
        return started;
    }

    /** None of those that the system gives to others until the process has it. */
    private static int freePort() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(port)) {
                return free.getLocalPort();
            } catch (BindException e) {
                // another one
            }
        }
        throw new IOException("a hundred ports were taken");
    }

    private void awaitReady() throws IOException, InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(address);
                return;
            } catch (IOException e) {
                if (process.waitFor(20, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
                    throw new IOException(contender + " did not start", e);
                }
            }
        }
    }

    Contender contender() {
        return contender;
    }

    InetSocketAddress address() {
        return address;
    }

    /** The URL of a server of ours. */
    String uri() {
        return "http://127.0.0.1:" + address.getPort() + "/mcp";
    }

    /** Processor time that it has used so far, of all its threads. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** Resident bytes. */
    long resident() throws IOException {
        return new Jvm(process.pid()).resident();
    }

    /** Live bytes on its heap; absent if it is not a JVM. */
    OptionalLong liveHeap() throws IOException, InterruptedException {
        if (contender.kind() == Contender.Kind.TYPESCRIPT) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(new Jvm(process.pid()).liveHeap());
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

    /** Ends it at once, so that no thread waits for it any more. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (allocation != null) {
            allocation.close();
        }
        kill();
        process.waitFor();
    }
}
