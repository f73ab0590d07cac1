package dev.fairlead.cli;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Printable;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Prints the one answer of a command, or its failure. For use by one thread. */
final class Output {
    private final Console console;
    private final boolean json;
    private boolean answered;

    Output(Console console, boolean json) {
        this.console = console;
        this.json = json;
    }

    /**
     * Prints the answer of work that needs no server, or its failure.
     *
     * @return the exit status
     */
    int answer(Supplier<JsonObject> work, View view) {
        try {
            answer(work.get(), view);
            return ExitStatus.OK;
        } catch (RuntimeException e) {
            return failure(Failure.of(e));
        }
    }

    /** Prints the answer of the server, as JSON or for people. */
    void answer(JsonObject answer, View view) {
        if (json) {
            document(answer);
        } else {
            print(view.lines(answer, console.screen()));
        }
        answered = true;
    }

    /**
     * Prints something that happened, as JSON in one line or for people.
     *
     * @return false if it cannot be printed, because the reader has left or the disk is full
     */
    boolean event(JsonObject event, String line) {
        if (json) {
            document(event);
        } else {
            print(List.of(Printable.line(line)));
        }
        answered = true;
        return !console.out().checkError();
    }

    /**
     * Reports a failure, on standard error in one line: its text may be a server's. With {@code
     * --json} it is also the document on standard output, unless the answer is printed there
     * already.
     *
     * @return the exit status
     */
    int failure(Failure failure) {
        if (json && !answered) {
            document(JsonObject.of("error", failure.error()));
        }
        boolean wanted = failure.status() == ExitStatus.INTERRUPTED;
        String message = Printable.line(failure.message());
        console.say(wanted ? message : "fairlead: " + message);
        return failure.status();
    }

    private void print(List<String> lines) {
        if (!lines.isEmpty()) {
            console.out().println(String.join("\n", lines));
        }
    }

    /** Characters that could control a terminal are escaped, which leaves the JSON the same. */
    private void document(JsonObject document) {
        byte[] line = escaped(RawJson.of(document));
        console.out().write(line, 0, line.length);
        console.out().println();
        console.out().flush();
    }

    private static byte[] escaped(RawJson json) {
        byte[] bytes = json.toBytes();
        for (byte unit : bytes) {
            if (unit < ' ' || unit > '~') { // negative beyond ASCII
                return Printable.text(json.toJson()).getBytes(StandardCharsets.UTF_8);
            }
        }
        return bytes;
    }
}
