package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Type;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ObjIntConsumer;

/**
 * Turns JSON into values of one Java type and back.
 *
 * <p>Codecs are made once for each type and kept; they are thread-safe. Records are objects whose
 * members are the components in their order; see the package page for all types and annotations.
 *
 * @param <T> the Java type
 */
public final class JsonCodec<T> {
    private static final int MAX_GENERIC_TYPES = 256;

    private static final ClassValue<JsonCodec<?>> CLASSES =
            new ClassValue<>() {
                @Override
                protected JsonCodec<?> computeValue(Class<?> type) {
                    return of(ShapeBuilder.shape(type, null, JsonTypes.NONE));
                }
            };

    /**
     * The codecs used last; bounded, since a type written in an unloadable class is held by its
     * entry.
     */
    private static final Map<Type, JsonCodec<?>> GENERIC_TYPES =
            Collections.synchronizedMap(
                    new LinkedHashMap<>(16, 0.75f, true) {
                        private static final long serialVersionUID = 1;

                        @Override
                        protected boolean removeEldestEntry(Map.Entry<Type, JsonCodec<?>> eldest) {
                            return size() > MAX_GENERIC_TYPES;
                        }
                    });

    private final Shape shape;
    private final boolean strict;
    private final boolean fromText;
    private final @Nullable ObjIntConsumer<List<JsonViolation>> omissions;

    private JsonCodec(
            Shape shape,
            boolean strict,
            boolean fromText,
            @Nullable ObjIntConsumer<List<JsonViolation>> omissions) {
        this.shape = shape;
        this.strict = strict;
        this.fromText = fromText;
        this.omissions = omissions;
    }

    /**
     * The codec of a class.
     *
     * @throws IllegalArgumentException if the type, or one that it is made of, has no JSON form;
     *     the message names it
     */
    @SuppressWarnings("unchecked")
    public static <T> JsonCodec<T> of(Class<T> type) {
        return (JsonCodec<T>) CLASSES.get(type);
    }

    /**
     * The codec of a type with type arguments, or of one made by {@link JsonTypes}.
     *
     * @throws IllegalArgumentException if the type, or one that it is made of, has no JSON form;
     *     the message names it
     */
    @SuppressWarnings("unchecked")
    public static <T> JsonCodec<T> of(TypeRef<T> type) {
        if (type instanceof JsonTypes.Bound<T> bound) {
            return bound.codec();
        }
        if (type.type() instanceof Class<?> plain) {
            return (JsonCodec<T>) of(plain);
        }
        JsonCodec<?> known = GENERIC_TYPES.get(type.type());
        if (known == null) {
            known = of(ShapeBuilder.shape(type.type(), null, JsonTypes.NONE));
            GENERIC_TYPES.put(type.type(), known);
        }
        return (JsonCodec<T>) known;
    }

    static <T> JsonCodec<T> of(Shape shape) {
        return new JsonCodec<>(shape, false, false, null);
    }

    /**
     * A codec of the same type to which a member that a record does not know is a violation, as its
     * schema says; without it, such members are passed over.
     */
    public JsonCodec<T> strict() {
        return new JsonCodec<>(shape, true, fromText, null);
    }

    /**
     * A codec of the same type that also takes numbers and booleans written as strings, for sources
     * that have only strings: the arguments of prompts and the variables of URI templates. A member
     * of a record that is an object or array may be a string that contains its JSON; no bound on
     * JSON is wider there. An empty string counts as absent where the member need not be there and
     * its type has no empty string. Members that may be any JSON are read as they are.
     */
    public JsonCodec<T> fromStrings() {
        return new JsonCodec<>(shape, strict, true, omissions);
    }

    /**
     * Returns a codec of the same type that leaves out parts that it cannot read if the rest is a
     * value of the type without them: an element of a list, and a member that need not be there. A
     * list that is null is empty. Members that must be there and cannot be read, entries of maps,
     * and members that stand twice are violations as before.
     *
     * <p>A member of at most 1,024 bytes that is left out, or is a list of scalars that lost an
     * element, is found among the {@link OtherMembers} of its record as it came. It is not written
     * back.
     *
     * @param omissions receives the first violations that led to omissions, at most 50, and how
     *     many there are in all, once for each value that lost something
     */
    public JsonCodec<T> tolerant(ObjIntConsumer<List<JsonViolation>> omissions) {
        return new JsonCodec<>(
                shape, false, fromText, Objects.requireNonNull(omissions, "omissions"));
    }

    /**
     * Binds a text straight to the type, without a tree in between.
     *
     * @throws JsonBindingException with every violation (at most 50), if the value does not fit
     */
    public T read(RawJson json) {
        try (JsonReader reader = json.reader()) {
            return read(reader);
        }
    }

