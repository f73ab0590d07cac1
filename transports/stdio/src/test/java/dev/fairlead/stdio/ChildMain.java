package dev.fairlead.stdio;

import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.test.support.Awaiting;
import dev.fairlead.test.support.ChildJvm;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The program that tests start as a child process; the first argument selects its behaviour. */
final class ChildMain {
    private ChildMain() {}

    /** The command line that starts this class in a JVM like this one. */
    static String[] command(String... arguments) {
        return ChildJvm.command(ChildMain.class, arguments).toArray(String[]::new);
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "echo" -> Stdio.streams().serve(new EchoServer());
            case "chatty" -> chatty();
            case "bypass" -> bypass();
            case "reading-child" -> readingChild();
            case "die" -> die();
            case "close-itself" -> closeItself();
            case "environment" -> environment();
            case "variables" -> variables();
            case "ignore-end" -> forever();
            case "ignore-all" -> ignoreAll(Path.of(arguments[1]));
            case "wrapper" -> wrapper(arguments);
            case "orphan" -> orphan(Path.of(arguments[1]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Prints to standard output and error while it serves. */
    private static void chatty() throws IOException {
        System.out.println("before serving"); // no message: the client passes over it
        Stdio.streams()
                .serve(
                        new EchoServer() {
                            @Override
                            void answer(JsonRpcRequest request, Exchange exchange) {
                                System.out.println("stray print");
                                System.err.println("x".repeat(200_000));
                                try {
                                    System.err.println("in: " + System.in.read());
                                } catch (IOException e) {
                                    throw new IllegalStateException(e);
                                }
                                super.answer(request, exchange);
                            }
                        });
    }

    /** Writes to standard output in ways that do not go through {@code System.out}. */
    private static void bypass() throws IOException {
        PrintStream kept = System.out;
        Stdio.streams()
                .serve(
                        new EchoServer() {
                            @Override
                            void answer(JsonRpcRequest request, Exchange exchange) {
                                System.out.println("replaced stream");
                                kept.println("kept stream");
                                try {
                                    new FileOutputStream(FileDescriptor.out)
                                            .write("descriptor\n".getBytes());
                                } catch (IOException e) {
                                    System.err.println("descriptor: " + e.getMessage());
                                }
                                run("echo", "child process");
                                super.answer(request, exchange);
                            }
                        });
    }

    /** Has a child process read standard input to its end before each answer. */
    private static void readingChild() throws IOException {
        Stdio.streams()
                .serve(
                        new EchoServer() {
                            @Override
                            void answer(JsonRpcRequest request, Exchange exchange) {
                                run("cat");
                                super.answer(request, exchange);
                            }
                        });
    }

    private static void run(String... command) {
        try {
            new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void die() throws IOException {
        Stdio.streams()
                .serve(
                        new EchoServer() {
                            @Override
                            void answer(JsonRpcRequest request, Exchange exchange) {
                                Runtime.getRuntime().halt(3);
                            }
                        });
    }

    /** Closes after its first answer, and has nothing else to do. */
    private static void closeItself() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        var serving =
                Stdio.streams()
                        .serve(
                                new EchoServer() {
                                    @Override
                                    void answer(JsonRpcRequest request, Exchange exchange) {
                                        super.answer(request, exchange);
                                        answered.countDown();
                                    }
                                });
        answered.await();
        serving.close();
        System.err.println("closed");
    }

    private static void environment() throws IOException {
        System.err.println(System.getenv("FAIRLEAD_TEST"));
        System.err.println(Path.of("").toAbsolutePath());
        Stdio.streams().serve(new EchoServer());
    }

    private static void variables() throws IOException {
        System.getenv().keySet().forEach(System.err::println);
        Stdio.streams().serve(new EchoServer());
    }

    private static void forever() throws InterruptedException {
        System.err.println("pid " + ProcessHandle.current().pid());
        new CountDownLatch(1).await();
    }

    /** Outlives end of input and termination. */
    private static void ignoreAll(Path pid) throws Exception {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> {
                                    try {
                                        new CountDownLatch(1).await();
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                }));
        write(pid);
        new CountDownLatch(1).await();
    }

    private static void write(Path pid) throws IOException {
        Path temporary = Files.createTempFile(pid.getParent(), "pid", null);
        Files.writeString(temporary, Long.toString(ProcessHandle.current().pid()));
        Files.move(temporary, pid);
    }

    /** Starts the rest of its arguments on its own streams and waits for it, as npx does. */
    private static void wrapper(String[] arguments) throws Exception {
        String[] rest = java.util.Arrays.copyOfRange(arguments, 1, arguments.length);
        new ProcessBuilder(command(rest)).inheritIO().start().waitFor();
    }

    /** Starts a server of its own and exits without ending it. */
    private static void orphan(Path pid) throws Exception {
        Stdio.command(command("ignore-all", pid.toString()))
                .exitTimeout(java.time.Duration.ofMillis(100), java.time.Duration.ofMillis(100))
                .connect(new EchoServer());
        Awaiting.await().until(() -> Files.exists(pid));
        System.exit(0);
    }
}
