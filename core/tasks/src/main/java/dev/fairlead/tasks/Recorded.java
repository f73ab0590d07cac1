package dev.fairlead.tasks;

import dev.fairlead.json.RawJson;

import java.util.Objects;

/** The result of reading a recorded value, see {@link TaskStore#recorded}. */
public sealed interface Recorded {
    /** A value that this or an earlier run has recorded. */
    record Value(RawJson value) implements Recorded {
        public Value {
            Objects.requireNonNull(value, "value");
        }
    }

    /** No value yet; the run holds its task. */
    record Nothing() implements Recorded {}

    /** No value, since the run no longer holds its task. */
    record Lost() implements Recorded {}
}
