package dev.fairlead.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A dated revision of the protocol, oldest first, so that {@link #compareTo} orders by age. */
public enum Revision {
    V2024_11_05("2024-11-05"),
    V2025_03_26("2025-03-26"),
    V2025_06_18("2025-06-18"),
    V2025_11_25("2025-11-25");

    /** The newest revision whose sessions begin with {@code initialize}. */
    public static final Revision NEWEST_WITH_HANDSHAKE = V2025_11_25;

    private static final Map<String, Revision> BY_DATE =
            Arrays.stream(values())
                    .collect(Collectors.toUnmodifiableMap(Revision::date, Function.identity()));

    private final String date;

    Revision(String date) {
        this.date = date;
    }

    /** The name on the wire, such as {@code 2025-11-25}. */
    public String date() {
        return date;
    }

    public boolean isAtLeast(Revision other) {
        return compareTo(other) >= 0;
    }

    /** The revision of this name, or empty where it is not one that is served here. */
    public static Optional<Revision> of(String date) {
        return Optional.ofNullable(BY_DATE.get(date));
    }

    /** All names, newest first. */
    public static List<String> dates() {
        return Arrays.stream(values())
                .map(Revision::date)
                .sorted(java.util.Comparator.reverseOrder())
                .toList();
    }

    @Override
    public String toString() {
        return date;
    }
}
