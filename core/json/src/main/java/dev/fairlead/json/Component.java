package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One component of a record: a member of its object. */
final class Component {
    private final RecordAccess access;
    private final int index;
    private final String name;
    private final Shape shape;
    private final boolean nullable;
    private final boolean always;
    private final List<Constraint> constraints;
    private final @Nullable String doc;
    private final @Nullable Object defaultValue;
    private final @Nullable Object unreadable; // the value in place of one that cannot be read

    Component(RecordAccess access, int index, ComponentModel model, Shape shape) {
        this.access = access;
        this.index = index;
        this.shape = shape;
        name = model.name();
        nullable = model.isNullable();
        always = model.isAlways();
        constraints = model.rules().stream().map(rule -> rule.on(shape, model.declared())).toList();
        doc = model.doc();
        defaultValue = value("Default", model.defaultText(), model.declared());
        unreadable = value("Otherwise", model.otherwiseText(), model.declared());
    }

    private @Nullable Object value(String annotation, @Nullable String text, String declared) {
        if (text == null) {
            return null;
        }
        Object value = shape == TextShape.STRING ? text : bind(text);
        if (value == null) {
            value = bind(new JsonString(text).toJson());
        }
        if (value != null && value.getClass().isArray()) {
            throw new IllegalArgumentException(
                    "an array can be changed and has no default: " + declared);
        }
        Reading checks = new Reading(true, false, false, null);
        if (value == null || check(value, checks) == null) {
            throw new IllegalArgumentException(
                    "@"
                            + annotation
                            + "(\""
                            + text
                            + "\") does not fit "
                            + declared
                            + checks.causes());
        }
        return value;
    }

    private @Nullable Object bind(String json) {
        Reading reading = new Reading(true, false, false, null);
        try (JsonReader reader = RawJson.parse(json).reader()) {
            return shape.read(reader, reading);
        } catch (JsonException e) {
            return null;
        }
    }

    /** The name on the wire. */
    String name() {
        return name;
    }

    Shape shape() {
        return shape;
    }

    /** Whether the member must be there. */
    boolean isRequired() {
        return !nullable && defaultValue == null && !(shape instanceof OptionalShape);
    }

    /** Takes the value of the member. */
    @Nullable Object read(JsonReader reader, Reading reading) {
        boolean isNull = reader.kind() == JsonReader.Kind.NULL && !shape.takesNull();
        if (isNull) {
            if (!isRequired()) {
                return defaultValue;
            }
            Shape many = shape instanceof OneOrManyShape either ? either.list() : shape;
            if (reading.tolerant() && many instanceof ArrayShape list) {
                return list.collect(List.of(), reading);
            }
        }
        long mark = reading.mark();
        boolean isEmptyText = isEmptyText(reader, reading);
        Object read = readValue(reader, reading);
        if (isEmptyText && reading.failedSince(mark)) {
            reading.forgetSince(mark);
            return none();
        }
        Object value = check(read, reading);
        if (!reading.failedSince(mark) || isNull || !isOmittedBy(reading)) {
            return value;
        }
        reading.omitSince(mark);
        return unreadable == null ? none() : unreadable;
    }

    /** Takes a value, or a string that is its JSON where an object or array is expected. */
    private @Nullable Object readValue(JsonReader reader, Reading reading) {
        if (!reading.fromText()
                || reader.kind() != JsonReader.Kind.STRING
                || shape.kind() != JsonReader.Kind.OBJECT
                        && shape.kind() != JsonReader.Kind.ARRAY) {
            return shape.read(reader, reading);
        }
        long mark = reading.mark();
        try (JsonReader inside = reader.ofString()) {
            if (inside.kind() == shape.kind()) {
                Object value = shape.read(inside, reading);
                reader.endString(inside);
                return value;
            }
        } catch (JsonException e) { // it is no JSON
            reading.forgetSince(mark);
        }
        return shape.read(reader, reading);
    }

    /** Whether the current value is an empty text that may stand for an absent member. */
    private boolean isEmptyText(JsonReader reader, Reading reading) {
        return reading.fromText()
                && !isRequired()
                && reader.kind() == JsonReader.Kind.STRING
                && reader.isString("");
    }

    private boolean isOmittedBy(Reading reading) {
        return unreadable == null
                ? reading.tolerant() && !isRequired()
                : reading.tolerant() || !reading.strict();
    }

    /**
     * Whether a member of which a part was left out is kept in its original form: a value that this
     * release does not know, rather than an object or a list of objects that lacks a part.
     *
     * @param value the value without that part
     */
    boolean isKeptAsItCame(@Nullable Object value) {
        boolean hasParts =
                shape.kind() == JsonReader.Kind.OBJECT
                        || shape instanceof ArrayShape list
                                && list.element().kind() == JsonReader.Kind.OBJECT;
        return value == null || value == unreadable || !hasParts;
    }

    /** The value where the member is absent. */
    @Nullable Object absent(Reading reading) {
        return isRequired() ? reading.fail("is missing") : none();
    }

    private @Nullable Object none() {
        return defaultValue == null && shape instanceof OptionalShape
                ? Optional.empty()
                : defaultValue;
    }

    /** The value if it satisfies the constraints, else null. */
    @Nullable Object check(@Nullable Object value, Reading reading) {
        Object inner = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (inner != null) {
            for (Constraint constraint : constraints) {
                String problem = constraint.problem(inner, reading);
                if (problem != null) {
                    return reading.fail(problem);
                }
            }
        }
        return value;
    }

    /** The value of this component in a record. */
    @Nullable Object get(Object owner) {
        return access.get(owner, index);
    }

    /** Writes the member of a record. */
    void write(Object owner, JsonWriter writer) {
        Object value = get(owner);
        boolean none =
                value == null || (value instanceof Optional<?> optional && optional.isEmpty());
        if (none && !always) {
            return;
        }
        writer.name(name);
        if (value == null) {
            writer.nullValue();
        } else {
            shape.write(value, writer);
        }
    }

    /** The schema of the member. */
    Map<String, JsonValue> schema(SchemaBuilder schemas) {
        return schema(schemas, always && !isRequired());
    }

    /**
     * The schema of the value.
     *
     * @param takesNull whether null stands for none
     */
    Map<String, JsonValue> schema(SchemaBuilder schemas, boolean takesNull) {
        Map<String, JsonValue> schema =
                schemas.of(shape instanceof OptionalShape optional ? optional.inner() : shape);
        constraints.forEach(constraint -> constraint.describe(schema));
        Map<String, JsonValue> whole = takesNull ? SchemaBuilder.orNull(schema) : schema;
        SchemaBuilder.describe(whole, doc);
        if (defaultValue != null) {
            JsonWriter writer = new JsonWriter();
            shape.write(defaultValue, writer);
            whole.put("default", writer.finish().value());
        }
        return whole;
    }
}
