package dev.fairlead.protocol;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A dated revision of the protocol, oldest first, so that {@link #compareTo} orders by age. */
public enum Revision {
    V2024_11_05("2024-11-05", Era.HANDSHAKE),
    V2025_03_26("2025-03-26", Era.HANDSHAKE),
    V2025_06_18("2025-06-18", Era.HANDSHAKE),
    V2025_11_25("2025-11-25", Era.HANDSHAKE),
    V2026_07_28("2026-07-28", Era.PER_REQUEST);

    /** The newest revision whose sessions begin with {@code initialize}. */
    public static final Revision NEWEST_WITH_HANDSHAKE = V2025_11_25;

    private static final Map<String, Revision> BY_DATE =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(Revision::date, Function.identity()));

    private static final Set<Revision> WITH_HANDSHAKE =
            Arrays.stream(values())
                    .filter(revision -> revision.era == Era.HANDSHAKE)
                    .collect(Collectors.toUnmodifiableSet());

    private final String date;
    private final Era era;

    Revision(String date, Era era) {
        this.date = date;
        this.era = era;
    }

    /** Returns the name on the wire, such as {@code 2025-11-25}. */
    public String date() {
        return date;
    }

    /** Returns the kind of negotiation of this revision. */
    public Era era() {
        return era;
    }

    public boolean isAtLeast(Revision other) {
        return compareTo(other) >= 0;
    }

    /** Returns the revision of this name; empty if this library does not have it. */
    public static Optional<Revision> of(String date) {
        return Optional.ofNullable(BY_DATE.get(date));
    }

    /**
     * Returns the revision of this name, if its sessions begin with {@code initialize}; else empty.
     */
    public static Optional<Revision> withHandshake(String date) {
        return of(date).filter(revision -> revision.era == Era.HANDSHAKE);
    }

    /** Returns all revisions whose sessions begin with {@code initialize}. */
    public static Set<Revision> withHandshake() {
        return WITH_HANDSHAKE;
    }

    /** Returns the names of revisions, newest first. */
    public static List<String> dates(Collection<Revision> revisions) {
        return revisions.stream().sorted(Comparator.reverseOrder()).map(Revision::date).toList();
    }

    @Override
    public String toString() {
        return date;
    }
}
