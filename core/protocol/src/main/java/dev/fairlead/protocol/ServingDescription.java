package dev.fairlead.protocol;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Describes the place and the settings of a running server, for the line that is logged when it
 * starts.
 *
 * @param place the address for clients, such as {@code http://127.0.0.1:3000/mcp}
 * @param details facts of a few words, such as {@code no authorization}
 * @param changedLimits the limits that differ from their defaults, by the names of their options
 */
public record ServingDescription(
        String place, List<String> details, Map<String, String> changedLimits) {
    public ServingDescription {
        Objects.requireNonNull(place, "place");
        details = List.copyOf(details);
        Objects.requireNonNull(changedLimits, "changedLimits");
    }

    /** Creates a description without details. */
    public ServingDescription(String place) {
        this(place, List.of(), Map.of());
    }
}
