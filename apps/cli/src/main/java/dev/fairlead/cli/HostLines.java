package dev.fairlead.cli;

import dev.fairlead.cli.hosts.Host;
import dev.fairlead.cli.view.IndentedJson;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Printable;

import java.util.ArrayList;
import java.util.List;

/** The change of a host's file as people see it. */
final class HostLines {
    private HostLines() {}

    /** The answer of {@code install}. */
    static List<String> installed(JsonObject answer, Screen screen) {
        if (!answer.has("host")) {
            return IndentedJson.lines(answer);
        }
        List<String> lines = new ArrayList<>();
        boolean replaced = answer.get("replaced") == JsonBoolean.TRUE;
        lines.add(changed(answer, replaced ? "Replaced" : "Added", replaced ? "replace" : "add"));
        lines.addAll(IndentedJson.lines(answer.object("definition")));
        if (isWritten(answer)) {
            addCopy(lines, answer);
            lines.add(host(answer).next());
            lines.add(
                    "Try it:  fairlead tools list "
                            + answer.string("host")
                            + ":"
                            + answer.string("name"));
        }
        return lines;
    }

    /** The answer of {@code uninstall}. */
    static List<String> uninstalled(JsonObject answer, Screen screen) {
        List<String> lines = new ArrayList<>();
        lines.add(changed(answer, "Removed", "remove"));
        if (isWritten(answer)) {
            addCopy(lines, answer);
        }
        return lines;
    }

    private static String changed(JsonObject answer, String done, String wouldDo) {
        return Printable.line(
                (isWritten(answer) ? done : "Would " + wouldDo)
                        + " "
                        + answer.string("name")
                        + " in the file of "
                        + host(answer).title()
                        + ", "
                        + answer.string("file"));
    }

    private static void addCopy(List<String> lines, JsonObject answer) {
        if (answer.has("copy")) {
            lines.add(Printable.line("The file as it was: " + answer.string("copy")));
        }
    }

    private static boolean isWritten(JsonObject answer) {
        return answer.get("written") == JsonBoolean.TRUE;
    }

    private static Host host(JsonObject answer) {
        return Host.of(answer.string("host")).orElseThrow();
    }
}
