package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A record: a JSON object with a member for each component, and one more for each discriminator
 * that identifies this record in a sealed interface.
 */
final class RecordShape implements Shape {
    /** Stands for a member that was seen and gave no value. */
    private static final Object NOTHING = new Object();

    /** The most bytes of a member that is kept as it came because it cannot be read. */
    private static final int MAX_KEPT = 1_024;

    /** A member of fixed value; {@code optional} if its absence means that value. */
    record Discriminator(String name, String value, boolean optional) {}

    private final Class<?> type;
    private final @Nullable String doc;
    private final RecordAccess access;
    private final List<Discriminator> discriminators;

    // Set once by define, before the codec is published: the components of a recursive record refer
    // to this shape.
    private Component[] components = {};
    private int otherIndex = -1;
    private Map<String, Integer> slots = Map.of();

    RecordShape(
            Class<?> type,
            @Nullable String doc,
            RecordAccess access,
            List<Discriminator> discriminators) {
        this.type = type;
        this.doc = doc;
        this.access = access;
        this.discriminators = discriminators;
    }

    /** Completes the shape; {@code otherIndex} is the component of other members, or -1. */
    void define(List<Component> components, int otherIndex) {
        this.components = components.toArray(Component[]::new);
        this.otherIndex = otherIndex;
        slots = new HashMap<>();
        for (int i = 0; i < this.components.length; i++) {
            if (i != otherIndex) {
                slot(this.components[i].name(), i);
            }
        }
        for (int i = 0; i < discriminators.size(); i++) {
            slot(discriminators.get(i).name(), this.components.length + i);
        }
    }

    private void slot(String name, int slot) {
        MemberNames.know(name);
        if (slots.put(name, slot) != null) {
            throw new IllegalArgumentException(type.getName() + " has two members named " + name);
        }
    }

    /** The name in messages and schemas. */
    String name() {
        return type.getSimpleName();
    }

    @Override
    public @Nullable Object read(JsonReader reader, Reading reading) {
        if (reader.kind() != JsonReader.Kind.OBJECT) {
            return reading.isEmptyArray(reader) ? readMembers(reader, reading, null, null) : null;
        }
        reader.beginObject();
        return readMembers(reader, reading, reader.nextName(), null);
    }

    /**
     * Takes the members of an object from the one with this name on.
     *
     * @param taken the discriminator that was taken already, or null
     */
    @Nullable Object readMembers(
            JsonReader reader, Reading reading, @Nullable String first, @Nullable String taken) {
        long start = reading.mark();
        Reading.Passed passed = reading.takePassed();
        int passedOver = 0; // a bit for each name
        @Nullable Object[] values = new Object[components.length + discriminators.size()];
        Others others = new Others();
        if (taken != null) {
            values[slots.getOrDefault(taken, 0)] = NOTHING;
        }
        for (String name = first; name != null; name = reader.nextName()) {
            long mark = reading.mark();
            Integer slot = slots.get(name);
            if (passed != null && passed.names().contains(name)) {
                reading.pass(passed, reader);
                int bit = 1 << passed.names().indexOf(name);
                if ((passedOver & bit) != 0) {
                    reading.fail("is there twice");
                }
                passedOver |= bit;
            } else if (slot == null) {
                others.take(name, reader, reading, passed != null && passed.unknown());
            } else if (values[slot] != null) {
                reader.skip();
                reading.fail("is there twice");
            } else {
                int from = reader.position();
                int omissions = reading.omissions();
                Object value = readSlot(slot, reader, reading);
                values[slot] = value == null ? NOTHING : value;
                if (reading.omissions() != omissions && !reading.failedSince(mark)) {
                    others.keepOmitted(name, slot, value, reader.since(from));
                }
            }
            reading.under(mark, name);
        }
        complete(values, others, reading);
        if (reading.failedSince(start)) {
            return null;
        }
        return access.construct(
                discriminators.isEmpty() ? values : Arrays.copyOf(values, components.length),
                reading);
    }

    private @Nullable Object readSlot(int slot, JsonReader reader, Reading reading) {
        if (slot < components.length) {
            return components[slot].read(reader, reading);
        }
        String expected = discriminators.get(slot - components.length).value();
        if (reader.kind() != JsonReader.Kind.STRING) {
            return reading.wrongKind(expected, reader);
        }
        return reader.string().equals(expected) ? null : reading.fail("must be " + expected);
    }

