package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists, sets and arrays: JSON arrays. A set takes no element twice and keeps the order of the
 * text.
 */
sealed interface ArrayShape extends Shape {
    /** The shape of the elements. */
    Shape element();

    /** Returns the collection of the elements of a text, or null if a violation was noted. */
    @Nullable Object collect(List<@Nullable Object> elements, Reading reading);

    /** The elements of a value. */
    Iterable<? extends @Nullable Object> elements(Object value);

    @Override
    default @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() != JsonReader.Kind.ARRAY) {
            return reading.wrongKind("an array", reader);
        }
        List<@Nullable Object> elements = new ArrayList<>();
        long start = reading.mark();
        reader.beginArray();
        for (int index = 0; reader.nextElement(); index++) {
            long mark = reading.mark();
            Object element = element().read(reader, reading);
            reading.under(mark, index);
            if (reading.tolerant() && reading.failedSince(mark)) {
                reading.omitSince(mark);
            } else {
                elements.add(element);
            }
        }
        return reading.failedSince(start) ? null : collect(elements, reading);
    }

    @Override
    default void write(Object value, JsonWriter writer) {
        writer.beginArray();
        for (Object element : elements(value)) {
            writeElement(element, writer);
        }
        writer.endArray();
    }

    /** Writes one element. */
    default void writeElement(@Nullable Object element, JsonWriter writer) {
        if (element == null) {
            writer.nullValue();
        } else {
            element().write(element, writer);
        }
    }

    @Override
    default Map<String, JsonValue> schema(SchemaBuilder schemas) {
        Map<String, JsonValue> schema = SchemaBuilder.type("array");
        Map<String, JsonValue> items = schemas.of(element());
        if (element() instanceof EnumShape && items.containsKey("oneOf")) {
            // Several choices of titled values are an anyOf: the form that elicitation knows.
            items.put("anyOf", items.get("oneOf"));
            items.remove("oneOf");
        }
        schema.put("items", new JsonObject(items));
        return schema;
    }

    @Override
    default JsonReader.Kind kind() {
        return JsonReader.Kind.ARRAY;
    }

    /** {@code List} and {@code Collection}. */
    record OfList(Shape element) implements ArrayShape {
        @Override
        public Object collect(List<@Nullable Object> elements, Reading reading) {
            return element instanceof NullableShape
                    ? Collections.unmodifiableList(elements)
                    : List.of(elements.toArray());
        }

        @Override
        public Iterable<? extends @Nullable Object> elements(Object value) {
            return (Collection<?>) value;
        }
    }

    /** {@code Set}. */
    record OfSet(Shape element) implements ArrayShape {
        @Override
        public @Nullable Object collect(List<@Nullable Object> elements, Reading reading) {
            if (EqualHashes.areTooMany(elements)) {
                return reading.fail(
                        "must not have more than " + EqualHashes.MOST + " elements with one hash");
            }
            Set<@Nullable Object> set = new LinkedHashSet<>(elements);
            return set.size() == elements.size()
                    ? Collections.unmodifiableSet(set)
                    : reading.fail("must not have an element twice");
        }

        @Override
        public Set<?> elements(Object value) {
            return (Set<?>) value;
        }

        /** Elements that differ in Java alone, such as 1.0 and 1.00, are written once. */
        @Override
        public void write(Object value, JsonWriter writer) {
            Set<?> elements = elements(value);
            if (elements.size() < 2 || isDistinct(element)) {
                ArrayShape.super.write(value, writer);
                return;
            }
            Set<String> written = new HashSet<>();
            writer.beginArray();
            for (Object each : elements) {
                writer.distinct(() -> writeElement(each, writer), written);
            }
            writer.endArray();
        }

        private static boolean isDistinct(Shape shape) {
            return shape == TextShape.STRING
                    || shape instanceof EnumShape
                    || shape instanceof NumberShape number && number.whole();
        }

        @Override
        public Map<String, JsonValue> schema(SchemaBuilder schemas) {
            Map<String, JsonValue> schema = ArrayShape.super.schema(schemas);
            schema.put("uniqueItems", JsonBoolean.TRUE);
            return schema;
        }
    }

    /** Java arrays, other than {@code byte[]}. */
    record OfJavaArray(Class<?> elementType, Shape element) implements ArrayShape {
        @Override
        public Object collect(List<@Nullable Object> elements, Reading reading) {
            Object array = Array.newInstance(elementType, elements.size());
            for (int i = 0; i < elements.size(); i++) {
                Array.set(array, i, elements.get(i));
            }
            return array;
        }

        @Override
        public Iterable<? extends @Nullable Object> elements(Object value) {
            List<@Nullable Object> elements = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(Array.get(value, i));
            }
            return elements;
        }
    }
}
