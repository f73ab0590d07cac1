package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON text from front to back, without a tree in between. It always stands on a value:
 * {@link #kind} returns which, and exactly one of the reading methods must read it before the next
 * one.
 *
 * <p>For use by one thread. Every method throws a {@link JsonException} if the text is malformed.
 */
public final class JsonReader implements AutoCloseable {
    /** How deeply arrays and objects may be nested. */
    public static final int MAX_DEPTH = 500;

    /** The most characters of one number. */
    public static final int MAX_NUMBER_LENGTH = 1000;

    /** The most values of a text, those of the JSON in its strings included. */
    static final int MAX_VALUES_IN_STRINGS = 1_000_000;

    /** The kind of a value. */
    public enum Kind {
        /** An object. */
        OBJECT("an object"),
        /** An array. */
        ARRAY("an array"),
        /** A string. */
        STRING("a string"),
        /** A number. */
        NUMBER("a number"),
        /** {@code true} or {@code false}. */
        BOOLEAN("a boolean"),
        /** The literal {@code null}. */
        NULL("null");

        private final String phrase;

        Kind(String phrase) {
            this.phrase = phrase;
        }

        /** The kind as it stands in a message, such as {@code "an object"}. */
        public String phrase() {
            return phrase;
        }
    }

    private final Source source;
    private final byte[] bytes;
    private final int end;
    private final boolean isUtf8; // as was checked before
    private final int maxValues;
    private final StringScanner strings;
    private final MemberNames names;
    private @Nullable NumberScanner numbers; // made for the first number
    private final MemberIndex index; // of the object that is the whole text

    private int at; // behind the current scalar, or the bracket of the current object or array
    private int start; // of the current value
    private @Nullable Kind kind; // of the current value; null behind an object or array
    private int depth;
    private boolean isFirst; // the next member or element of its object or array
    private int values = 1;

    /** A reader of these bytes, which must be UTF-8; a byte order mark in front is skipped. */
    public JsonReader(byte[] utf8) {
        this(utf8, Integer.MAX_VALUE);
    }

    /**
     * A reader of these bytes, as {@link #JsonReader(byte[])}.
     *
     * @param maxValues how many values the text may have, those in arrays and objects and those
     *     that are skipped included; a text with more is refused
     */
    public JsonReader(byte[] utf8, int maxValues) {
        this(utf8, utf8.length, maxValues);
    }

    /** A reader of the first bytes of an array. */
    JsonReader(byte[] utf8, int length, int maxValues) {
        this(
                new Source(utf8, 0, length),
                Utf8.start(utf8, length),
                false,
                maxValues,
                MemberIndex.NONE);
    }

    /** A reader of a text that was read or written before. */
    JsonReader(Source source, MemberIndex index) {
        this(source, source.start(), true, Integer.MAX_VALUE, index);
    }

    private JsonReader(Source source, int start, boolean isUtf8, int maxValues, MemberIndex index) {
        this.source = source;
        this.bytes = source.bytes();
        this.end = source.end();
        this.isUtf8 = isUtf8;
        this.maxValues = maxValues;
        this.index = index;
        strings = new StringScanner(source, isUtf8);
        names = MemberNames.forText(end - start);
        at = start;
        passSpace();
        if (at == end) {
            throw new JsonException("the text is empty");
        }
        toValue();
    }

    private void passSpace() {
        while (at < end && isSpace(bytes[at])) {
            at++;
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /** Steps to the value that is next, and over it if it is a scalar. */
    private void toValue() {
        passSpace();
        start = at;
        switch (at < end ? bytes[at] : 0) {
            case '{' -> open(Kind.OBJECT);
            case '[' -> open(Kind.ARRAY);
            case '"' -> {
                kind = Kind.STRING;
                at = strings.pass(at);
            }
            case 't' -> literal("true", Kind.BOOLEAN);
            case 'f' -> literal("false", Kind.BOOLEAN);
            case 'n' -> literal("null", Kind.NULL);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                kind = Kind.NUMBER;
                at = numbers().pass(at);
            }
            default -> throw source.expected(at, "a value");
        }
    }

    private NumberScanner numbers() {
        NumberScanner scanner = numbers == null ? new NumberScanner(source) : numbers;
        numbers = scanner;
        return scanner;
    }

    private void open(Kind opened) {
        if (++depth > MAX_DEPTH) {
            throw source.tooDeep(at);
        }
        kind = opened;
        isFirst = true;
        at++;
    }

    private void close(int end) {
        at = end;
        depth--;
        isFirst = false;
        kind = null;
    }

    private void literal(String word, Kind found) {
        for (int i = 0; i < word.length(); i++) {
            if (at == end || bytes[at] != word.charAt(i)) {
                throw source.expected(start, "a value");
            }
            at++;
        }
        kind = found;
    }

    /** Returns the kind of the current value. */
    public Kind kind() {
        if (kind == null) {
            throw new IllegalStateException("no value here but the end of an object or array");
        }
        return kind;
    }

    private void expect(Kind expected) {
        if (kind() != expected) {
            throw new JsonException(
                    "expected " + expected.phrase() + " but found " + kind().phrase());
        }
    }

    /** Steps into the current object; {@link #nextName} leads through its members. */
    public void beginObject() {
        expect(Kind.OBJECT);
    }

    /**
     * Steps to the value of the next member and gives its name, or null at the end of the object,
     * which is then taken.
     */
    public @Nullable String nextName() {
        if (!toNameOrEnd()) {
            return null;
        }
        String name = strings.name(names);
        toValueOfMember();
        return name;
    }

    /** Steps over the next name; false at the end of the object, which is then taken. */
    private boolean toNameOrEnd() {
        if (isEnd('}', "a comma or the end of an object")) {
            return false;
        }
        passSpace();
        if (at == end || bytes[at] != '"') {
            throw source.expected(at, "the name of a member");
        }
        at = strings.pass(at);
        return true;
    }

    private void toValueOfMember() {
        passSpace();
        if (at == end || bytes[at] != ':') {
            throw source.expected(at, "a colon");
        }
        at++;
        toValue();
        countValue();
    }

    /** Takes the end of an object or array if it is next, else the comma that is due. */
    private boolean isEnd(char close, String expected) {
        passSpace();
        if (at < end && bytes[at] == close) {
            close(at + 1);
            return true;
        }
        if (!isFirst) {
            if (at == end || bytes[at] != ',') {
                throw source.expected(at, expected);
            }
            at++;
        }
        isFirst = false;
        return false;
    }

    /** Steps into the current array; {@link #nextElement} leads through its elements. */
    public void beginArray() {
        expect(Kind.ARRAY);
    }

    /** Steps to the next element; false at the end of the array, which is then taken. */
    public boolean nextElement() {
        if (isEnd(']', "a comma or the end of an array")) {
            return false;
        }
        toValue();
        countValue();
        return true;
    }

    /** Takes a string. */
    public String string() {
        expect(Kind.STRING);
        return strings.text();
    }

    /** Takes a string and returns whether it is this one, which is ASCII. */
    public boolean isString(String expected) {
        expect(Kind.STRING);
        return strings.isText(expected);
    }

    /**
     * Returns a reader of the JSON that the current string contains. Its depth and its values add
     * to those of this text.
     */
    JsonReader ofString() {
        byte[] utf8 = string().getBytes(StandardCharsets.UTF_8);
        JsonReader inside = new JsonReader(utf8, MAX_VALUES_IN_STRINGS);
        inside.depth += depth;
        inside.values += values;
        return inside;
    }

    /** Checks that the JSON of the current string, of which one value was taken, ends. */
    void endString(JsonReader inside) {
        inside.end();
        values = inside.values;
    }

    /** Takes a boolean. */
    public boolean bool() {
        expect(Kind.BOOLEAN);
        return bytes[start] == 't';
    }

    /** Takes a number. */
    public BigDecimal number() {
        expect(Kind.NUMBER);
        return numbers().decimal();
    }

    /** Takes a number; null if it is beyond those of a {@link BigDecimal}, which is noted. */
    @Nullable BigDecimal number(Reading reading) {
        try {
            return number();
        } catch (JsonException e) {
            reading.fail("must not have a number with an exponent beyond 32 bits");
            return null;
        }
    }

    /**
     * Whether the current number is written without fraction and exponent and fits 64 bits, so that
     * {@link #longValue} is exact.
     */
    public boolean isLong() {
        return kind == Kind.NUMBER && numbers().isLong();
    }

    /** Takes a number for which {@link #isLong} holds. */
    public long longValue() {
        expect(Kind.NUMBER);
        if (!numbers().isLong()) {
            throw new JsonException("expected an integer of 64 bits");
        }
        return numbers().longValue();
    }

    private void countValue() {
        if (++values > maxValues) {
            throw new JsonException("the text has more than " + maxValues + " values");
        }
    }

    /**
     * Takes any value without looking at it, and returns whether it is an array without elements:
     * serializers that do not know the difference write it for an object without members.
     */
    public boolean skipsEmptyArray() {
        if (kind() != Kind.ARRAY) {
            skip();
            return false;
        }
        boolean isEmpty = true;
        while (nextElement()) {
            skip();
            isEmpty = false;
        }
        return isEmpty;
    }

    /** Takes any value without looking at it. */
    public void skip() {
        switch (kind()) {
            case OBJECT -> {
                if (!takeNoted()) {
                    skipMembers();
                }
            }
            case ARRAY -> {
                if (!takeNoted()) {
                    skipElements();
                }
            }
            case STRING, NUMBER, BOOLEAN, NULL -> {} // passed over already
        }
    }

    /** Takes the current object or array if its end was noted; returns whether it was. */
    private boolean takeNoted() {
        int noted = index.endOf(start - source.start());
        if (noted == MemberIndex.ABSENT) {
            return false;
        }
        close(source.start() + noted);
        return true;
    }

    private void skipMembers() {
        while (toUnreadMember()) {
            skip();
        }
    }

    private void skipElements() {
        while (nextElement()) {
            skip();
        }
    }

    /**
     * Steps to the value of the next member; false at the end of the object, which is then taken.
     */
    private boolean toUnreadMember() {
        if (!toNameOrEnd()) {
            return false;
        }
        strings.checkName();
        toValueOfMember();
        return true;
    }

    /** Takes any value as its text. */
    public RawJson raw() {
        int from = start;
        if (kind() != Kind.OBJECT) {
            skip();
            return new RawJson(bytes, from, at - from, MemberIndex.NONE);
        }
        if (takeNoted()) {
            return new RawJson(bytes, from, at - from, MemberIndex.NONE);
        }
        MemberIndex members = MemberIndex.empty();
        while (toNameOrEnd()) {
            strings.checkName();
            if (!strings.isPlain()) { // other bytes may be the same name
                members.drop();
            }
            int nameFrom = strings.from();
            int nameTo = strings.to();
            toValueOfMember();
            int member = start;
            skip();
            members.add(nameFrom - from, nameTo - from, member - from, at - from);
        }
        return new RawJson(bytes, from, at - from, members);
    }

    /** Takes any value as a tree. */
    public JsonValue value() {
        return value(null);
    }

    /**
     * Takes any value as a tree; a member that stands twice, and a number beyond all bounds, is
     * noted where there is a reading, else refused.
     */
    JsonValue value(@Nullable Reading reading) {
        return switch (kind()) {
            case OBJECT -> restOfObject(new JsonObject.Own(), nextName(), reading);
            case ARRAY -> array(reading);
            case STRING -> new JsonString(string());
            case NUMBER -> {
                BigDecimal number = reading == null ? number() : number(reading);
                yield number == null ? JsonNull.NULL : new JsonNumber(number);
            }
            case BOOLEAN -> JsonValue.of(bool());
            case NULL -> JsonNull.NULL;
        };
    }

    /** Takes the members from the one with this name on and adds them to those before it. */
    JsonObject restOfObject(
            Map<String, JsonValue> members, @Nullable String next, @Nullable Reading reading) {
        for (String name = next; name != null; name = nextName()) {
            int position = start;
            if (members.put(name, value(reading)) != null) {
                if (reading == null) {
                    throw source.twice(position, name);
                }
                reading.fail("has two members named " + name);
            }
        }
        return new JsonObject(members);
    }

    private JsonArray array(@Nullable Reading reading) {
        List<JsonValue> elements = new ArrayList<>();
        while (nextElement()) {
            elements.add(value(reading));
        }
        return new JsonArray(elements);
    }

    /** Where the current value starts. */
    int position() {
        return start;
    }

    /** The text from a position on to the end of the value that was just taken. */
    RawJson since(int position) {
        return new RawJson(bytes, position, at - position, MemberIndex.NONE);
    }

    /**
     * Looks ahead for a member of the object that starts at a position; null if it has none. Does
     * not move.
     */
    @Nullable RawJson find(int position, String member) {
        try (JsonReader ahead =
                new JsonReader(source, position, isUtf8, Integer.MAX_VALUE, MemberIndex.NONE)) {
            ahead.beginObject();
            for (String name = ahead.nextName(); name != null; name = ahead.nextName()) {
                if (name.equals(member)) {
                    return ahead.raw();
                }
                ahead.skip();
            }
            return null;
        }
    }

    /** Checks that nothing but white space follows the value just taken. */
    public void end() {
        passSpace();
        if (at < end) {
            throw source.textAfter(at);
        }
    }

    /** Does nothing: a reader holds nothing but memory. */
    @Override
    public void close() {}
}
