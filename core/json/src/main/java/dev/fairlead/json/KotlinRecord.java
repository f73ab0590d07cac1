package dev.fairlead.json;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/**
 * A record that the Kotlin compiler made ({@code @JvmRecord}). The compiler writes annotations of
 * properties on the parameters of the constructor, and default values into its code, where the
 * binding does not read them. Such a record would be bound otherwise than its author expects, and
 * is refused.
 */
final class KotlinRecord {
    private static final String DEFAULTS = "kotlin.jvm.internal.DefaultConstructorMarker";
    private static final String OWN = "dev.fairlead.json.";

    private KotlinRecord() {}

    /** Whether the Kotlin compiler made a class. */
    static boolean isKotlin(Class<?> type) {
        return ForeignAnnotations.has(type, "kotlin.Metadata");
    }

    /**
     * Checks that the binding reads the annotations and default values of a record.
     *
     * @throws IllegalArgumentException if not; the message names the property or class
     */
    static void check(Class<?> type) {
        if (isKotlin(type)) {
            RecordComponent[] components = type.getRecordComponents();
            checkAnnotations(type, components);
            checkDefaults(type, components);
        }
    }

    private static void checkAnnotations(Class<?> type, RecordComponent[] components) {
        Parameter[] parameters = constructor(type, components).getParameters();
        for (int i = 0; i < components.length; i++) {
            for (Annotation annotation : parameters[i].getAnnotations()) {
                Class<? extends Annotation> kind = annotation.annotationType();
                boolean hidden =
                        kind.getName().startsWith(OWN) && !components[i].isAnnotationPresent(kind);
                if (hidden) {
                    throw new IllegalArgumentException(
                            of(type, components[i])
                                    + " has @"
                                    + kind.getSimpleName()
                                    + " on the parameter of the constructor, where it is not read;"
                                    + " write @all:"
                                    + kind.getSimpleName()
                                    + " (Kotlin 2.2), or write the record in Java");
                }
            }
        }
    }

    /**
     * Refuses default values: reflection sees a second constructor, but not the values, so that all
     * properties would have to be there. A {@link Default} shows that the author knows.
     */
    private static void checkDefaults(Class<?> type, RecordComponent[] components) {
        boolean hasDefaults =
                Arrays.stream(type.getDeclaredConstructors())
                        .map(Constructor::getParameterTypes)
                        .anyMatch(
                                types ->
                                        types.length > 1
                                                && types[types.length - 1]
                                                        .getName()
                                                        .equals(DEFAULTS));
        boolean isKnown =
                Arrays.stream(components).anyMatch(each -> each.isAnnotationPresent(Default.class));
        if (hasDefaults && !isKnown) {
            throw new IllegalArgumentException(
                    "The Kotlin class "
                            + type.getName()
                            + " has default values, which are not seen at runtime; write"
                            + " @all:Default(\"...\") on each property that has one (Kotlin 2.2),"
                            + " or write the record in Java");
        }
    }

    private static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type + " has no canonical constructor", e);
        }
    }

    private static String of(Class<?> type, RecordComponent component) {
        return "Property " + component.getName() + " of the Kotlin class " + type.getName();
    }
}
