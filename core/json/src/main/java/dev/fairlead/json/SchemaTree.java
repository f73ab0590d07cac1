package dev.fairlead.json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;

/** Turns JSON into the trees of the validator. */
final class SchemaTree {
    /** Beyond it, exact arithmetic ({@code multipleOf}) takes time and memory without bound. */
    private static final int MAX_EXPONENT = 1000;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** A number is too large or too small for exact arithmetic. */
    static final class HugeNumber extends RuntimeException {
        private static final long serialVersionUID = 1;

        HugeNumber() {
            super("a number has an exponent beyond " + MAX_EXPONENT, null, false, false);
        }
    }

    private SchemaTree() {}

    static JsonNode of(JsonValue value) {
        if (value instanceof JsonObject object) {
            ObjectNode node = NODES.objectNode();
            object.members().forEach((name, member) -> node.set(name, of(member)));
            return node;
        } else if (value instanceof JsonArray array) {
            ArrayNode node = NODES.arrayNode(array.size());
            array.forEach(element -> node.add(of(element)));
            return node;
        } else if (value instanceof JsonString text) {
            return NODES.stringNode(text.value());
        } else if (value instanceof JsonNumber number) {
            return number(number);
        }
        return value instanceof JsonBoolean flag
                ? NODES.booleanNode(flag.value())
                : NODES.nullNode();
    }

    private static JsonNode number(JsonNumber number) {
        BigDecimal value = number.value();
        if (Math.abs((long) value.precision() - value.scale()) > MAX_EXPONENT
                || Math.abs((long) value.scale()) > 2 * MAX_EXPONENT) {
            throw new HugeNumber();
        }
        if (number.isLong()) {
            return NODES.numberNode(number.longValue());
        }
        return value.stripTrailingZeros().scale() <= 0
                ? NODES.numberNode(value.toBigIntegerExact())
                : NODES.numberNode(value);
    }

    /** How many values there are in a tree. */
    static long size(JsonNode tree) {
        long size = 1;
        for (JsonNode part : tree) {
            size += size(part);
        }
        return size;
    }
}
