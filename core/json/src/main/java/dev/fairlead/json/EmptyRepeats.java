package dev.fairlead.json;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Counts how often a regular expression can make the engine repeat a step without looking at its
 * text, as {@code ((){1000}){1000}} does a million times: counted repeats of groups, and of
 * expressions that match a place, multiplied where they are nested.
 */
final class EmptyRepeats {
    private final String regex;
    private final Deque<Long> outer = new ArrayDeque<>();
    private int at;
    private long most = 1; // of the expressions read at this level of groups
    private long last = 1; // of the group that was read last; 0 if a character was

    private EmptyRepeats(String regex) {
        this.regex = regex;
    }

    /** The largest product of nested repeats, at least 1. */
    static long of(String regex) {
        return new EmptyRepeats(regex).count();
    }

    private long count() {
        while (at < regex.length()) {
            char c = regex.charAt(at++);
            switch (c) {
                case '\\' -> escape();
                case '[' -> skipClass();
                case '(' -> {
                    outer.push(most);
                    most = 1;
                    last = 0;
                }
                case ')' -> {
                    last = most;
                    most = outer.isEmpty() ? most : Math.max(outer.pop(), most);
                }
                case '{' -> repeat();
                case '^', '$' -> last = 1;
                default -> last = c == '*' || c == '+' || c == '?' ? last : 0;
            }
        }
        while (!outer.isEmpty()) {
            most = Math.max(outer.pop(), most);
        }
        return most;
    }

    /** Places and references to groups can match nothing, characters cannot. */
    private void escape() {
        if (at == regex.length()) {
            return;
        }
        char c = regex.charAt(at++);
        if (c == 'Q') { // a quotation
            int end = regex.indexOf("\\E", at);
            at = end < 0 ? regex.length() : end + 2;
            last = 0;
        } else if (c == 'p' || c == 'P' || c == 'x' || c == 'N' || c == 'k') {
            if (at < regex.length() && (regex.charAt(at) == '{' || regex.charAt(at) == '<')) {
                int end = regex.indexOf(regex.charAt(at) == '{' ? '}' : '>', at);
                at = end < 0 ? regex.length() : end + 1;
            }
            last = c == 'k' ? 1 : 0;
        } else {
            last = "bBAGzZ".indexOf(c) >= 0 || c >= '1' && c <= '9' ? 1 : 0;
        }
    }

    private void skipClass() {
        int depth = 1;
        if (at < regex.length() && regex.charAt(at) == '^') {
            at++;
        }
        if (at < regex.length() && regex.charAt(at) == ']') {
            at++;
        }
        while (at < regex.length() && depth > 0) {
            switch (regex.charAt(at++)) {
                case '\\' -> at++;
                case '[' -> depth++;
                case ']' -> depth--;
                default -> {}
            }
        }
        last = 0;
    }

    private void repeat() {
        int end = regex.indexOf('}', at);
        if (end < 0) {
            return;
        }
        if (last > 0) {
            long times = 1;
            for (String bound : regex.substring(at, end).split(",")) {
                times = Math.max(times, number(bound.strip()));
            }
            last = Math.min(last * times, Integer.MAX_VALUE);
            most = Math.max(most, last);
        }
        at = end + 1;
    }

    private static long number(String bound) {
        try {
            return Integer.parseInt(bound);
        } catch (NumberFormatException e) {
            return bound.length() > 9 ? Integer.MAX_VALUE : 1;
        }
    }
}
