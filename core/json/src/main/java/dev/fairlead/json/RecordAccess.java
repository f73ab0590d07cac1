package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

/** Makes records of one class and reads their components. */
interface RecordAccess {
    /** Makes a record of these component values; throws the exceptions of its constructor. */
    Object make(@Nullable Object[] values);

    /** The value of a component. */
    @Nullable Object get(Object owner, int index);

    /**
     * A record of these component values, or null if its constructor refuses them, which is then a
     * violation.
     */
    default @Nullable Object construct(@Nullable Object[] values, Reading reading) {
        try {
            return make(values);
        } catch (RuntimeException e) { // any exception of a constructor is about its arguments
            String message = e.getMessage();
            return reading.fail(message == null ? "is not acceptable" : message);
        }
    }
}
