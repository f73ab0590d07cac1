package dev.fairlead.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random values whose texts have the pitfalls of readers and writers. */
final class RandomTexts {
    private static final List<String> PIECES =
            List.of(
                    "a",
                    "é",
                    "€",
                    "🌍",
                    "\ud83c",
                    "\udf0d",
                    "\"",
                    "\\",
                    "/",
                    "?",
                    "\n",
                    "\r",
                    "\t",
                    "\b",
                    "\f",
                    "\u0000",
                    "\u001f",
                    "\u007f",
                    "\u0080",
                    "\u07ff",
                    "\u0800",
                    "\ud7ff",
                    "\ue000",
                    "\uffff",
                    "\u2028",
                    "Ł",
                    "abcdefgh",
                    "name");

    private final Random random;

    RandomTexts(Random random) {
        this.random = random;
    }

    /**
     * A text of mostly plain characters, often about as long as a word or a limit of the writer.
     */
    String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(10) == 0 ? random.nextInt(600) : random.nextInt(40);
        int oddity = random.nextInt(30);
        while (text.length() < length) {
            text.append(
                    random.nextInt(30) < oddity
                            ? PIECES.get(random.nextInt(PIECES.size()))
                            : "" + (char) (' ' + random.nextInt(95)));
        }
        return text.toString();
    }

    /** A text without half a surrogate pair. */
    String name() {
        return text().replaceAll("[\ud800-\udfff]", "");
    }

    BigDecimal number() {
        return switch (random.nextInt(5)) {
            case 0 -> BigDecimal.valueOf(random.nextInt(100));
            case 1 -> BigDecimal.valueOf(random.nextLong());
            case 2 -> new BigDecimal(new BigInteger(random.nextInt(3000), random));
            case 3 -> new BigDecimal(new BigInteger(70, random), random.nextInt(2000) - 1000);
            default -> BigDecimal.valueOf(number64());
        };
    }

    /** A finite number of 64 bits. */
    double number64() {
        double number = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(number) ? number : random.nextGaussian();
    }

    JsonValue value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> new JsonNumber(number());
            case 1 -> JsonValue.of(random.nextBoolean());
            case 2 -> JsonNull.NULL;
            case 3, 4, 5 -> new JsonString(text());
            case 6 -> {
                List<JsonValue> elements = new ArrayList<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    elements.add(value(depth - 1));
                }
                yield new JsonArray(elements);
            }
            default -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                for (int i = random.nextInt(6); i > 0; i--) {
                    members.put(name(), value(depth - 1));
                }
                yield new JsonObject(members);
            }
        };
    }

    /** A value as a peer may write it: with space between tokens, and unneeded escapes. */
    byte[] spaced(JsonValue value) {
        byte[] json = RawJson.of(value).toBytes();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean isText = false;
        int oddity = random.nextInt(4) == 0 ? random.nextInt(30) : 0;
        for (int i = 0; i < json.length; i++) {
            byte b = json[i];
            if (isText && b == '\\') {
                out.write(b);
                out.write(json[++i]);
            } else if (isText && b > ' ' && b != '"' && random.nextInt(100) < oddity) {
                String code = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
                out.writeBytes(code.formatted((int) b).getBytes(UTF_8));
            } else {
                isText ^= b == '"';
                out.write(b);
                if (!isText && "{}[],:".indexOf(b) >= 0 && random.nextInt(100) < oddity) {
                    out.writeBytes(pick(" ", "\n", "\t", "\r\n", "        ").getBytes(UTF_8));
                }
            }
        }
        return out.toByteArray();
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
