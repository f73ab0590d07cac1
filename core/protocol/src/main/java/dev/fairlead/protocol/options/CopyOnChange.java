package dev.fairlead.protocol.options;

import java.util.function.Consumer;

/**
 * Options with many parts that are changed only on a copy: a shared instance never changes, and can
 * be read by several threads. The parts are fields with their defaults. Collections are replaced as
 * a whole, or copied by an override of {@link #copy}.
 *
 * @param <O> the options
 */
public abstract class CopyOnChange<O extends CopyOnChange<O>> implements Cloneable {
    /** Returns a copy with a change. */
    public final O with(Consumer<? super O> change) {
        O copy = copy();
        change.accept(copy);
        return copy;
    }

    /** Returns a copy. */
    @SuppressWarnings("unchecked") // the type variable is the class itself
    public O copy() {
        try {
            return (O) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