    /** Sets the members that were absent from the text. */
    private void complete(@Nullable Object[] values, Others others, Reading reading) {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == NOTHING) {
                values[i] = null;
            } else if (i == otherIndex) {
                values[i] = others.members();
            } else if (values[i] == null) {
                long mark = reading.mark();
                values[i] = absent(i, reading);
                if (reading.failedSince(mark)) {
                    reading.under(mark, nameOf(i));
                }
            }
        }
    }

    private @Nullable Object absent(int slot, Reading reading) {
        if (slot < components.length) {
            return components[slot].absent(reading);
        }
        return discriminators.get(slot - components.length).optional()
                ? null
                : reading.fail("is missing");
    }

    private String nameOf(int slot) {
        return slot < components.length
                ? components[slot].name()
                : discriminators.get(slot - components.length).name();
    }

    /** The members that no component names. */
    private final class Others {
        private @Nullable Map<String, JsonValue> kept;
        private @Nullable Set<String> passed;

        void take(String name, JsonReader reader, Reading reading, boolean ignored) {
            if (otherIndex >= 0) {
                kept = kept == null ? new LinkedHashMap<>() : kept;
                if (kept.put(name, reader.value(reading)) != null) {
                    reading.fail("is there twice");
                }
                return;
            }
            reader.skip();
            passed = passed == null ? new HashSet<>() : passed;
            if (!passed.add(name)) {
                reading.fail("is there twice");
            } else if (reading.strict() && !ignored) {
                reading.fail(unknown());
            }
        }

        /** Keeps a member of which something was left out, unless it is long. */
        void keepOmitted(String name, int slot, @Nullable Object value, RawJson json) {
            if (otherIndex < 0
                    || json.size() > MAX_KEPT
                    || !components[slot].isKeptAsItCame(value)) {
                return;
            }
            kept = kept == null ? new LinkedHashMap<>() : kept;
            try {
                kept.put(name, json.value());
            } catch (JsonException e) { // it has two members of one name
                return;
            }
        }

        JsonObject members() {
            return kept == null ? JsonObject.EMPTY : new JsonObject(kept);
        }
    }

    private String unknown() {
        List<String> known = new ArrayList<>();
        for (Component component : components) {
            known.add(component.name());
        }
        return known.isEmpty()
                ? "is unknown (no members are known)"
                : "is unknown (known: " + String.join(", ", known) + ")";
    }

    @Override
    public void write(Object value, JsonWriter writer) {
        writer.beginObject();
        writeMembers(value, writer, List.of());
        writer.endObject();
    }

    /**
     * Writes the members alone.
     *
     * @param written names that no other member gets
     */
    void writeMembers(Object value, JsonWriter writer, List<String> written) {
        for (Discriminator discriminator : discriminators) {
            writer.name(discriminator.name()).string(discriminator.value());
        }
        for (int i = 0; i < components.length; i++) {
            if (i == otherIndex) {
                writeOthers(components[i].get(value), writer, written);
            } else {
                components[i].write(value, writer);
            }
        }
    }

    private void writeOthers(@Nullable Object others, JsonWriter writer, List<String> written) {
        if (others != null) {
            ((JsonObject) others)
                    .members()
                    .forEach(
                            (name, member) -> {
                                if (!slots.containsKey(name) && !written.contains(name)) {
                                    writer.name(name).value(member);
                                }
                            });
        }
    }

    @Override
    public Map<String, JsonValue> schema(SchemaBuilder schemas) {
        Map<String, JsonValue> properties = new LinkedHashMap<>();
        List<JsonValue> required = new ArrayList<>();
        for (Discriminator discriminator : discriminators) {
            properties.put(discriminator.name(), JsonObject.of("const", discriminator.value()));
            if (!discriminator.optional()) {
                required.add(new JsonString(discriminator.name()));
            }
        }
        for (int i = 0; i < components.length; i++) {
            if (i != otherIndex) {
                properties.put(components[i].name(), new JsonObject(components[i].schema(schemas)));
                if (components[i].isRequired()) {
                    required.add(new JsonString(components[i].name()));
                }
            }
        }
        Map<String, JsonValue> schema = SchemaBuilder.type("object");
        SchemaBuilder.describe(schema, doc);
        if (!properties.isEmpty()) {
            schema.put("properties", new JsonObject(properties));
        }
        if (!required.isEmpty()) {
            schema.put("required", new JsonArray(required));
        }
        if (otherIndex < 0) {
            schema.put("additionalProperties", JsonBoolean.FALSE);
        }
        return schema;
    }

    @Override
    public JsonReader.Kind kind() {
        return JsonReader.Kind.OBJECT;
    }
}
