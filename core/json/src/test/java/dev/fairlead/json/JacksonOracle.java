package dev.fairlead.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
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
     * Passes over exactly one value.
     *
     * @throws JacksonException if the text is not JSON
     * @throws JsonException if it is not UTF-8 or not one value
     */
    static void check(byte[] utf8) {
        try (JsonParser parser = parser(utf8)) {
            JsonToken token = parser.nextToken();
            if (token == null) {
                throw new JsonException("empty");
            }
            int depth = 0;
            while (token != null) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                token = parser.nextToken();
                if (token != null && depth == 0) {
                    throw new JsonException("more than one value");
                }
            }
        }
    }

    /** Jackson also takes other encodings, and texts that are no UTF-8. */
    private static JsonParser parser(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw new JsonException("not UTF-8", e);
        }
        if (bytes.length > 1 && (bytes[0] == 0 || bytes[1] == 0)) {
            throw new JsonException("UTF-16");
        }
        return FACTORY.createParser(ObjectReadContext.empty(), bytes);
    }

    /**
     * Reads exactly one value.
     *
     * @throws JacksonException if the text is not JSON
     * @throws NumberFormatException if a number is beyond all bounds
     * @throws JsonException if it is not UTF-8, not one value, or names a member twice
     */
    static JsonValue read(byte[] utf8) {
        check(utf8);
        try (JsonParser parser = parser(utf8)) {
            return value(parser, parser.nextToken());
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
