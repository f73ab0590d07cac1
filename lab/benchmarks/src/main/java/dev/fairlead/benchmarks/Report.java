package dev.fairlead.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** The results of a measurement. */
public final class Report {
    private final PrintStream out;
    private final List<String> missed = new ArrayList<>();

    public Report(PrintStream out) {
        this.out = out;
    }

    public void print(Table table) {
        table.print(out);
    }

    public void line(String text) {
        out.println(text);
        out.flush();
    }

    /** Compares a figure with its target; whether it is met, in a word. */
    public String check(String what, double figure, Target target) {
        if (target.isMetBy(figure)) {
            return "met";
        }
        missed.add(what + " is " + Table.number(figure) + ", not " + target);
        return "MISSED";
    }

    /** Reports that there is no figure to compare with a target, which is thus not met. */
    public String unmeasured(String what) {
        missed.add(what + " was not measured");
        return "NOT MEASURED";
    }

    /** The targets that were missed. */
    public List<String> missed() {
        return List.copyOf(missed);
    }
}
