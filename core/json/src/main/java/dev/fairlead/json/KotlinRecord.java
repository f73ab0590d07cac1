package dev.fairlead.json;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A record that the Kotlin compiler made ({@code @JvmRecord}). The compiler writes annotations of
 * properties on the parameters of the constructor, where they are read, and default values into its
 * code. A record with such values and no {@link Default} would be bound otherwise than its author
 * expects, and is refused.
 */
final class KotlinRecord {
    private static final String DEFAULTS = "kotlin.jvm.internal.DefaultConstructorMarker";

    private KotlinRecord() {}

    /** Whether the Kotlin compiler made a class. */
    static boolean isKotlin(Class<?> type) {
        return ForeignAnnotations.has(type, "kotlin.Metadata");
    }

    /**
     * Returns the components of a record with their annotations.
     *
     * @throws IllegalArgumentException if the record has default values that cannot be seen; the
     *     message names the class
     */
    static List<AnnotatedElement> annotated(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Parameter[] parameters = constructor(type, components).getParameters();
        List<AnnotatedElement> annotated = new ArrayList<>();
        for (int i = 0; i < components.length; i++) {
            annotated.add(both(components[i], parameters[i]));
        }
        checkDefaults(type, annotated);
        return annotated;
    }

    private static AnnotatedElement both(RecordComponent component, Parameter parameter) {
        List<Annotation> all = new ArrayList<>(List.of(component.getAnnotations()));
        for (Annotation annotation : parameter.getAnnotations()) {
            if (!component.isAnnotationPresent(annotation.annotationType())) {
                all.add(annotation);
            }
        }
        return new Annotated(all);
    }

    /**
     * Refuses default values: reflection sees a second constructor, but not the values, so that all
     * properties would have to be there. A {@link Default} shows that the author knows.
     */
    private static void checkDefaults(Class<?> type, List<AnnotatedElement> components) {
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
                components.stream().anyMatch(each -> each.isAnnotationPresent(Default.class));
        if (hasDefaults && !isKnown) {
            throw new IllegalArgumentException(
                    "The Kotlin class "
                            + type.getName()
                            + " has default values, which are not seen at runtime; write"
                            + " @Default(\"...\") on each property that has one, or write the"
                            + " record in Java");
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
}
