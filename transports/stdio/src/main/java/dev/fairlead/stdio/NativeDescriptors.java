package dev.fairlead.stdio;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.Optional;

/**
 * Descriptors of the system, by its function {@code dup2}. The foreign function interface of JDK 22
 * is used by reflection, since this module runs on JDK 21 too.
 */
final class NativeDescriptors {
    private static final System.Logger LOGGER = System.getLogger(NativeDescriptors.class.getName());
    private static final int FIRST_JDK = 22;
    private static final String PACKAGE = "java.lang.foreign.";

    private NativeDescriptors() {}

    /**
     * Makes a descriptor lead where another one does; returns false, and nothing done, where that
     * cannot be had. Where native access is not enabled, the JVM warns or refuses.
     */
    static boolean duplicate(int from, int to) {
        if (Runtime.version().feature() < FIRST_JDK) {
            return false;
        }
        try {
            return (int) dup2().invoke(from, to) == to;
        } catch (Throwable e) { // all failures of the JVM
            LOGGER.log(Level.DEBUG, "The system cannot duplicate descriptors: {0}", e.toString());
            return false;
        }
    }

    private static MethodHandle dup2() throws ReflectiveOperationException {
        Class<?> linkerType = Class.forName(PACKAGE + "Linker");
        Class<?> layoutType = Class.forName(PACKAGE + "MemoryLayout");
        Class<?> functionType = Class.forName(PACKAGE + "FunctionDescriptor");
        Object number = Class.forName(PACKAGE + "ValueLayout").getField("JAVA_INT").get(null);
        Object numbers = Array.newInstance(layoutType, 2);
        Array.set(numbers, 0, number);
        Array.set(numbers, 1, number);
        Object function =
                functionType
                        .getMethod("of", layoutType, numbers.getClass())
                        .invoke(null, number, numbers);
        Object linker = linkerType.getMethod("nativeLinker").invoke(null);
        Object lookup = linkerType.getMethod("defaultLookup").invoke(linker);
        Object address =
                ((Optional<?>)
                                Class.forName(PACKAGE + "SymbolLookup")
                                        .getMethod("find", String.class)
                                        .invoke(lookup, "dup2"))
                        .orElseThrow();
        Class<?> options = Class.forName(PACKAGE + "Linker$Option").arrayType();
        return (MethodHandle)
                linkerType
                        .getMethod(
                                "downcallHandle",
                                Class.forName(PACKAGE + "MemorySegment"),
                                functionType,
                                options)
                        .invoke(
                                linker,
                                address,
                                function,
                                Array.newInstance(options.componentType(), 0));
    }
}
