package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;

import java.util.Objects;

/** The result of reading a recorded value, see {@link TaskStore#recorded}. */
public sealed interface Recorded {
    /** This or an earlier run has recorded it. */
    record Value(RawJson value) implements Recorded {
        public Value {
            Objects.requireNonNull(value, "value");
        }
    }

    /** The run holds its task, and nothing is recorded yet. */
    record Nothing() implements Recorded {}

    /** The run no longer holds its task. */
    record Lost() implements Recorded {}
}
