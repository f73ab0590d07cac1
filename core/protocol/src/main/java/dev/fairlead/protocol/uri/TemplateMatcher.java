package dev.fairlead.protocol.uri;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Matches a text with literals and values in a row, like a regular expression with greedy groups:
 * of all ways to match, the one in which the first value is longest, then the second, and so on.
 *
 * <p>Both the template and the URI can come from an attacker, so it never tries a position twice:
 * from the last piece to the first it marks the positions from which the rest of the text can be
 * matched, and then walks along these marks. So the time grows with the number of pieces multiplied
 * by the length of the text, and never by more.
 */
final class TemplateMatcher {
    private final List<Piece> pieces = new ArrayList<>();

    private sealed interface Piece {
        /**
         * Returns the positions from which this piece and the rest match.
         *
         * @param rest the positions from which the pieces after this one match
         */
        BitSet starts(String text, BitSet rest);
    }

    /** Adds a text that is not empty. */
    void literal(String text) {
        pieces.add(new Literal(text));
    }

    /**
     * Adds a value.
     *
     * @param before the character in front of the value, which may be absent together with it; null
     *     for a value that is always present
     * @param stops the characters that the value does not contain
     * @param isEmptyAllowed whether it may have no characters
     */
    void value(@Nullable Character before, String stops, boolean isEmptyAllowed) {
        pieces.add(new Value(before, stops, isEmptyAllowed));
    }

    private record Literal(String text) implements Piece {
        @Override
        public BitSet starts(String whole, BitSet rest) {
            BitSet starts = new BitSet(whole.length() + 1);
            int[] borders = borders();
            int matched = 0;
            for (int i = 0; i < whole.length(); i++) {
                matched = longer(text, borders, matched, whole.charAt(i));
                if (matched == text.length() && rest.get(i + 1)) {
                    starts.set(i + 1 - matched);
                }
            }
            return starts;
        }

        /**
         * Returns for each start of the text the length of its longest start that also ends it, as
         * in the algorithm of Knuth, Morris and Pratt. Not kept: it is larger than the text.
         */
        private int[] borders() {
            int[] borders = new int[text.length()];
            for (int i = 1; i < text.length(); i++) {
                borders[i] = longer(text, borders, borders[i - 1], text.charAt(i));
            }
            return borders;
        }
    }

    /** Returns how much of a text is matched with one more character. */
    private static int longer(String text, int[] borders, int matched, char next) {
        int length = matched;
        while (length > 0 && (length == text.length() || text.charAt(length) != next)) {
            length = borders[length - 1];
        }
        return text.charAt(length) == next ? length + 1 : length;
    }

    private record Value(@Nullable Character before, String stops, boolean isEmptyAllowed)
            implements Piece {
        @Override
        public BitSet starts(String text, BitSet rest) {
            BitSet starts = new BitSet(text.length() + 1);
            boolean isInside = false; // whether the value may go on at the next position
            boolean isValue = false; // whether the value may start at the next position
            for (int i = text.length(); i >= 0; i--) {
                boolean isRest = rest.get(i);
                boolean isValueAfter = isValue;
                boolean isLonger = isInside && contains(text, i);
                isInside = isLonger || isRest;
                isValue = isLonger || (isEmptyAllowed && isRest);
                boolean isStart =
                        before == null ? isValue : isRest || (isValueAfter && begins(text, i));
                if (isStart) {
                    starts.set(i);
                }
            }
            return starts;
        }

        private boolean contains(String text, int index) {
            return index < text.length() && stops.indexOf(text.charAt(index)) < 0;
        }

        private boolean begins(String text, int index) {
            return before == null || (index < text.length() && text.charAt(index) == before);
        }

        /** Returns the end of the longest value from a start; -1 if the value is left out. */
        int end(String text, int start, BitSet rest) {
            if (!begins(text, start)) {
                return -1;
            }
            int first = start + (before == null ? 0 : 1);
            int longest = first;
            while (contains(text, longest)) {
                longest++;
            }
            int end = rest.previousSetBit(longest);
            return end >= first + (isEmptyAllowed ? 0 : 1) ? end : -1;
        }
    }

    /**
     * Returns the values in their order, null for those that are left out; empty if the whole text
     * does not match.
     */
    Optional<List<@Nullable String>> match(String text) {
        if (!pieces.isEmpty()
                && pieces.getFirst() instanceof Literal first
                && !text.startsWith(first.text())) {
            return Optional.empty();
        }
        BitSet[] starts = new BitSet[pieces.size() + 1];
        starts[pieces.size()] = new BitSet();
        starts[pieces.size()].set(text.length());
        for (int i = pieces.size() - 1; i >= 0; i--) {
            starts[i] = pieces.get(i).starts(text, starts[i + 1]);
            if (starts[i].isEmpty()) {
                return Optional.empty();
            }
        }
        return starts[0].get(0) ? Optional.of(values(text, starts)) : Optional.empty();
    }

    private List<@Nullable String> values(String text, BitSet[] starts) {
        List<@Nullable String> values = new ArrayList<>();
        int position = 0;
        for (int i = 0; i < pieces.size(); i++) {
            switch (pieces.get(i)) {
                case Literal literal -> position += literal.text().length();
                case Value value -> {
                    int end = value.end(text, position, starts[i + 1]);
                    int first = position + (value.before() == null ? 0 : 1);
                    values.add(end < 0 ? null : text.substring(first, end));
                    position = Math.max(position, end);
                }
            }
        }
        return values;
    }
}
