package dev.fairlead.cli.ask;

import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;

import java.io.IOException;

/** Takes the terminal of a command, which gives it back by closing it. */
public interface Terminals {
    /**
     * Opens the terminal for questions: prompts go to standard error, and signals to the program.
     *
     * @throws IOException if there is none
     */
    Terminal forQuestions() throws IOException;

    /**
     * Opens the terminal for an interactive session, which takes its signals, too.
     *
     * @throws IOException if there is none
     */
    Terminal forSession() throws IOException;

    /** The terminal of this process. */
    static Terminals ofProcess() {
        return new OfProcess();
    }

    /** The terminals of this process; neither of them asks the terminal about grapheme clusters. */
    final class OfProcess implements Terminals {
        private static final Size USUAL_SIZE = Size.of(80, 24);

        private OfProcess() {}

        @Override
        public Terminal forQuestions() throws IOException {
            Terminal terminal =
                    TerminalBuilder.builder()
                            .system(true)
                            .systemOutput(SystemOutput.SysErr)
                            .dumb(true)
                            .nativeSignals(false)
                            .graphemeCluster(false)
                            .build();
            if (terminal.getSize().getColumns() <= 0) { // a terminal that does not know it
                terminal.setSize(USUAL_SIZE);
            }
            return terminal;
        }

        @Override
        public Terminal forSession() throws IOException {
            return TerminalBuilder.builder().system(true).dumb(true).graphemeCluster(false).build();
        }
    }
}
