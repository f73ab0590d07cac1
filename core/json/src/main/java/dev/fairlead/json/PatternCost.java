package dev.fairlead.json;

/**
 * A bound for the steps that the engine of the JDK makes with a part of a regular expression
 * without looking at its text, as {@code ((){1000}){1000}} makes a million and {@code (|)(|)(|)$}
 * eight. Steps on the way to a character are not counted: there are at most as many as nodes.
 *
 * @param steps before the first look, with all ways that are tried
 * @param exits the ways to the end of the part without a look
 * @param later the most steps after a look within the part, before the next one or its end
 * @param laterExits the most ways from such a look to the end of the part
 * @param nodes the size of the part
 * @param length the most characters that the part matches
 */
record PatternCost(long steps, long exits, long later, long laterExits, long nodes, long length) {
    /** Larger numbers count as this one; a product of two is still a {@code long}. */
    private static final long MAX = Integer.MAX_VALUE;

    static final PatternCost NOTHING = new PatternCost(0, 1, 0, 0, 0, 0);
    static final PatternCost CHARACTER = new PatternCost(0, 0, 0, 1, 1, 1);

    /** An anchor or a word boundary. */
    static final PatternCost PLACE = new PatternCost(1, 1, 0, 0, 1, 0);

    /** A reference to a group, which may be empty. */
    static final PatternCost REFERENCE = new PatternCost(1, 1, 0, 1, 1, MAX);

    PatternCost {
        steps = Math.min(steps, MAX);
        exits = Math.min(exits, MAX);
        later = Math.min(later, MAX);
        laterExits = Math.min(laterExits, MAX);
        nodes = Math.min(nodes, MAX);
        length = Math.min(length, MAX);
    }

    PatternCost then(PatternCost next) {
        return new PatternCost(
                steps + next.times(exits),
                exits * next.exits,
                Math.max(later + next.times(laterExits), next.later),
                Math.max(laterExits * next.exits, next.laterExits),
                nodes + next.nodes,
                length + next.length);
    }

    PatternCost or(PatternCost other) {
        return new PatternCost(
                steps + other.steps,
                exits + other.exits,
                Math.max(later, other.later),
                Math.max(laterExits, other.laterExits),
                nodes + other.nodes,
                Math.max(length, other.length));
    }

    /** A quantifier. Beyond the minimum, the engine stops at the first empty round. */
    PatternCost repeated(int min, int max) {
        long rounds = exits == 0 ? 1 : Math.max(1, min == max ? min : min + 1L);
        boolean canEndEarlier = min == 0 || exits > 0 && min < max;
        PatternCost all =
                new PatternCost(
                        times(rounds),
                        canEndEarlier ? exits + 1 : exits,
                        later,
                        laterExits * (exits + 1),
                        nodes + 1,
                        length * max);
        return new PatternCost(
                all.steps,
                all.exits,
                later + all.times(laterExits),
                all.laterExits,
                all.nodes,
                all.length);
    }

    PatternCost group() {
        return new PatternCost(steps + 1, exits, later, laterExits, nodes + 1, length);
    }

    PatternCost lookahead() {
        return lookaround(1);
    }

    /** A look back from a place of a text of this length, which is tried from each place before. */
    PatternCost lookbehind(int textLength) {
        return lookaround(Math.min(length, textLength) + 1);
    }

    /** The first way through it is the only one. */
    private PatternCost lookaround(long places) {
        return new PatternCost(1 + places * steps, 1, later, 0, nodes + 1, 0);
    }

    /** At the end of a text there are no characters to look at: each node is a step. */
    private long times(long count) {
        return count <= 1 ? count * steps : count * Math.max(steps, nodes);
    }
}
