package dev.fairlead.cli;

import dev.fairlead.cli.ask.Attention;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.client.McpClient;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.protocol.Remote;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** {@code fairlead console}. */
@Command(
        name = "console",
        description = {
            "Opens a page for your browser on which you try a server: its tools, resources and"
                    + " prompts.",
            "Prints the address of the page, which gives access to the server: do not share it."
                    + " Programs on other machines cannot reach it. Questions of the server appear"
                    + " on the page."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead console http://127.0.0.1:3000/mcp",
            "  fairlead console --port 7000 -- fairlead serve --stdio",
            "  fairlead console cursor:weather"
        })
final class ConsoleCommand implements Callable<Integer> {
    /** How long a call may take without a sign of life, where the user sets no limit. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Duration MAX_TIMEOUT = Duration.ofHours(4);

    private final Console console;
    private final Interrupts interrupts;
    private final Runner runner;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "the port of the page; by default a free one")
    private int port;

    @Mixin private @Nullable ServerOptions options;

    ConsoleCommand(Console console, Interrupts interrupts, Runner runner) {
        this.console = console;
        this.interrupts = interrupts;
        this.runner = runner;
    }

    @Override
    public Integer call() throws InterruptedException {
        ServerOptions given = Objects.requireNonNull(options);
        if (given.elicit != null || given.sample != null || !given.roots.isEmpty()) {
            throw new UsageException(
                    "--elicit, --sample and --root cannot be used here: you answer the questions"
                            + " of the server on the page");
        }
        if (given.json) {
            throw new UsageException("--json cannot be used here: the command prints no document");
        }
        Target target = runner.target(given);
        dev.fairlead.console.Console page =
                dev.fairlead.console.Console.local().target(new Tried(given, target));
        try (ConsoleServing serving = serve(page)) {
            Runtime.getRuntime().addShutdownHook(new Thread(serving::close, "mcp-shutdown"));
            console.out().println("Try " + target.label() + " at " + page.address(serving));
            console.out().println("Stop with Ctrl-C.");
            console.out().flush();
            interrupts.during(
                    () -> {
                        serving.await();
                        return serving;
                    });
            return ExitStatus.OK;
        } catch (InterruptedException e) { // Ctrl-C is how it ends
            return ExitStatus.OK;
        }
    }

    private ConsoleServing serve(dev.fairlead.console.Console page) {
        try {
            return Http.port(port).console(page).serveConsole();
        } catch (IOException | IllegalArgumentException e) {
            throw new UsageException("--port: " + e.getMessage());
        }
    }

    /** The server of the command as pages reach it. */
    private final class Tried implements ConsoleTarget {
        private final ServerOptions given;
        private final Target target;

        Tried(ServerOptions given, Target target) {
            this.given = given;
            this.target = target;
        }

        @Override
        public String label() {
            return target.label();
        }

        @Override
        public List<String> words() {
            return runner.reaching(given);
        }

        @Override
        public @Nullable URI url() {
            return target instanceof Target.Endpoint endpoint
                    ? URI.create(endpoint.remote().toString())
                    : null;
        }

        @Override
        public McpClient.Builder client() {
            McpClient.Builder client = runner.client(given, target, new Attention(), null);
            return given.isTimeoutSet()
                    ? client
                    : client.requestTimeout(TIMEOUT).maxTotalTimeout(MAX_TIMEOUT);
        }

        @Override
        public Remote remote(Consumer<String> stderr) {
            return Runner.remote(target, given, stderr);
        }
    }
}
