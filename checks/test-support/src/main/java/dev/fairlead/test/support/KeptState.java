package dev.fairlead.test.support;

import java.lang.reflect.Field;
import java.util.Map;

/** The state that a library class of this project keeps for a whole process. */
final class KeptState {
    private KeptState() {}

    /**
     * Clears a map of the one instance of a class, which its field {@code SHARED} holds; does
     * nothing where the class is not on the class path.
     */
    static void clear(String className, String map) {
        try {
            Object shared = field(Class.forName(className), "SHARED").get(null);
            synchronized (shared) {
                ((Map<?, ?>) field(shared.getClass(), map).get(shared)).clear();
            }
        } catch (ClassNotFoundException e) {
            // these tests do not use it
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(className + " keeps its state elsewhere", e);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
