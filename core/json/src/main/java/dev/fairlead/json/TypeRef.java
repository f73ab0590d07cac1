package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * A type with its type arguments, written down as {@code new TypeRef<List<String>>() {}}.
 *
 * @param <T> the type
 */
public abstract class TypeRef<T extends @Nullable Object> {
    private final Type type;

    /** Creates the reference; called by the anonymous subclass that carries the type. */
    protected TypeRef() {
        if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parent)) {
            throw new IllegalStateException("write the type: new TypeRef<List<String>>() {}");
        }
        type = parent.getActualTypeArguments()[0];
    }

    TypeRef(Type type) {
        this.type = type;
    }

    /** The reference to a class without type arguments. */
    public static <T> TypeRef<T> of(Class<T> type) {
        return new TypeRef<>(Objects.requireNonNull(type, "type")) {};
    }

    /** The type written down. */
    public final Type type() {
        return type;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof TypeRef<?> ref && type.equals(ref.type);
    }

    @Override
    public final int hashCode() {
        return type.hashCode();
    }

    @Override
    public String toString() {
        return type.getTypeName();
    }
}
