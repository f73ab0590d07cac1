package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the shapes of Java types by reflection. */
final class ReflectedTypes {
    /** A class with its type arguments, resolved. */
    record Applied(Class<?> raw, List<Type> arguments) implements Type {
        @Override
        public String getTypeName() {
            return raw.getName() + arguments.stream().map(Type::getTypeName).toList();
        }
    }

    private final ShapeBuilder builder;

    private ReflectedTypes(ShapeBuilder builder) {
        this.builder = builder;
    }

    /**
     * The shape of a type that is resolved.
     *
     * @param annotated the type as it is written, with each {@code @Nullable} in it; null if it is
     *     not known
     * @throws IllegalArgumentException if the type, or one that it is made of, has no JSON form
     */
    static Shape shape(Type type, @Nullable AnnotatedType annotated, ShapeBuilder builder) {
        return new ReflectedTypes(builder).of(type, annotated);
    }

    /** Replaces type variables, and wildcards by their bounds. */
    static Type resolve(Type type, Map<TypeVariable<?>, Type> variables) {
        if (type instanceof Class<?> || type instanceof Applied) {
            return type;
        } else if (type instanceof ParameterizedType applied) {
            return new Applied(
                    (Class<?>) applied.getRawType(),
                    Arrays.stream(applied.getActualTypeArguments())
                            .map(argument -> resolve(argument, variables))
                            .toList());
        } else if (type instanceof GenericArrayType array) {
            Type element = resolve(array.getGenericComponentType(), variables);
            return element instanceof Applied applied
                    ? new Applied(applied.raw.arrayType(), List.of(element))
                    : ((Class<?>) element).arrayType();
        } else if (type instanceof WildcardType wildcard) {
            return resolve(wildcard.getUpperBounds()[0], variables);
        } else if (type instanceof TypeVariable<?> variable) {
            return actual(variable, variables);
        }
        throw new IllegalArgumentException(type.getTypeName() + " has no JSON form");
    }

    private static Type actual(TypeVariable<?> variable, Map<TypeVariable<?>, Type> variables) {
        Type actual = variables.get(variable);
        if (actual == null) {
            throw new IllegalArgumentException(
                    "the type "
                            + variable
                            + " of "
                            + variable.getGenericDeclaration()
                            + " is open; give it by a TypeRef");
        }
        return actual;
    }

    private Shape of(Type type, @Nullable AnnotatedType annotated) {
        Class<?> raw = type instanceof Applied applied ? applied.raw : (Class<?>) type;
        List<Type> arguments = type instanceof Applied applied ? applied.arguments : List.of();
        Shape scalar = Scalars.of(raw, builder.types());
        if (scalar != null) {
            return scalar;
        }
        if (raw.isArray()) {
            Type element = arguments.isEmpty() ? raw.getComponentType() : arguments.get(0);
            return new ArrayShape.OfJavaArray(
                    raw.getComponentType(), element(element, annotatedElement(annotated)));
        }
        if (raw == List.class || raw == Collection.class) {
            return new ArrayShape.OfList(argument(type, arguments, annotated, 0));
        }
        if (raw == Set.class) {
            return new ArrayShape.OfSet(argument(type, arguments, annotated, 0));
        }
        if (raw == Map.class) {
            return map(type, arguments, annotated);
        }
        if (raw == Optional.class) {
            return new OptionalShape(argument(type, arguments, annotated, 0));
        }
        if (raw.isRecord()) {
            return builder.recordOf(new ReflectedRecord(type, builder.types()));
        }
        if (raw.isInterface() && raw.isSealed()) {
            return builder.sealed(new ReflectedSealed(type, builder.types()));
        }
        if (KotlinRecord.isKotlin(raw)) {
            throw new IllegalArgumentException(
                    type.getTypeName()
                            + " has no JSON form; a data class of Kotlin needs @JvmRecord");
        }
        throw new IllegalArgumentException(
                type.getTypeName()
                        + " has no JSON form; use a record, a sealed interface or a type that the"
                        + " documentation of the package dev.fairlead.json lists");
    }

    private Shape argument(
            Type type, List<Type> arguments, @Nullable AnnotatedType annotated, int index) {
        if (index >= arguments.size()) {
            throw new IllegalArgumentException(
                    type.getTypeName()
                            + " lacks its type arguments; give them by a TypeRef, such as new"
                            + " TypeRef<List<String>>() {}");
        }
        return element(arguments.get(index), annotatedArgument(annotated, index));
    }

    private static @Nullable AnnotatedType annotatedElement(@Nullable AnnotatedType array) {
        return array instanceof AnnotatedArrayType of
                ? of.getAnnotatedGenericComponentType()
                : null;
    }

    private static @Nullable AnnotatedType annotatedArgument(
            @Nullable AnnotatedType applied, int index) {
        return applied instanceof AnnotatedParameterizedType of
                ? of.getAnnotatedActualTypeArguments()[index]
                : null;
    }

    private Shape element(Type type, @Nullable AnnotatedType annotated) {
        Shape shape = of(type, annotated);
        boolean isNullable = annotated != null && annotated.isAnnotationPresent(Nullable.class);
        return isNullable ? new NullableShape(shape) : shape;
    }

    private Shape map(Type type, List<Type> arguments, @Nullable AnnotatedType annotated) {
        return ShapeBuilder.map(
                type.getTypeName(),
                argument(type, arguments, annotated, 0),
                argument(type, arguments, annotated, 1));
    }
}
