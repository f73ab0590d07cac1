package dev.fairlead.cli;

import dev.fairlead.cli.ask.Attention;
import dev.fairlead.cli.ask.Person;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.cli.shell.Shell;
import dev.fairlead.cli.view.LogLine;
import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Remote;

import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead shell}. */
@Command(
        name = "shell",
        description = {
            "Opens an interactive session with a server.",
            "Tab completes commands, names, arguments and their values; Ctrl-C cancels a running"
                    + " call; Ctrl-D ends the shell."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead shell http://127.0.0.1:3000/mcp",
            "  fairlead shell --no-history -- fairlead serve --stdio"
        })
final class Interactive implements Callable<Integer> {
    private final Console console;
    private final Runner runner;

    @Option(names = "--no-history", description = "do not save the command history of this session")
    private boolean noHistory;

    @Mixin private @Nullable ServerOptions options;

    Interactive(Console console, Runner runner) {
        this.console = console;
        this.runner = runner;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ServerOptions given = Objects.requireNonNull(options);
        if (given.json || !console.screen().terminal() || !console.person()) {
            throw new UsageException(
                    "the shell needs a terminal; in scripts use commands such as fairlead"
                            + " tools call");
        }
        Target target = runner.target(given);
        try (Terminal terminal = console.terminals().forSession()) {
            converse(given, target, terminal);
        }
        return ExitStatus.OK;
    }

    private void converse(ServerOptions given, Target target, Terminal terminal)
            throws IOException, InterruptedException {
        Shell shell =
                new Shell(
                        terminal,
                        console.screen(),
                        console.status(),
                        e -> Failure.of(e).message(),
                        () -> leave(terminal));
        if (!noHistory) {
            keepHistory(shell);
        }
        Attention attention = new Attention();
        try (Person person =
                new Person(
                        console.screen(),
                        console.status(),
                        attention,
                        shell::cancel,
                        console.environment(),
                        terminal,
                        shell::isCalling)) {
            McpClient.Builder client = runner.client(given, target, attention, person);
            shell.listen(client);
            Remote remote = Runner.remote(target, given, line -> shell.say(stderr(line)));
            try (McpClient server = shell.connect(() -> client.connect(remote))) {
                shell.run(server, Runner.visiting(server, given, person), attention, person);
            }
        }
    }

    /** A session continues where its lines cannot be kept. */
    private void keepHistory(Shell shell) {
        try {
            shell.keepHistory(console.environment().state().resolve("history"));
        } catch (IOException | UnsupportedOperationException e) {
            console.say("The command history cannot be saved: " + e);
        }
    }

    private List<String> stderr(String line) {
        return LogLine.ofStandardError("server", line, console.screen());
    }

    /** The terminal must not stay as a prompt has it. */
    private static void leave(Terminal terminal) {
        try {
            terminal.close();
        } catch (IOException e) {
            // it is gone already
        }
        Interrupts.leaveAtOnce();
    }
}
