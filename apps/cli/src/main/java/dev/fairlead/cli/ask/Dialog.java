package dev.fairlead.cli.ask;

import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.Style;

import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.utils.NonBlockingReader;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Lines to and from the person at the terminal. The terminal is taken with the first question, and
 * given back by {@link #close}. For use by one thread at a time.
 */
final class Dialog implements AutoCloseable {
    private static final char CTRL_C = 3;
    private static final long KEY_PATIENCE = 50; // milliseconds

    private final Screen screen;
    private final Terminal terminal;
    private final LineReader reader;

    private final boolean borrowed;

    private Dialog(Screen screen, Terminal terminal, boolean borrowed) {
        this.screen = screen;
        this.terminal = terminal;
        this.borrowed = borrowed;
        this.reader =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                        .option(LineReader.Option.BRACKETED_PASTE, false)
                        .variable(LineReader.DISABLE_HISTORY, true)
                        .variable(LineReader.DISABLE_COMPLETION, true)
                        .build();
    }

    /**
     * Takes a terminal.
     *
     * @throws IOException if there is none
     */
    static Dialog open(Terminals terminals, Screen screen) throws IOException {
        return new Dialog(screen, terminals.forQuestions(), false);
    }

    /** Uses a terminal that the caller has opened and closes. */
    static Dialog on(Terminal terminal, Screen screen) {
        return new Dialog(screen, terminal, true);
    }

    /** Says something, a line of it for each line of the text. */
    void say(String text) {
        terminal.writer().println(text);
        terminal.flush();
    }

    /** Says something that stands out. */
    void say(Style style, String text) {
        say(screen.styled(style, text));
    }

    /** The text in this style, where there are styles. */
    String styled(Style style, String text) {
        return screen.styled(style, text);
    }

    /** Says something, indented. */
    void quote(String text) {
        text.lines().forEach(line -> say("  " + line));
    }

    /**
     * Asks for a line.
     *
     * @param prefilled the text that is there already, to be changed or accepted
     * @throws LeftException if the person leaves
     * @throws InterruptedException if the thread is interrupted, or the person presses Ctrl-C
     */
    String line(String prompt, String prefilled) throws LeftException, InterruptedException {
        try {
            return reader.readLine(literally(prompt) + " ", null, (Character) null, prefilled);
        } catch (UserInterruptException e) {
            dropKey();
            throw new InterruptedException("at a prompt");
        } catch (EndOfFileException e) {
            throw new LeftException();
        }
    }

    /**
     * Takes a Ctrl-C out of the input that came as a signal, too: to the next prompt it would be
     * another one.
     */
    private void dropKey() {
        NonBlockingReader keys = terminal.reader();
        try {
            if (keys.peek(KEY_PATIENCE) == CTRL_C) {
                keys.read();
            }
        } catch (IOException e) {
            // the terminal is gone, and no prompt follows
        }
    }

    /** Escapes %, which begins a pattern for the line reader. */
    private static String literally(String prompt) {
        return prompt.replace("%", "%%");
    }

    /** One of the answers to a question of which one key is enough. */
    record Choice(char key, String meaning) {}

    /** Asks until one of the choices is taken; each may be typed in full, too. */
    char choose(String question, List<Choice> choices) throws LeftException, InterruptedException {
        String keys =
                String.join(
                        ", ",
                        choices.stream()
                                .map(choice -> choice.key() + " = " + choice.meaning())
                                .toList());
        while (true) {
            String typed = line(question + " (" + keys + ")", "").strip().toLowerCase(Locale.ROOT);
            for (Choice choice : choices) {
                if (typed.equals(String.valueOf(choice.key())) || typed.equals(choice.meaning())) {
                    return choice.key();
                }
            }
        }
    }

    /** Lets another program have the terminal. */
    void lend(Borrower borrower) throws IOException, InterruptedException {
        Attributes before = terminal.getAttributes();
        boolean pausable = terminal.canPauseResume();
        if (pausable) {
            terminal.pause(true);
        }
        try {
            borrower.run();
        } finally {
            terminal.setAttributes(before);
            if (pausable) {
                terminal.resume();
            }
        }
    }

    /** Another program at the terminal. */
    @FunctionalInterface
    interface Borrower {
        void run() throws IOException, InterruptedException;
    }

    /** Gives the terminal back as it was. */
    @Override
    public void close() {
        if (borrowed) {
            return;
        }
        try {
            terminal.close();
        } catch (IOException e) {
            // it is gone, and nothing is left to give back
        }
    }
}
