package dev.fairlead.json;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression whose matching ends in bounded time.
 *
 * <p>The engine of the JDK backtracks, so that a short text can keep {@code (a+)+$} busy for years.
 * It looks at its text through {@link CharSequence#charAt}, and every step of backtracking does:
 * counting these calls bounds the time on the matching thread itself, with the same result on every
 * machine. Repeats in which the engine does not look at its text are bounded by {@link
 * EmptyRepeats}, and every call counts for as many steps as lie between two of them.
 */
final class BoundedPattern {
    private static final int STEPS = 1_000_000;
    private static final int STEPS_PER_CHARACTER = 64;

    private static final int MAX_EMPTY_REPEATS = 10_000;
    private static final int FREE_EMPTY_REPEATS = 8;

    private final Pattern pattern;
    private final int weight; // steps for each look at the text

    private BoundedPattern(Pattern pattern, int weight) {
        this.pattern = pattern;
        this.weight = weight;
    }

    /**
     * @throws IllegalArgumentException if this is not a regular expression
     */
    static BoundedPattern of(String regex) {
        long repeats = EmptyRepeats.of(regex);
        if (repeats > MAX_EMPTY_REPEATS) {
            throw new IllegalArgumentException(
                    "a regular expression that repeats groups more than "
                            + MAX_EMPTY_REPEATS
                            + " times");
        }
        try {
            int weight = (int) Math.max(1, repeats / FREE_EMPTY_REPEATS);
            return new BoundedPattern(Pattern.compile(regex), weight);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("not a regular expression: " + regex, e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("a regular expression is nested too deeply", e);
        }
    }

    /**
     * Whether the whole text matches.
     *
     * @throws TooCostly if finding out would cost too much
     */
    boolean matches(String text, MatchingBudget budget) {
        try {
            return pattern.matcher(new Counted(text, weight, budget)).matches();
        } catch (StackOverflowError e) {
            throw new TooCostly();
        }
    }

    /**
     * Whether the expression matches somewhere in the text.
     *
     * @throws TooCostly if finding out would cost too much: "no" would be the wrong answer inside a
     *     {@code not}
     */
    boolean finds(String text, MatchingBudget budget) {
        try {
            return pattern.matcher(new Counted(text, weight, budget)).find();
        } catch (StackOverflowError e) {
            throw new TooCostly();
        }
    }

    /** Matching was given up. */
    static final class TooCostly extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooCostly() {
            super("matching costs too much", null, false, false);
        }
    }

    private static final class Counted implements CharSequence {
        private final String text;
        private final int weight;
        private final MatchingBudget budget;
        private long steps;

        Counted(String text, int weight, MatchingBudget budget) {
            this.text = text;
            this.weight = weight;
            this.budget = budget;
            this.steps = STEPS + (long) STEPS_PER_CHARACTER * text.length();
            budget.grant(text.length());
        }

        @Override
        public char charAt(int index) {
            steps -= weight;
            if (steps < 0) {
                throw new TooCostly();
            }
            budget.spend(weight);
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
