package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;

/**
 * A record that the Kotlin compiler made ({@code @JvmRecord}). It writes the nullability of
 * properties where reflection does not see it, in annotations of the class file alone, and puts
 * their annotations on the parameters of the constructor. Such a record would be bound otherwise
 * than it says, and is refused.
 */
final class KotlinRecord {
    private static final String NULLABLE = "org.jetbrains.annotations.Nullable";
    private static final String DEFAULTS = "kotlin.jvm.internal.DefaultConstructorMarker";
    private static final String OWN = "dev.fairlead.json.";

    private KotlinRecord() {}

    /**
     * Checks that all there is to know of a record can be seen.
     *
     * @throws IllegalArgumentException if not; the message names the property
     */
    static void check(Class<?> type) {
        if (AnnotationReader.has(type, "kotlin.Metadata")) {
            RecordComponent[] components = type.getRecordComponents();
            checkAnnotations(type, components);
            checkDefaults(type, components);
            checkNullness(type, components);
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
     * Refuses default values, of which only a second constructor is seen, and none of the values:
     * all properties would have to be there. One with {@link Default} shows that the author knows.
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
                Arrays.stream(components)
                        .anyMatch(
                                each ->
                                        AnnotationReader.of(each)
                                                .isAnnotationPresent(Default.class));
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

    private static void checkNullness(Class<?> type, RecordComponent[] components) {
        Map<String, ClassFile.Annotations> fields = fields(type);
        for (RecordComponent component : components) {
            ClassFile.Annotations field = fields.get(component.getName());
            if (field != null
                    && field.byName().containsKey(NULLABLE)
                    && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                throw new IllegalArgumentException(
                        of(type, component)
                                + " may be null, which is not seen at runtime; write the record in"
                                + " Java, with @Nullable of org.jspecify.annotations");
            }
        }
    }

    private static String of(Class<?> type, RecordComponent component) {
        return "Property " + component.getName() + " of the Kotlin class " + type.getName();
    }

    private static Map<String, ClassFile.Annotations> fields(Class<?> type) {
        String name = type.getName();
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream found = type.getResourceAsStream(file)) {
            if (found == null) {
                throw new IOException("there is no " + file);
            }
            return ClassFile.parse(found.readAllBytes()).fields();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "Which properties of the Kotlin class "
                            + name
                            + " may be null is not seen at runtime; write the record in Java",
                    e);
        }
    }
}
