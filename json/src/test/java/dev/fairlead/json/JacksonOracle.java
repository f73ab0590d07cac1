package dev.fairlead.json;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes JSON with Jackson, within the limits of {@link JsonReader}. */
final class JacksonOracle {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(JsonReader.MAX_DEPTH)
                                    .maxNumberLength(JsonReader.MAX_NUMBER_LENGTH)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .build())
                    .build();

    private JacksonOracle() {}

    /**
     * Reads exactly one value.
     *
     * @throws JacksonException if the text is not JSON
     * @throws NumberFormatException if a number is beyond all bounds
     * @throws JsonException if an object names a member twice
     */
    static JsonValue read(byte[] utf8) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), utf8)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new JsonException("empty");
            }
            JsonValue value = value(parser, first);
            if (parser.nextToken() != null) {
                throw new JsonException("more than one value");
            }
            return value;
        }
    }

    private static JsonValue value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    if (members.put(name, value(parser, parser.nextToken())) != null) {
                        throw new JsonException("twice");
                    }
                }
                yield new JsonObject(members);
            }
            case START_ARRAY -> {
                List<JsonValue> elements = new ArrayList<>();
                JsonToken next;
                while ((next = parser.nextToken()) != JsonToken.END_ARRAY) {
                    elements.add(value(parser, next));
                }
                yield new JsonArray(elements);
            }
            case VALUE_STRING -> new JsonString(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getDecimalValue());
            case VALUE_TRUE, VALUE_FALSE -> JsonValue.of(token == JsonToken.VALUE_TRUE);
            case VALUE_NULL -> JsonNull.NULL;
            default -> throw new IllegalStateException(token.toString());
        };
    }

    /** Writes a value without half a surrogate pair. */
    static byte[] write(JsonValue value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            write(value, out);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonValue value, JsonGenerator out) {
        switch (value) {
            case JsonObject object -> {
                out.writeStartObject();
                object.members()
                        .forEach(
                                (name, member) -> {
                                    out.writeName(name);
                                    write(member, out);
                                });
                out.writeEndObject();
            }
            case JsonArray array -> {
                out.writeStartArray();
                array.forEach(element -> write(element, out));
                out.writeEndArray();
            }
            case JsonString text -> out.writeString(text.value());
            case JsonNumber number -> out.writeNumber(number.value().toString());
            case JsonBoolean flag -> out.writeBoolean(flag.value());
            case JsonNull nothing -> out.writeNull();
        }
    }

    /** Writes a number of 64 bits. */
    static byte[] write(double number) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            out.writeNumber(number);
        }
        return bytes.toByteArray();
    }
}
