package dev.fairlead.json;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression whose matching ends in bounded time.
 *
 * <p>The engine of the JDK backtracks, so that a short text can keep {@code (a+)+$} busy for years.
 * It looks at its text through {@link CharSequence#charAt}, and every step of backtracking does:
 * counting these calls bounds the time on the matching thread itself, with the same result on every
 * machine. The steps of the engine without a look are bounded by {@link PatternCost}: those from
 * each place of the text are paid before matching, and every call counts for as many steps as can
 * lie between two of them.
 */
final class BoundedPattern {
    private static final int STEPS = 1_000_000;
    private static final int STEPS_PER_CHARACTER = 64;

    /** The most steps without a look, from each place of a text. */
    private static final int MAX_BLIND_STEPS = 10_000;

    /** Steps between two looks that cost no more than one. */
    private static final int FREE_STEPS = 8;

    private final String regex;
    private final Pattern pattern;
    private final PatternCost cost; // for a text without characters
    private final boolean looksBehind; // which costs more in a longer text

    private BoundedPattern(String regex, Pattern pattern) {
        this.regex = regex;
        this.pattern = pattern;
        this.cost = PatternReader.cost(regex, 0);
        this.looksBehind = regex.contains("(?<=") || regex.contains("(?<!");
    }

    static BoundedPattern of(String regex) {
        return of(regex, regex);
    }

    /**
     * @param inJava the same expression in the syntax of the JDK, of the same structure
     * @throws IllegalArgumentException if this is not a regular expression, if ECMA 262 does not
     *     have its syntax, or if it costs too much in each text
     */
    static BoundedPattern of(String regex, String inJava) {
        BoundedPattern pattern;
        try {
            pattern = new BoundedPattern(regex, Pattern.compile(inJava));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("not a regular expression: " + regex, e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("a regular expression is nested too deeply", e);
        }
        if (Math.max(pattern.cost.steps(), pattern.cost.later()) > MAX_BLIND_STEPS) {
            throw new IllegalArgumentException(
                    "a regular expression that can take more than "
                            + MAX_BLIND_STEPS
                            + " steps at one place of a text");
        }
        return pattern;
    }

    /**
     * Whether the whole text matches.
     *
     * @throws TooCostly if finding out would cost too much
     */
    boolean matches(String text, MatchingBudget budget) {
        try {
            return pattern.matcher(counted(text, budget)).matches();
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
            return pattern.matcher(counted(text, budget)).find();
        } catch (StackOverflowError e) {
            throw new TooCostly();
        }
    }

    private Counted counted(String text, MatchingBudget budget) {
        Counted counted = new Counted(text, budget);
        PatternCost known = cost;
        if (looksBehind) {
            counted.spend(regex.length()); // to read it
            known = PatternReader.cost(regex, text.length());
        }
        counted.spend((text.length() + 1L) * known.steps());
        counted.weight = Math.max(1, known.later() / FREE_STEPS);
        return counted;
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
        private final MatchingBudget budget;
        private long steps;
        private long weight; // steps for each look

        Counted(String text, MatchingBudget budget) {
            this.text = text;
            this.budget = budget;
            this.steps = STEPS + (long) STEPS_PER_CHARACTER * text.length();
            budget.begin(text.length());
        }

        private void spend(long cost) {
            steps -= cost;
            if (steps < 0) {
                throw new TooCostly();
            }
            budget.spend(cost);
        }

        @Override
        public char charAt(int index) {
            spend(weight);
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
