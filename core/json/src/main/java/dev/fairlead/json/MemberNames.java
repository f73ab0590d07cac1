package dev.fairlead.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The decoded member names that a reader looks up by their bytes, so that a name is decoded once.
 *
 * <p>All readers share the names of the records that are bound and those that {@link #know} adds,
 * which no text can change. A long text has a table of its own besides. Both have a fixed number of
 * slots and look at two of them for a name, so that names which are chosen to collide are decoded
 * each time and do no other harm.
 */
public final class MemberNames {
    /** Texts of fewer bytes repeat too few names to repay a table of their own. */
    static final int SHORT_TEXT = 2048;

    private static final int SLOTS = 1024;
    private static final int LONGEST = 64; // bytes; longer names are decoded each time
    private static final Table KNOWN = new Table();

    private static final MemberNames OF_SHORT_TEXTS = new MemberNames(false);

    private final boolean growing;
    private @Nullable Table own; // made for the first name that is not known

    private MemberNames(boolean growing) {
        this.growing = growing;
    }

    /** The names for a reader of a text of so many bytes. */
    static MemberNames forText(int length) {
        return length < SHORT_TEXT ? OF_SHORT_TEXTS : new MemberNames(true);
    }

    /**
     * Adds frequent names that no record has to those of all readers, as far as there are places
     * left.
     */
    public static void know(String... names) {
        synchronized (KNOWN) {
            for (String name : names) {
                KNOWN.add(name);
            }
        }
    }

    /** Returns the name that these bytes are, or null if it is not known. */
    @Nullable String find(byte[] bytes, int from, int to) {
        if (to - from > LONGEST) {
            return null;
        }
        int slot = slot(bytes, from, to);
        String known = KNOWN.get(slot, bytes, from, to);
        return known == null && own != null ? own.get(slot, bytes, from, to) : known;
    }

    /** Keeps a name that is not known, if the text is long, and returns it. */
    String learn(String name, byte[] bytes, int from, int to) {
        if (growing && to - from <= LONGEST) {
            own = own == null ? new Table() : own;
            own.put(slot(bytes, from, to), new Entry(name, Arrays.copyOfRange(bytes, from, to)));
        }
        return name;
    }

    static int slot(byte[] bytes, int from, int to) {
        long hash = to - from;
        int i = from;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            hash = mix(hash, EightBytes.at(bytes, i));
        }
        hash = mix(hash, rest(bytes, i, to));
        return (int)
                (hash
                        >>> Long.numberOfLeadingZeros(
                                SLOTS - 1)); // the upper bits depend on all others
    }

    /** Returns the last bytes, fewer than eight, as a word. */
    private static long rest(byte[] bytes, int from, int to) {
        if (from <= bytes.length - Long.BYTES) {
            return EightBytes.at(bytes, from) & ((1L << (to - from) * Byte.SIZE) - 1);
        }
        long rest = 0;
        for (int i = to - 1; i >= from; i--) {
            rest = rest << Byte.SIZE | bytes[i] & 0xFF;
        }
        return rest;
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> Integer.SIZE;
    }

    private record Entry(String name, byte[] utf8) {}

    /** The slots of names; entries are immutable, so that one thread may read those of another. */
    static final class Table {
        private final @Nullable Entry[] entries = new @Nullable Entry[SLOTS];

        /** Returns the name that these bytes are, or null if it is in neither of its slots. */
        @Nullable String get(int slot, byte[] bytes, int from, int to) {
            String first = at(slot, bytes, from, to);
            return first == null ? at(slot ^ 1, bytes, from, to) : first;
        }

        private @Nullable String at(int slot, byte[] bytes, int from, int to) {
            Entry entry = entries[slot];
            return entry != null && Arrays.equals(entry.utf8, 0, entry.utf8.length, bytes, from, to)
                    ? entry.name
                    : null;
        }

        /** Puts a name in its slot, in place of another. */
        void put(int slot, Entry entry) {
            entries[slot] = entry;
        }

        /** Adds a name where a slot of it is free. */
        void add(String name) {
            byte[] utf8 = name.getBytes(UTF_8);
            if (utf8.length > LONGEST) {
                return;
            }
            int slot = slot(utf8, 0, utf8.length);
            if (get(slot, utf8, 0, utf8.length) == null) {
                int free = entries[slot] == null ? slot : slot ^ 1;
                entries[free] = entries[free] == null ? new Entry(name, utf8) : entries[free];
            }
        }
    }
}
