package dev.fairlead.cli.view;

import dev.fairlead.protocol.Printable;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was meant where an unknown one was typed. */
public final class Suggestion {
    private static final int LONGEST = 200;

    private Suggestion() {}

    /**
     * The question for a message, such as {@code ; did you mean "list"?}; empty if none is close.
     */
    public static String question(String typed, Collection<String> known) {
        return of(typed, known)
                .map(name -> "; did you mean " + '"' + Printable.line(name) + '"' + "?")
                .orElse("");
    }

    /** The known name that is closest to the typed one; empty if none is close. */
    public static Optional<String> of(String typed, Collection<String> known) {
        if (typed.length() > LONGEST) {
            return Optional.empty();
        }
        return known.stream()
                .filter(name -> name.length() <= LONGEST && distance(typed, name) <= allowed(typed))
                .min(Comparator.comparingInt(name -> distance(typed, name)))
                .or(() -> started(typed, known));
    }

    /** The only name that starts so. */
    private static Optional<String> started(String typed, Collection<String> known) {
        var found = known.stream().filter(name -> name.startsWith(typed)).toList();
        return typed.length() >= 3 && found.size() == 1
                ? Optional.of(found.getFirst())
                : Optional.empty();
    }

    private static int allowed(String typed) {
        return Math.max(1, typed.length() / 3);
    }

    /**
     * Insertions, deletions, replacements and swaps of neighbours; case and separators are equal.
     */
    private static int distance(String typed, String name) {
        String a = normal(typed);
        String b = normal(name);
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }

    private static String normal(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '_').replace('.', '_');
    }
}
