package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The violations that were found while one value is read, and the options of reading. Shapes
 * continue after a violation so that all of them are reported. Paths are put together on the way
 * out, so that a value without fault pays nothing for them.
 *
 * <p>A violation of a part that is left out costs that part alone: it moves from the violations to
 * the omissions.
 */
final class Reading {
    /** More violations than this are counted, not kept. */
    static final int MAX_VIOLATIONS = 50;

    private static final int MAX_SEGMENT = 64;
    private static final int MAX_TEXT = 500;

    private final boolean strict;
    private final boolean fromText;
    private final boolean tolerant;
    private final List<JsonViolation> violations = new ArrayList<>(0);
    private final List<JsonViolation> omitted = new ArrayList<>(0);
    private @Nullable MatchingBudget matching; // made when the first pattern is matched
    private @Nullable Passed passed;
    private boolean isOther;

    /**
     * Members of the outermost object that are passed over.
     *
     * @param names at most 31
     * @param expected the text that they have; null if they may have any value
     * @param unknown whether all members are passed over that the type does not know
     */
    record Passed(List<String> names, @Nullable String expected, boolean unknown) {
        private static final int MOST = Integer.SIZE - 1; // each has a bit while an object is read

        Passed {
            if (names.size() > MOST) {
                throw new IllegalArgumentException(
                        "At most " + MOST + " members can be passed over, not " + names.size());
            }
        }
    }

    private int failures;
    private int omissions;

    /**
     * @param tolerant whether parts that cannot be read are left out where that is possible
     * @param passed null for none
     */
    Reading(boolean strict, boolean fromText, boolean tolerant, @Nullable Passed passed) {
        this.strict = strict;
        this.fromText = fromText;
        this.tolerant = tolerant;
        this.passed = passed;
    }

    /** Returns the members of the outermost object to pass over, to the first caller alone. */
    @Nullable Passed takePassed() {
        Passed members = passed;
        passed = null;
        return members;
    }

    /** Passes over the value of such a member. */
    void pass(Passed members, JsonReader reader) {
        if (members.expected() == null) {
            reader.skip();
        } else if (reader.kind() == JsonReader.Kind.STRING) {
            isOther |= !reader.isString(members.expected());
        } else {
            isOther |= reader.kind() != JsonReader.Kind.NULL; // which is as if it were absent
            reader.skip();
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

    /** Whether numbers, booleans and members of records may also be written as strings. */
    boolean fromText() {
        return fromText;
    }

    /** Whether parts that cannot be read are left out where that is possible. */
    boolean tolerant() {
        return tolerant;
    }

    /** Returns the remaining budget of matching texts. */
    MatchingBudget matching() {
        MatchingBudget budget = matching == null ? new MatchingBudget() : matching;
        matching = budget;
        return budget;
    }

    /** A mark of now, for the methods that take one. */
    long mark() {
        return (long) omitted.size() << Integer.SIZE | failures;
    }

    boolean failedSince(long mark) {
        return failures != (int) mark;
    }

    /** Leaves out the value that has failed since the mark: its violations become omissions. */
    void omitSince(long mark) {
        int from = (int) mark;
        omissions += failures - from;
        for (int i = from; i < violations.size() && omitted.size() < MAX_VIOLATIONS; i++) {
            omitted.add(violations.get(i));
        }
        forgetSince(mark);
    }

    /** Removes the violations since the mark. */
    void forgetSince(long mark) {
        int from = (int) mark;
        if (from < violations.size()) {
            violations.subList(from, violations.size()).clear();
        }
        failures = from;
    }

    /** The first parts that were left out, at most {@value #MAX_VIOLATIONS}. */
    List<JsonViolation> omitted() {
        return List.copyOf(omitted);
    }

    /** How many violations have led to omissions. */
    int omissions() {
        return omissions;
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

    /**
     * Reads a value that should be an object and is not; returns whether it counts as an empty one.
     */
    boolean isEmptyArray(JsonReader reader) {
        if (strict || reader.kind() != JsonReader.Kind.ARRAY) {
            wrongKind("an object", reader);
            return false;
        }
        boolean isEmpty = reader.skipsEmptyArray();
        if (!isEmpty) {
            fail("must be an object but was an array");
        }
        return isEmpty;
    }

    /** Puts the violations since the mark below the member of this name. */
    void under(long mark, String name) {
        if (mark() != mark) {
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

    /** Returns a text of a peer, cut where it is longer than a violation may have it. */
    static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "…";
    }

    /** Puts the violations since the mark below the element of this index. */
    void under(long mark, int index) {
        if (mark() != mark) {
            prefix(mark, "[" + index + "]");
        }
    }

    private void prefix(long mark, String segment) {
        prefix(violations, (int) mark, segment);
        prefix(omitted, (int) (mark >>> Integer.SIZE), segment);
    }

    private static void prefix(List<JsonViolation> found, int from, String segment) {
        for (int i = from; i < found.size(); i++) {
            JsonViolation violation = found.get(i);
            String rest = violation.path();
            String path =
                    rest.isEmpty() || rest.startsWith("[") ? segment + rest : segment + "." + rest;
            found.set(i, violation(path, violation.message()));
        }
    }

    /** Ends the reading: throws the violations. */
    void throwViolations() {
        if (failures > 0) {
            throw new JsonBindingException(violations);
        }
    }
}
