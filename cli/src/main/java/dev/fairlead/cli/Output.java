package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;

import java.util.List;

/** Prints the one answer of a command, and what went wrong. For use by one thread. */
final class Output {
    private final Console console;
    private final boolean json;
    private boolean answered;

    Output(Console console, boolean json) {
        this.console = console;
        this.json = json;
    }

    /** Prints what the server answered, as it is or for people. */
    void answer(JsonObject answer, View view) {
        if (json) {
            document(answer);
        } else {
            print(view.lines(answer, console.screen()));
        }
        answered = true;
    }

    /**
     * Says what went wrong; only beside the answer where that is printed already, for standard
     * output takes one document.
     *
     * @return the exit status
     */
    int failure(Failure failure) {
        if (json && !answered) {
            document(JsonObject.of("error", failure.error()));
        }
        boolean wanted = failure.status() == ExitStatus.INTERRUPTED;
        console.say(wanted ? failure.message() : "fairlead: " + failure.message());
        return failure.status();
    }

    private void print(List<String> lines) {
        if (!lines.isEmpty()) {
            console.out().println(String.join("\n", lines));
        }
    }

    private void document(JsonObject document) {
        byte[] line = RawJson.of(document).toBytes();
        console.out().write(line, 0, line.length);
        console.out().println();
        console.out().flush();
    }
}
