package dev.fairlead.json;

import java.util.Arrays;

/**
 * Where the members of an object stand in its text, noted while it was passed over, so that they
 * need not be searched again, and objects and arrays among them need no second look. Positions
 * count from the start of the object. Changed by one thread until the object has been read;
 * constant after that.
 */
final class MemberIndex {
    /** The index of a text of which nothing was noted. */
    static final MemberIndex NONE = new MemberIndex(new int[0], false);

    /** Returned where an index has no such member. */
    static final int ABSENT = -1;

    /** Objects with more members are searched instead: there are few of them in a message. */
    private static final int MOST = 8;

    private static final int USUAL = 3;

    private static final int NUMBERS = 4; // for each member: both ends of its name and of its value

    private int[] positions;
    private int used;
    private boolean isComplete;

    private MemberIndex(int[] positions, boolean isComplete) {
        this.positions = positions;
        this.isComplete = isComplete;
    }

    /** An index of an object of which no member was passed over yet. */
    static MemberIndex empty() {
        return new MemberIndex(new int[USUAL * NUMBERS], true);
    }

    /** Notes the next member, whose name is ASCII without escapes, unless it was dropped. */
    void add(int nameFrom, int nameTo, int from, int to) {
        if (!isComplete) {
            return;
        }
        if (used == MOST * NUMBERS) {
            drop();
            return;
        }
        if (used == positions.length) {
            positions = Arrays.copyOf(positions, MOST * NUMBERS);
        }
        positions[used++] = nameFrom;
        positions[used++] = nameTo;
        positions[used++] = from;
        positions[used++] = to;
    }

    /** No names are found from here on, since those that are noted are not all. */
    void drop() {
        isComplete = false;
    }

    /** Whether {@link #find} knows all members. */
    boolean isComplete() {
        return isComplete;
    }

    /** Returns a number for the first member with this name, or {@link #ABSENT}. */
    int find(String name, byte[] bytes, int offset) {
        for (int member = 0; member < used; member += NUMBERS) {
            int from = offset + positions[member];
            if (Utf8.isText(name, bytes, from, offset + positions[member + 1])) {
                return member;
            }
        }
        return ABSENT;
    }

    /** Where the value of a member starts. */
    int from(int member) {
        return positions[member + 2];
    }

    /** Where the value of a member ends. */
    int to(int member) {
        return positions[member + 3];
    }

    /** Where the value ends that starts at a position, or {@link #ABSENT} if it was not noted. */
    int endOf(int from) {
        for (int member = 0; member < used; member += NUMBERS) {
            if (from(member) == from) {
                return to(member);
            }
        }
        return ABSENT;
    }
}
