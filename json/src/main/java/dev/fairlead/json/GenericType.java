package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A class with its type arguments, equal to that which reflection finds. */
final class GenericType implements ParameterizedType {
    private final Class<?> raw;
    private final Type[] arguments;

    private GenericType(Class<?> raw, Type[] arguments) {
        this.raw = raw;
        this.arguments = arguments;
    }

    static Type of(Class<?> raw, TypeRef<?>... arguments) {
        return new GenericType(
                raw, Arrays.stream(arguments).map(TypeRef::type).toArray(Type[]::new));
    }

    @Override
    public Type[] getActualTypeArguments() {
        return arguments.clone();
    }

    @Override
    public Type getRawType() {
        return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
        return raw.getDeclaringClass();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ParameterizedType type
                && raw.equals(type.getRawType())
                && Objects.equals(getOwnerType(), type.getOwnerType())
                && Arrays.equals(arguments, type.getActualTypeArguments());
    }

    /** As that of the JDK's own class. */
    @Override
    public int hashCode() {
        return Arrays.hashCode(arguments) ^ Objects.hashCode(getOwnerType()) ^ raw.hashCode();
    }

    @Override
    public String toString() {
        return List.of(arguments).stream()
                .map(Type::getTypeName)
                .collect(Collectors.joining(", ", raw.getName() + "<", ">"));
    }
}
