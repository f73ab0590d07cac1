package dev.fairlead.cli;

import dev.fairlead.cli.ask.Terminals;
import dev.fairlead.cli.servers.Environment;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.StatusLine;
import dev.fairlead.cli.view.TerminalProbe;
import dev.fairlead.protocol.Printable;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The standard streams of a command, and its terminal. Both outputs are UTF-8 in every locale, as
 * JSON is.
 *
 * @param out the answer, and nothing else
 * @param err everything else; lines that are printed while a call runs go through {@code status}
 * @param screen where {@code out} leads
 * @param errorScreen where {@code err} leads
 * @param status the last line of {@code err}, with the lines above it
 * @param person whether there is a person at a terminal who can be asked
 * @param terminals takes the terminal of that person
 */
record Console(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Screen screen,
        Screen errorScreen,
        StatusLine status,
        boolean person,
        Terminals terminals,
        Environment environment) {

    /** Streams that are not terminals. */
    Console(InputStream in, PrintStream out, PrintStream err, Environment environment) {
        this(
                in,
                out,
                err,
                Screen.plain(),
                Screen.plain(),
                false,
                Terminals.ofProcess(),
                environment);
    }

    Console(
            InputStream in,
            PrintStream out,
            PrintStream err,
            Screen screen,
            Screen errorScreen,
            boolean person,
            Terminals terminals,
            Environment environment) {
        this(
                in,
                out,
                err,
                screen,
                errorScreen,
                new StatusLine(err, errorScreen),
                person,
                terminals,
                environment);
    }

    /** The streams of this process. */
    static Console ofProcess(StandardOutput out) {
        Environment environment = Environment.current();
        TerminalProbe probe = new TerminalProbe(environment.variables());
        Screen errorScreen = probe.screen(TerminalProbe.ERR);
        return new Console(
                System.in,
                utf8(out, 64 << 10),
                utf8(new FileOutputStream(FileDescriptor.err), 1 << 10),
                probe.screen(TerminalProbe.OUT),
                errorScreen,
                errorScreen.terminal() && TerminalProbe.isTerminal(TerminalProbe.IN),
                Terminals.ofProcess(),
                environment);
    }

    private static PrintStream utf8(OutputStream to, int buffer) {
        return new PrintStream(new BufferedOutputStream(to, buffer), true, StandardCharsets.UTF_8);
    }

    /** Prints a message beside the answer, whichever side it comes from. */
    void say(String message) {
        status.print(List.of(Printable.text(message)));
    }
}
