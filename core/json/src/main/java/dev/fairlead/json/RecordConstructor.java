package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;

/**
 * Makes records of one class in plain code. Without it the binding links a method handle when it
 * makes the first record of a class, which costs several milliseconds at the start of a process;
 * this is for records that most processes read first.
 *
 * {@snippet :
 * public record Page(@Nullable String cursor, int size) {
 *     static {
 *         RecordConstructor.register(
 *                 MethodHandles.lookup(), values -> new Page((String) values[0], (int) values[1]));
 *     }
 * }
 * }
 *
 * @param <R> the class
 */
@FunctionalInterface
public interface RecordConstructor<R> {
    /**
     * Makes a record by its canonical constructor, and throws its exceptions.
     *
     * @param values of the components in their order
     */
    R construct(@Nullable Object[] values);

    /**
     * Has the records of a class made by this code from now on. It is called where the class is
     * initialized, which the binding sees to before it makes a record. It has no effect on types
     * that are bound with a lookup of their own ({@link JsonTypes}).
     *
     * @param owner of the record itself
     * @throws IllegalArgumentException if the class is not a record, the lookup has no private
     *     access to it, or the binding cannot reach it
     */
    static <R extends Record> void register(
            MethodHandles.Lookup owner, RecordConstructor<R> constructor) {
        if (!owner.lookupClass().isRecord() || !owner.hasFullPrivilegeAccess()) {
            throw new IllegalArgumentException(
                    "the lookup must be one of a record itself, not " + owner);
        }
        ReflectedAccess.register(owner.lookupClass(), constructor);
    }
}
