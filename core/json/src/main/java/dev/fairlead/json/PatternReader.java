package dev.fairlead.json;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a regular expression that the JDK has compiled, and finds its cost. Refuses the syntax that
 * ECMA 262 does not have or reads differently: this class would otherwise have to know all syntax
 * of the JDK, and one mistake would hide a costly part in a class or a comment. Flags and anchors
 * of Python and Java that hide nothing are taken: schemas that are made there have them.
 */
final class PatternReader {
    private static final String CHARACTERS = "dDsSwWtnrfv";

    /** Flags that change no structure, for the rest or, with a colon, for a group. */
    private static final Pattern FLAGS = Pattern.compile("\\?[ims]*(?:-[ims]+)?([:)])");

    private final String regex;
    private final int textLength;
    private int at;

    private PatternReader(String regex, int textLength) {
        this.regex = regex;
        this.textLength = textLength;
    }

    /**
     * Returns the cost of an expression for a text of this length.
     *
     * @throws IllegalArgumentException if ECMA 262 does not have its syntax or reads it differently
     */
    static PatternCost cost(String regex, int textLength) {
        return new PatternReader(regex, textLength).alternatives();
    }

    private PatternCost alternatives() {
        PatternCost all = sequence();
        while (takes("|")) {
            all = all.or(sequence());
        }
        return all;
    }

    private PatternCost sequence() {
        PatternCost all = PatternCost.NOTHING;
        while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
            all = all.then(quantified(atom()));
        }
        return all;
    }

    private PatternCost atom() {
        return switch (regex.charAt(at++)) {
            case '(' -> group();
            case '[' -> characterClass();
            case '\\' -> escape();
            case '^', '$' -> PatternCost.PLACE;
            case '{' -> throw refused("a count of nothing"); // the JDK repeats an empty text
            default -> PatternCost.CHARACTER;
        };
    }

    private PatternCost quantified(PatternCost atom) {
        PatternCost all = atom;
        if (takes("?")) {
            all = atom.repeated(0, 1);
        } else if (takes("*")) {
            all = atom.repeated(0, Integer.MAX_VALUE);
        } else if (takes("+")) {
            all = atom.repeated(1, Integer.MAX_VALUE);
        } else if (takes("{")) {
            int min = number();
            int max = !takes(",") ? min : next() == '}' ? Integer.MAX_VALUE : number();
            at++; // the brace
            all = atom.repeated(min, max);
        } else {
            return atom;
        }
        if (takes("+")) {
            throw refused("a possessive quantifier");
        }
        takes("?");
        return all;
    }

    private int number() {
        int start = at;
        while (Character.isDigit(next())) {
            at++;
        }
        return Integer.parseInt(regex.substring(start, at));
    }

    private PatternCost group() {
        PatternCost group;
        if (takes("?=") || takes("?!")) {
            group = alternatives().lookahead();
        } else if (takes("?<=") || takes("?<!")) {
            group = alternatives().lookbehind(textLength);
        } else {
            Matcher flags = FLAGS.matcher(regex).region(at, regex.length());
            if (takes("?<")) { // a name
                at = regex.indexOf('>', at) + 1;
            } else if (flags.lookingAt()) {
                at = flags.end();
                if (flags.group(1).equals(")")) {
                    return PatternCost.NOTHING;
                }
            } else if (next() == '?') {
                throw refused("(" + regex.substring(at, Math.min(at + 2, regex.length())));
            }
            group = alternatives().group();
        }
        at++; // the parenthesis
        return group;
    }

    private PatternCost characterClass() {
        takes("^");
        if (next() == ']') {
            throw refused("an empty class");
        }
        while (!takes("]")) {
            if (at >= regex.length() || takes("[")) {
                throw refused("[ in a class");
            } else if (takes("&&")) {
                throw refused("&& in a class");
            } else if (takes("\\")) {
                escape();
            } else {
                at++;
            }
        }
        return PatternCost.CHARACTER;
    }

    private PatternCost escape() {
        char c = regex.charAt(at++);
        if (c == 'b' && takes("{g")) { // of graphemes
            throw refused("\\b{g");
        } else if ("bBAzZ".indexOf(c) >= 0) {
            return PatternCost.PLACE;
        } else if (c == 'k' || c >= '1' && c <= '9') {
            at = c == 'k' ? regex.indexOf('>', at) + 1 : at;
            while (Character.isDigit(next())) { // perhaps characters, which cost less
                at++;
            }
            return PatternCost.REFERENCE;
        } else if ((c == 'p' || c == 'P') && next() == '{') {
            at = regex.indexOf('}', at) + 1;
        } else if (c == 'p'
                || c == 'P'
                || c == 'c' && isLetter(next())
                || c == 'x' && next() != '{') {
            at++; // the second digit is read as a character
        } else if (c == '0' || isLetter(c) && c != 'u' && CHARACTERS.indexOf(c) < 0) {
            throw refused("\\" + c);
        }
        return PatternCost.CHARACTER;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private char next() {
        return at < regex.length() ? regex.charAt(at) : '\0';
    }

    private boolean takes(String text) {
        boolean isNext = regex.startsWith(text, at);
        at += isNext ? text.length() : 0;
        return isNext;
    }

    private IllegalArgumentException refused(String syntax) {
        return new IllegalArgumentException(
                "a regular expression with "
                        + syntax
                        + ", which ECMA 262 does not have or reads differently: "
                        + regex);
    }
}
