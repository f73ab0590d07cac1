package dev.fairlead.cli;

import dev.fairlead.cli.dev.DevConsole;
import dev.fairlead.cli.dev.DevProxy;
import dev.fairlead.cli.dev.FileChanges;
import dev.fairlead.cli.view.LogLine;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Serving;
import dev.fairlead.stdio.Stdio;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** {@code fairlead dev}. */
@Command(
        name = "dev",
        customSynopsis = "fairlead dev [OPTIONS] -- COMMAND [ARGUMENT...]",
        description = {
            "Serves the server of a command, and starts it again when its files change.",
            "Connections of clients stay. They are notified of lists that changed, and calls under"
                    + " way end with the reason. A server that does not start leaves the one of"
                    + " before running."
        },
        footer = {
            "",
            "The jars of the command are watched. Without any, target/classes, build/classes and"
                + " build/resources are. On a terminal the command prints the address of a page on"
                + " which you try the server; it gives access to the server: do not share it.",
            "",
            "Examples:",
            "  fairlead dev -- java -jar target/hello.jar",
            "  fairlead dev --http 127.0.0.1:3000 -- java -jar target/hello.jar",
            "  fairlead dev --watch src/main/python -- python3 src/main/python/server.py"
        })
final class DevCommand implements Callable<Integer> {
    private static final int MIN_SETTLE = 50;
    private static final int MAX_SETTLE = 60_000;

    /** The folders to which builds write. */
    private static final List<Path> OUTPUTS =
            List.of(
                    Path.of("target/classes"),
                    Path.of("build/classes"),
                    Path.of("build/resources"));

    private final Console console;
    private final Interrupts interrupts;
    private final Invocation invocation;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description =
                    "serve on http://HOST:PORT/mcp instead of standard input and output; port 0"
                            + " chooses a free port")
    private @Nullable String http;

    @Option(
            names = "--watch",
            paramLabel = "PATH",
            description = "watch this file, or this folder with everything below; repeatable")
    private List<Path> watched = new ArrayList<>();

    @Option(
            names = "--settle",
            paramLabel = "MS",
            description =
                    "start the server again when nothing has changed for so long; 50 to 60000,"
                            + " 500 by default")
    private int settle = 500;

    @Option(
            names = "--console",
            negatable = true,
            description =
                    "whether to open a page for your browser on which you try the server; by"
                        + " default where standard error is a terminal, which shows its address")
    private @Nullable Boolean page;

    DevCommand(Console console, Interrupts interrupts, Invocation invocation) {
        this.console = console;
        this.interrupts = interrupts;
        this.invocation = invocation;
    }

    @Override
    public Integer call() {
        try {
            Address address = http == null ? null : Address.parse(http);
            Remote program = program(line -> {});
            try (FileChanges changes = changes()) {
                return interrupts.during(
                        () -> {
                            try (DevProxy proxy = DevProxy.start(program, changes, this::say);
                                    DevConsole tried = tried(proxy)) {
                                return serve(proxy, tried, address);
                            }
                        });
            }
        } catch (UncheckedIOException e) {
            say(String.valueOf(e.getMessage()));
            return ExitStatus.NOT_SERVED;
        } catch (RuntimeException | InterruptedException e) {
            return new Output(console, false).failure(Failure.of(e));
        }
    }

    /** Opens the page on which the server is tried; null where that is not wanted. */
    private @Nullable DevConsole tried(DevProxy proxy) {
        boolean isWanted = page == null ? console.errorScreen().terminal() : page;
        try {
            return isWanted ? DevConsole.open(proxy, command(), this::program) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private int serve(DevProxy proxy, @Nullable DevConsole tried, @Nullable Address address)
            throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(proxy::close, "mcp-shutdown"));
        if (address == null) {
            try (Serving serving = proxy.serve(Stdio.streams())) {
                showAddress(tried);
                serving.await();
            }
            return ExitStatus.OK;
        }
        try (HttpServing serving = proxy.serve(Http.port(address.port()).host(address.host()))) {
            console.out().println("listening on " + serving.uri());
            if (tried != null) {
                tried.servedAt(serving.uri());
            }
            showAddress(tried);
            serving.await();
        }
        return ExitStatus.OK;
    }

    private void showAddress(@Nullable DevConsole tried) {
        if (tried != null) {
            say("try the server in a browser at " + tried.address());
        }
    }

    private List<String> command() {
        List<String> command = invocation.server();
        if (command == null || command.isEmpty()) {
            throw new UsageException("give the command that starts the server after --");
        }
        return command;
    }

    /**
     * Its program is the user's own, and gets the whole environment.
     *
     * @param stderr receives the lines of its standard error, which are also printed
     */
    private Remote program(Consumer<String> stderr) {
        return Stdio.command(command().toArray(String[]::new))
                .directory(console.environment().directory())
                .inheritEnvironment()
                .inOwnSession()
                .onStderr(
                        line -> {
                            console.status()
                                    .print(
                                            LogLine.ofStandardError(
                                                    "server", line, console.errorScreen()));
                            stderr.accept(line);
                        });
    }

    private FileChanges changes() {
        if (settle < MIN_SETTLE || settle > MAX_SETTLE) {
            throw new UsageException(
                    "--settle is %s to %s ms but was %s".formatted(MIN_SETTLE, MAX_SETTLE, settle));
        }
        return new FileChanges(
                console.environment().directory(), paths(), Duration.ofMillis(settle));
    }

    private List<Path> paths() {
        if (!watched.isEmpty()) {
            return watched;
        }
        List<Path> jars =
                command().stream().filter(word -> word.endsWith(".jar")).map(Path::of).toList();
        return jars.isEmpty() ? OUTPUTS : jars;
    }

    private void say(String message) {
        console.say("fairlead dev: " + message);
    }
}
