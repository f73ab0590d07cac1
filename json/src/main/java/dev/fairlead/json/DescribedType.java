package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A type whose JSON form is described in code instead of being found by reflection.
 *
 * <p>It stands wherever a {@link TypeRef} does. Schema, messages and binding are those that
 * reflection would give, but nothing has to be open: what the code that describes it can reach is
 * enough, package-private records in a named module among them. Code that is generated, such as
 * that of Fairlead's annotation processor, describes types so; written by hand it is rarely worth
 * the trouble.
 *
 * {@snippet :
 * record Query(String city, int days) {}
 *
 * TypeRef<Query> query =
 *         DescribedType.record(Query.class)
 *                 .component("city", TypeRef.of(String.class), Query::city)
 *                 .doc("City name")
 *                 .component("days", TypeRef.of(int.class), Query::days)
 *                 .range(0, 10)
 *                 .defaultValue("1")
 *                 .build(values -> new Query(values.<String>get(0), values.<Integer>get(1)));
 * }
 *
 * <p>The types that a type is made of may be described or not; one that is not is bound by
 * reflection. A description that does not fit its type is refused when its codec is made, as an
 * annotation would be. Thread-safe.
 *
 * @param <T> the type
 */
public final class DescribedType<T extends @Nullable Object> extends TypeRef<T> {
    private final Function<ShapeBuilder, Shape> shape;
    private final Supplier<? extends @Nullable RecordModel> model;
    private volatile @Nullable JsonCodec<T> codec; // made twice at worst

    DescribedType(Type type, Function<ShapeBuilder, Shape> shape) {
        this(type, shape, () -> null);
    }

    DescribedType(RecordModel model) {
        this(model.type(), shapes -> shapes.recordOf(model), () -> model);
    }

    private DescribedType(
            Type type,
            Function<ShapeBuilder, Shape> shape,
            Supplier<? extends @Nullable RecordModel> model) {
        super(type);
        this.shape = shape;
        this.model = model;
    }

    /**
     * Begins the description of a record.
     *
     * @param type the class; for a record with type arguments {@code
     *     DescribedType.<Page<Book>>record(Page.class)}
     */
    public static <R extends Record> RecordDescription<R> record(Class<? super R> type) {
        return new RecordDescription<>(type);
    }

    /** Begins the description of an enum. */
    public static <E extends Enum<E>> EnumDescription<E> enumeration(Class<E> type) {
        return new EnumDescription<>(type);
    }

    /**
     * Begins the description of a sealed interface.
     *
     * @param type the class, as for {@link #record}
     */
    public static <S> SealedDescription<S> sealedInterface(Class<? super S> type) {
        return new SealedDescription<>(type);
    }

    /** A list of these elements. */
    public static <E extends @Nullable Object> DescribedType<List<E>> list(TypeRef<E> element) {
        return new DescribedType<>(
                GenericType.of(List.class, element),
                shapes -> new ArrayShape.OfList(shapes.of(element)));
    }

    /** A collection of these elements; read as a list. */
    public static <E extends @Nullable Object> DescribedType<Collection<E>> collection(
            TypeRef<E> element) {
        return new DescribedType<>(
                GenericType.of(Collection.class, element),
                shapes -> new ArrayShape.OfList(shapes.of(element)));
    }

    /** A set of these elements. */
    public static <E extends @Nullable Object> DescribedType<Set<E>> set(TypeRef<E> element) {
        return new DescribedType<>(
                GenericType.of(Set.class, element),
                shapes -> new ArrayShape.OfSet(shapes.of(element)));
    }

    /**
     * A Java array, other than {@code byte[]}, which is a scalar.
     *
     * @throws IllegalArgumentException if the class is none of an array
     */
    public static <A> DescribedType<A> array(Class<A> type, TypeRef<?> element) {
        Class<?> elementType = type.getComponentType();
        if (elementType == null) {
            throw new IllegalArgumentException(
                    "an array was expected but it was " + type.getName());
        }
        return new DescribedType<>(
                type, shapes -> new ArrayShape.OfJavaArray(elementType, shapes.of(element)));
    }

    /** A map; its keys need a text form. */
    public static <K, V extends @Nullable Object> DescribedType<Map<K, V>> map(
            TypeRef<K> key, TypeRef<V> value) {
        Type type = GenericType.of(Map.class, key, value);
        return new DescribedType<>(
                type,
                shapes -> ShapeBuilder.map(type.getTypeName(), shapes.of(key), shapes.of(value)));
    }

    /** An {@link Optional}: an absent or null member is empty. */
    public static <E> DescribedType<Optional<E>> optional(TypeRef<E> inner) {
        return new DescribedType<>(
                GenericType.of(Optional.class, inner),
                shapes -> new OptionalShape(shapes.of(inner)));
    }

    /** An element or map value that may be null: {@code List<@Nullable String>}. */
    public static <E> DescribedType<@Nullable E> nullable(TypeRef<E> inner) {
        return new DescribedType<>(inner.type(), shapes -> new NullableShape(shapes.of(inner)));
    }

    /**
     * A type whose description is not complete yet: one that contains itself.
     *
     * @param type the class, as for {@link #record}
     * @param described gives the description; called when a codec is made
     */
    public static <T> DescribedType<T> later(
            Class<? super T> type, Supplier<? extends DescribedType<T>> described) {
        Objects.requireNonNull(described, "described");
        return new DescribedType<>(
                type, shapes -> shapes.of(described.get()), () -> described.get().model());
    }

    JsonCodec<T> codec() {
        JsonCodec<T> known = codec;
        if (known == null) {
            known = JsonCodec.of(this);
            codec = known;
        }
        return known;
    }

    Shape shape(ShapeBuilder shapes) {
        return shape.apply(shapes);
    }

    /** The record that this type is; null if it is none. */
    @Nullable RecordModel model() {
        return model.get();
    }
}
