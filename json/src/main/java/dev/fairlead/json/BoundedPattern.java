package dev.fairlead.json;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression whose matching ends in bounded time.
 *
 * <p>The engine of the JDK backtracks, so that a short text can keep {@code (a+)+$} busy for years.
 * It looks at its text through {@link CharSequence#charAt}, and every step of backtracking does:
 * counting these calls bounds the time on the matching thread itself, with the same result on every
 * machine.
 */
final class BoundedPattern {
    private static final int STEPS = 1_000_000;
    private static final int STEPS_PER_CHARACTER = 64;

    private final Pattern pattern;

    private BoundedPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /**
     * @throws IllegalArgumentException if this is no regular expression
     */
    static BoundedPattern of(String regex) {
        try {
            return new BoundedPattern(Pattern.compile(regex));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("not a regular expression: " + regex, e);
        } catch (StackOverflowError e) {
            throw new IllegalArgumentException("a regular expression is nested too deeply", e);
        }
    }

    /** Whether the whole text matches; false also if finding out would cost too much. */
    boolean matches(String text) {
        try {
            return pattern.matcher(counted(text)).matches();
        } catch (TooCostly | StackOverflowError e) {
            return false;
        }
    }

    /**
     * Whether the expression matches somewhere in the text.
     *
     * @throws TooCostly if finding out would cost too much: "no" would be the wrong answer inside a
     *     {@code not}
     */
    boolean finds(String text) {
        try {
            return pattern.matcher(counted(text)).find();
        } catch (StackOverflowError e) {
            throw new TooCostly();
        }
    }

    private static CharSequence counted(String text) {
        return new Counted(text, STEPS + (long) STEPS_PER_CHARACTER * text.length());
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
        private long steps;

        Counted(String text, long steps) {
            this.text = text;
            this.steps = steps;
        }

        @Override
        public char charAt(int index) {
            if (steps-- <= 0) {
                throw new TooCostly();
            }
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
