package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.completion.CompleteResult.Completion;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** The values that complete an argument, as people see them. */
public final class CompletionList {
    private CompletionList() {}

    /** A line for each value; on a terminal one more that says how many are missing. */
    public static List<String> lines(Completion completion, Screen screen) {
        List<String> lines = new ArrayList<>();
        completion.values().forEach(value -> lines.add(Printable.line(value)));
        Long total = completion.total();
        boolean more = total == null ? isTrue(completion.hasMore()) : total > lines.size();
        if (screen.terminal() && more) {
            String missing = total == null ? "more" : total - lines.size() + " more";
            lines.add(screen.styled(Style.DIM, "and " + missing));
        }
        return lines;
    }

    private static boolean isTrue(@Nullable Boolean value) {
        return Boolean.TRUE.equals(value);
    }
}
