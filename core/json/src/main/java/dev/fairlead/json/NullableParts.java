package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.util.HashSet;
import java.util.Set;

/**
 * A part of a type as it is written: the whole, the elements of an array or a type argument.
 *
 * @param nullable the parts of the type that are {@code @Nullable}
 * @param part this part: the steps from the whole to it
 */
record NullableParts(Set<String> nullable, String part) {
    /** The type itself. */
    static final String WHOLE = "";

    /** A type that is {@code @Nullable} nowhere. */
    static final NullableParts NONE = new NullableParts(Set.of(), WHOLE);

    private static final int ELEMENT = 0;
    private static final int ARGUMENT = 3;

    /** Returns a type of which these parts are {@code @Nullable}. */
    static NullableParts of(Set<String> nullable) {
        return nullable.isEmpty() ? NONE : new NullableParts(nullable, WHOLE);
    }

    /** Returns a type as reflection finds it; none of null is {@code @Nullable}. */
    static NullableParts of(@Nullable AnnotatedType type) {
        Set<String> nullable = new HashSet<>();
        collect(type, WHOLE, nullable);
        return of(nullable);
    }

    private static void collect(@Nullable AnnotatedType type, String part, Set<String> nullable) {
        if (type == null) {
            return;
        }
        if (type.isAnnotationPresent(Nullable.class)) {
            nullable.add(part);
        }
        if (type instanceof AnnotatedArrayType array) {
            collect(array.getAnnotatedGenericComponentType(), step(part, ELEMENT, 0), nullable);
        } else if (type instanceof AnnotatedParameterizedType applied) {
            AnnotatedType[] arguments = applied.getAnnotatedActualTypeArguments();
            for (int i = 0; i < arguments.length; i++) {
                collect(arguments[i], step(part, ARGUMENT, i), nullable);
            }
        }
    }

    /** The part of a part to which a step of a path in a class file leads. */
    static String step(String part, int kind, int index) {
        return part + kind + ":" + index + ";";
    }

    /** Whether this part is {@code @Nullable}. */
    boolean isNullable() {
        return nullable.contains(part);
    }

    /** The elements of an array. */
    NullableParts element() {
        return part(ELEMENT, 0);
    }

    /** A type argument. */
    NullableParts argument(int index) {
        return part(ARGUMENT, index);
    }

    private NullableParts part(int kind, int index) {
        return this == NONE ? NONE : new NullableParts(nullable, step(part, kind, index));
    }
}
