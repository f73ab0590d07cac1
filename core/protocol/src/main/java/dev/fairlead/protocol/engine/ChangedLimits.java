package dev.fairlead.protocol.engine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Collects the limits that differ from their defaults, as text by their names. The calls name each
 * limit: reading the fields by reflection costs classes and milliseconds at every start.
 */
public final class ChangedLimits {
    private final Map<String, String> changed = new LinkedHashMap<>();
    private final Map<String, String> all = new LinkedHashMap<>();

    /** Adds a number if it differs. */
    public ChangedLimits add(String name, int now, int initial) {
        return add(name, now != initial, now == Integer.MAX_VALUE ? "off" : Integer.toString(now));
    }

    /** Adds a number if it differs. */
    public ChangedLimits add(String name, long now, long initial) {
        return add(name, now != initial, Long.toString(now));
    }

    /** Adds a duration if it differs; null is none. */
    public ChangedLimits add(String name, @Nullable Duration now, @Nullable Duration initial) {
        return add(
                name, !Objects.equals(now, initial), now == null ? "off" : LogText.duration(now));
    }

    private ChangedLimits add(String name, boolean differs, String text) {
        all.put(name, text);
        if (differs) {
            changed.put(name, text);
        }
        return this;
    }

    /** Returns all limits, whether they differ or not, in the order in which they were added. */
    public Map<String, String> all() {
        return all;
    }

    /**
     * Returns the limits that differ, in the order in which they were added; the caller may change
     * the map.
     */
    public Map<String, String> toMap() {
        return changed;
    }
}
