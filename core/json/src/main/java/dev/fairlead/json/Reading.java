package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What was found wrong while one value is read, and how to read. Shapes continue after a violation
 * so that all of them are reported. Paths are put together on the way out, so that a value without
 * fault pays nothing for them.
 */
final class Reading {
    /** More violations than this are counted, not kept. */
    static final int MAX_VIOLATIONS = 50;

    private static final int MAX_SEGMENT = 64;
    private static final int MAX_TEXT = 500;

    private final boolean strict;
    private final boolean fromText;
    private final List<JsonViolation> violations = new ArrayList<>(0);
    private @Nullable MatchingBudget matching; // made when the first pattern is matched
    private @Nullable Passed passed;
    private @Nullable KnownMember known;
    private boolean isOther;

    /**
     * Members of the outermost object that are passed over.
     *
     * @param names at most 31
     * @param expected the text that they have; null if they may have any value
     */
    record Passed(List<String> names, @Nullable String expected) {
        private static final int MOST = Integer.SIZE - 1; // each has a bit while an object is read

        Passed {
            if (names.size() > MOST) {
                throw new IllegalArgumentException(
                        "At most " + MOST + " members can be passed over, not " + names.size());
            }
        }
    }

    private int failures;

    /**
     * @param passed null for none
     * @param known null for none
     */
    Reading(
            boolean strict,
            boolean fromText,
            @Nullable Passed passed,
            @Nullable KnownMember known) {
        this.strict = strict;
        this.fromText = fromText;
        this.passed = passed;
        this.known = known;
    }

    /** Returns the members of the outermost object to pass over, to the first caller alone. */
    @Nullable Passed takePassed() {
        Passed members = passed;
        passed = null;
        return members;
    }

    /** Returns the member of the outermost object that is known, to the first caller alone. */
    @Nullable KnownMember takeKnown() {
        KnownMember member = known;
        known = null;
        return member;
    }

    /** Passes over the value of such a member. */
    void pass(Passed members, JsonReader reader) {
        if (members.expected() == null) {
            reader.skip();
        } else if (reader.kind() == JsonReader.Kind.STRING) {
            isOther |= !reader.isString(members.expected());
        } else {
            reader.skip();
            isOther = true;
        }
    }

    /** Whether the member that was passed over has another value than expected. */
    boolean isOther() {
        return isOther;
    }

    /** Whether unknown members are violations. */
    boolean strict() {
        return strict;
    }

    /** Whether numbers and booleans may also be written as strings. */
    boolean fromText() {
        return fromText;
    }

    /** What matching texts may still cost. */
    MatchingBudget matching() {
        MatchingBudget budget = matching == null ? new MatchingBudget() : matching;
        matching = budget;
        return budget;
    }

    /** A mark for {@link #failedSince} and {@link #under}. */
    int mark() {
        return failures;
    }

    boolean failedSince(int mark) {
        return failures != mark;
    }

    /** Notes that the value at hand is wrong; gives the null that stands for it. */
    @Nullable Object fail(String message) {
        if (failures++ < MAX_VIOLATIONS) {
            violations.add(violation("", message));
        }
        return null;
    }

    /** Returns the violations in parentheses; an empty text if there are none. */
    String causes() {
        return violations.isEmpty()
                ? ""
                : violations.stream()
                        .map(JsonViolation::toString)
                        .collect(Collectors.joining("; ", " (", ")"));
    }

    /** Passes over a value of the wrong kind and notes it. */
    @Nullable Object wrongKind(String expected, JsonReader reader) {
        JsonReader.Kind kind = reader.kind();
        reader.skip();
        return failures < MAX_VIOLATIONS
                ? fail("must be " + expected + " but was " + kind.phrase())
                : fail("");
    }

    /** Puts the violations since the mark below the member of this name. */
    void under(int mark, String name) {
        if (failures != mark) {
            prefix(mark, segment(name));
        }
    }

    /** A name as part of a path; names come from the peer and may be of any length. */
    static String segment(String name) {
        return name.length() <= MAX_SEGMENT ? name : name.substring(0, MAX_SEGMENT) + "…";
    }

    /** A violation whose texts, which come from values and schemas of a peer, are cut. */
    static JsonViolation violation(String path, String message) {
        return new JsonViolation(cut(path), cut(message));
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    /** Puts the violations since the mark below the element of this index. */
    void under(int mark, int index) {
        if (failures != mark) {
            prefix(mark, "[" + index + "]");
        }
    }

    private void prefix(int mark, String segment) {
        for (int i = mark; i < violations.size(); i++) {
            JsonViolation violation = violations.get(i);
            String rest = violation.path();
            String path =
                    rest.isEmpty() || rest.startsWith("[") ? segment + rest : segment + "." + rest;
            violations.set(i, violation(path, violation.message()));
        }
    }

    /** Ends the reading: throws what was found. */
    void throwViolations() {
        if (failures > 0) {
            throw new JsonBindingException(violations);
        }
    }
}
