package dev.fairlead.cli.shell;

import dev.fairlead.cli.ask.Attention;
import dev.fairlead.cli.ask.Person;
import dev.fairlead.cli.tasks.LeftTaskException;
import dev.fairlead.cli.tasks.TaskWait;
import dev.fairlead.cli.view.LogLine;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.ServerCard;
import dev.fairlead.cli.view.StatusLine;
import dev.fairlead.cli.view.Style;
import dev.fairlead.cli.view.Suggestion;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Printable;

import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * An interactive session: reads lines from a terminal and runs them as commands on one client.
 * Messages of the server meanwhile appear above the line that is being typed.
 *
 * <p>{@link #run} belongs to one thread; listeners of the client are called on others.
 */
public final class Shell {
    private final Terminal terminal;
    private final Screen screen;
    private final StatusLine status;
    private final Function<Exception, String> explain;
    private final LineReaderBuilder settings;
    private final RunningCall running;
    private volatile @Nullable LineReader reader;
    private volatile @Nullable Catalogue catalogue;

    /**
     * @param screen the properties of the terminal; its width is read again for every answer
     * @param status shows the progress of calls
     * @param explain describes failures, for people
     * @param leave ends the program at once, when Ctrl-C is pressed twice
     */
    public Shell(
            Terminal terminal,
            Screen screen,
            StatusLine status,
            Function<Exception, String> explain,
            Runnable leave) {
        this.terminal = terminal;
        this.screen = screen;
        this.status = status;
        this.explain = explain;
        running = new RunningCall(text -> say(List.of(text)), leave);
        terminal.handle(Terminal.Signal.INT, signal -> running.cancel());
        settings =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .parser(TypedLine.parser())
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                        .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
                        .option(LineReader.Option.AUTO_FRESH_LINE, true);
    }

    /**
     * Keeps the lines of this session for later ones in this file, which only the owner can read.
     * Lines that begin with a blank are not kept.
     */
    public void keepHistory(Path file) throws IOException {
        ShellHistory.keepIn(file, settings);
    }

    /**
     * Adds listeners for messages of the server outside answers; call it before the client
     * connects.
     */
    public void listen(McpClient.Builder client) {
        client.onLog(entry -> say(LogLine.of(entry, screen())))
                .onToolsChanged(list -> changed("tools", list.tools().size()))
                .onResourcesChanged(list -> changed("resources", list.resources().size()))
                .onPromptsChanged(list -> changed("prompts", list.prompts().size()))
                .onNewSession(
                        why ->
                                say(
                                        Style.YELLOW,
                                        "The session expired; a new one was started, with"
                                                + " the same log level and watched resources."));
    }

    /** Connects; Ctrl-C cancels that. */
    public McpClient connect(Connecting connecting) throws InterruptedException {
        return running.during(connecting::connect);
    }

    /** The connecting of a client. */
    @FunctionalInterface
    public interface Connecting {
        /** Connects. */
        McpClient connect() throws InterruptedException;
    }

    private void changed(String what, int count) {
        Catalogue known = catalogue;
        if (known != null) {
            known.forget();
        }
        say(Style.DIM, "The " + what + " changed: now " + count + ".");
    }

    /** Returns whether a call runs, and the server may ask something. */
    public boolean isCalling() {
        return running.isRunning();
    }

    /** Cancels the call that runs. */
    public void cancel() {
        running.cancel();
    }

    /** Says something beside the answers; may be called from any thread. */
    public void say(List<String> lines) {
        LineReader reading = reader;
        if (running.isRunning() || reading == null) {
            status.print(lines);
        } else {
            lines.forEach(reading::printAbove);
        }
    }

    private void say(Style style, String text) {
        say(List.of(screen.styled(style, text)));
    }

    /**
     * Reads and runs lines until the user leaves.
     *
     * @param requests the same server, with the limits of commands
     * @param attention is turned to the tasks that the user waits for
     * @param person the person to ask
     */
    public void run(McpClient client, ClientRequests requests, Attention attention, Person person) {
        Catalogue offers = new Catalogue(client, Catalogue.PATIENCE);
        Watches watches = new Watches(uri -> say(Style.DIM, Printable.line(uri) + " changed."));
        ShellTasks tasks = new ShellTasks(requests, taskWait(attention, person));
        ShellActions actions =
                new ShellActions(client, requests.withProgress(status), offers, watches, tasks);
        LineReader lines =
                settings.completer(
                                new ShellCompleter(
                                        offers,
                                        new ArgumentValues(client, Catalogue.PATIENCE),
                                        watches::uris,
                                        tasks::ids))
                        .build();
        catalogue = offers;
        print(ServerCard.lines(client, screen()));
        print(List.of(screen.styled(Style.DIM, "type help for the commands")));
        reader = lines;
        try {
            read(lines, actions);
        } finally {
            reader = null;
        }
    }

    private TaskWait taskWait(Attention attention, Person person) {
        return new TaskWait(
                status,
                screen,
                attention,
                person,
                running,
                null,
                id -> "tasks result " + Printable.line(id.value()));
    }

    private void read(LineReader lines, ShellActions actions) {
        String prompt = screen.styled(Style.BOLD, "> ");
        while (true) {
            try {
                TypedLine line = TypedLine.of(lines.readLine(prompt));
                if (line.words().isEmpty()) {
                    continue;
                }
                ShellCommand command = command(line);
                if (command == ShellCommand.EXIT) {
                    return;
                }
                perform(command, line, actions);
            } catch (UserInterruptException e) {
                // the line is dropped, and that is all
            } catch (ShellUsageException e) {
                failed(e);
            } catch (EndOfFileException e) {
                return;
            }
        }
    }

    private static ShellCommand command(TypedLine line) {
        return ShellCommand.of(line.words().get(0))
                .orElseThrow(
                        () ->
                                new ShellUsageException(
                                        "unknown command \""
                                                + line.words().get(0)
                                                + "\""
                                                + Suggestion.question(
                                                        line.words().get(0), ShellCommand.words())
                                                + "; type help for the commands"));
    }

    private void perform(ShellCommand command, TypedLine line, ShellActions actions) {
        try {
            List<String> answer = running.during(() -> actions.run(command, line, screen()));
            status.clear();
            print(answer);
        } catch (InterruptedException e) {
            status.clear();
            print(List.of("Cancelled"));
        } catch (LeftTaskException e) {
            print(List.of(Printable.line(String.valueOf(e.getMessage()))));
        } catch (RuntimeException e) {
            status.clear();
            failed(e);
        }
    }

    private void failed(RuntimeException e) {
        String message = e instanceof ShellUsageException ? e.getMessage() : explain.apply(e);
        print(List.of(screen.styled(Style.RED, Printable.line(String.valueOf(message)))));
    }

    private void print(List<String> lines) {
        status.aside(
                () -> {
                    lines.forEach(terminal.writer()::println);
                    terminal.flush();
                });
    }

    /** The screen as wide as the terminal is now. */
    private Screen screen() {
        int width = terminal.getColumns();
        return new Screen(
                true, width > 0 ? width : screen.width(), screen.colour(), screen.unicode());
    }
}
