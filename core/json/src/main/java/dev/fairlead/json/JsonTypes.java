package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Types that are bound with the access of the code that names them.
 *
 * <p>By itself the binding reaches public records in exported packages, and any record in a package
 * that is open to {@code dev.fairlead.json}. A {@link MethodHandles.Lookup} adds the types that its
 * class can reach: package-private records of the same package, for example, in a module that opens
 * nothing.
 *
 * {@snippet :
 * record Query(String city, int days) {}
 *
 * static final TypeRef<Query> QUERY = JsonTypes.of(MethodHandles.lookup()).type(Query.class);
 * }
 *
 * <p>A type made here stands wherever a {@link TypeRef} does. {@code @Nullable} counts on the type
 * arguments that are written in a {@code TypeRef}. Descriptions can be added to types that have no
 * {@link Doc}; Fairlead's annotation processor passes on those of Javadoc comments this way.
 * Immutable and thread-safe.
 */
public final class JsonTypes {
    /** The access of the binding alone, without descriptions. */
    static final JsonTypes NONE = new JsonTypes(null, Map.of());

    private final MethodHandles.@Nullable Lookup lookup;
    private final Map<Object, String> descriptions;
    private final Map<Class<?>, ReflectedAccess> reached = new ConcurrentHashMap<>();

    private JsonTypes(MethodHandles.@Nullable Lookup lookup, Map<Object, String> descriptions) {
        this.lookup = lookup;
        this.descriptions = descriptions;
    }

    /** Returns types that are bound with the access of a lookup. */
    public static JsonTypes of(MethodHandles.Lookup lookup) {
        return new JsonTypes(Objects.requireNonNull(lookup, "lookup"), Map.of());
    }

    /** Returns these types with a description of one that has no {@link Doc}. */
    public JsonTypes withDescription(Class<?> type, String text) {
        return with(Objects.requireNonNull(type, "type"), text);
    }

    /**
     * Returns these types with a description of a component that has no {@link Doc}.
     *
     * @param component the name of the component in Java
     */
    public JsonTypes withDescription(Class<? extends Record> type, String component, String text) {
        return with(key(type, Objects.requireNonNull(component, "component")), text);
    }

    private JsonTypes with(Object key, String text) {
        Map<Object, String> more = new HashMap<>(descriptions);
        more.put(key, Objects.requireNonNull(text, "text"));
        return new JsonTypes(lookup, more);
    }

    private static Object key(Class<?> type, String component) {
        return Map.entry(Objects.requireNonNull(type, "type"), component);
    }

    /** Returns a class as a type that is bound with this access. */
    public <T> TypeRef<T> type(Class<T> type) {
        return type(TypeRef.of(type));
    }

    /** Returns a type with type arguments as one that is bound with this access. */
    public <T extends @Nullable Object> TypeRef<T> type(TypeRef<T> type) {
        return new Bound<>(this, type);
    }

    /**
     * Returns the access to a record.
     *
     * @throws IllegalArgumentException if it cannot be reached; the message names the line to add
     */
    RecordAccess access(Class<?> type) {
        return lookup == null
                ? ReflectedAccess.of(type)
                : reached.computeIfAbsent(type, key -> ReflectedAccess.of(key, lookup));
    }

    /** Returns the description of a type; null if there is none. */
    @Nullable String description(Class<?> type) {
        String doc = SchemaBuilder.doc(type);
        return doc == null ? descriptions.get(type) : doc;
    }

    /** Returns the description that was added for a component; null if there is none. */
    @Nullable String description(Class<?> type, String component) {
        return descriptions.isEmpty() ? null : descriptions.get(key(type, component));
    }

    /** A type with the access that it is bound with, and its codec. */
    static final class Bound<T extends @Nullable Object> extends TypeRef<T> {
        private final JsonTypes types;
        private final @Nullable AnnotatedType annotated;
        private volatile @Nullable JsonCodec<T> codec; // made twice at worst

        private Bound(JsonTypes types, TypeRef<T> written) {
            super(written.type());
            this.types = types;
            this.annotated =
                    written.getClass().getAnnotatedSuperclass()
                                    instanceof AnnotatedParameterizedType superclass
                            ? superclass.getAnnotatedActualTypeArguments()[0]
                            : null;
        }

        JsonCodec<T> codec() {
            JsonCodec<T> known = codec;
            if (known == null) {
                known = JsonCodec.of(ShapeBuilder.shape(type(), annotated, types));
                codec = known;
            }
            return known;
        }
    }
}