    /**
     * Checks that these bytes are UTF-8 and exactly one JSON value, and binds it to the type in the
     * same pass. The array must not be changed afterwards.
     *
     * @throws JsonException if they are not
     * @throws JsonBindingException with every violation (at most 50), if the value does not fit
     */
    public T read(byte[] utf8) {
        return read(utf8, utf8.length);
    }

    /**
     * Does the same with the first bytes of an array.
     *
     * @param length how many, at most those that the array has
     */
    public T read(byte[] utf8, int length) {
        try (JsonReader reader = new JsonReader(utf8, length, Integer.MAX_VALUE)) {
            T value = read(reader);
            reader.end();
            return value;
        }
    }

    /**
     * Binds an object to the type as if it had no members of these names.
     *
     * @param members at most 31
     * @throws IllegalArgumentException if the type is not a record, or there are more names
     * @throws JsonBindingException as {@link #read(RawJson)}, also if the object has two of one
     *     name
     */
    public T readWithout(List<String> members, RawJson json) {
        return read(json, new Reading.Passed(members, null, false)).orElseThrow();
    }

    /**
     * Binds an object to the type as if it had no members that a record does not know, with any
     * handling of those of the objects inside. A member that stands twice is refused anyhow. Types
     * that are no records, or sealed interfaces of records, are read as by {@link #read(RawJson)}.
     *
     * @param ignored the unknown members that are passed over, at most 31; null: all of them
     * @throws JsonBindingException as {@link #read(RawJson)}
     */
    public T readKnown(RawJson json, @Nullable List<String> ignored) {
        if (!(shape instanceof RecordShape || shape instanceof SealedShape)) {
            return read(json);
        }
        var passed =
                new Reading.Passed(ignored == null ? List.of() : ignored, null, ignored == null);
        try (JsonReader reader = json.reader()) {
            Reading reading = reading(passed);
            return bound(shape.read(reader, reading), reading);
        }
    }

    /**
     * Binds an object to the type as if it had no member of this name, in one pass over the text;
     * returns empty if the member is there and is neither the expected string nor null.
     *
     * @throws IllegalArgumentException if the type is not a record
     * @throws JsonBindingException as {@link #readWithout}
     */
    public Optional<T> readIf(String member, String expected, RawJson json) {
        return read(json, new Reading.Passed(List.of(member), expected, false));
    }

    private Optional<T> read(RawJson json, Reading.Passed passed) {
        if (!(shape instanceof RecordShape)) {
            throw new IllegalArgumentException("only a record has members to pass over");
        }
        try (JsonReader reader = json.reader()) {
            return read(reader, reading(passed));
        }
    }

    private Optional<T> read(JsonReader reader, Reading reading) {
        Object value = shape.read(reader, reading);
        if (reading.isOther()) {
            return Optional.empty();
        }
        return Optional.of(bound(value, reading));
    }

    private T read(JsonReader reader) {
        Reading reading = reading(null);
        return bound(shape.read(reader, reading), reading);
    }

    private Reading reading(Reading.@Nullable Passed passed) {
        return new Reading(strict, fromText, omissions != null, passed);
    }

    @SuppressWarnings("unchecked")
    private T bound(@Nullable Object value, Reading reading) {
        reading.throwViolations();
        if (omissions != null && reading.omissions() > 0) {
            omissions.accept(reading.omitted(), reading.omissions());
        }
        return (T) Objects.requireNonNull(value, "a shape gave neither value nor violation");
    }

    /** Binds a tree to the type; fails as {@link #read(RawJson)} does. */
    public T read(JsonValue json) {
        return read(RawJson.of(json));
    }

    /**
     * Writes a value as text.
     *
     * @throws IllegalArgumentException if a number in it is NaN or infinite, which JSON cannot say
     */
    public RawJson write(T value) {
        JsonWriter writer = new JsonWriter();
        write(value, writer);
        return writer.finish();
    }

    /** Writes a value into a text under way. */
    public void write(T value, JsonWriter writer) {
        shape.write(Objects.requireNonNull(value, "value"), writer);
    }

    /**
     * Writes the members of a value into an object under way.
     *
     * @throws IllegalArgumentException if the type is not a record
     */
    public void writeMembers(T value, JsonWriter writer) {
        writeMembers(value, writer, List.of());
    }

    /**
     * Writes the members of a value into an object under way that has some already.
     *
     * @param written names that the object has already; members that the type does not know are
     *     left out if they have one of these
     * @throws IllegalArgumentException if the type is not a record
     */
    public void writeMembers(T value, JsonWriter writer, List<String> written) {
        if (!(shape instanceof RecordShape object)) {
            throw new IllegalArgumentException("only a record has members that are written alone");
        }
        object.writeMembers(Objects.requireNonNull(value, "value"), writer, written);
    }

    /** Turns a value into a tree. */
    public JsonValue toValue(T value) {
        return write(value).value();
    }

    Shape shape() {
        return shape;
    }
}
