package dev.fairlead.json;

/**
 * The bytes from {@code start} to before {@code end} in which a text is read, and the errors that
 * name a place in them. A message is short and repeats nothing of the text, which may hold secrets.
 */
record Source(byte[] bytes, int start, int end) {
    /** Returns the error for an index where something else was expected, or more text. */
    JsonException expected(int at, String what) {
        return at < end && bytes[at] < 0 && Utf8.length(bytes, at, end) == 0
                ? notUtf8(at)
                : new JsonException("the text is not JSON at " + place(at) + ": expected " + what);
    }

    JsonException notUtf8(int at) {
        return new JsonException("the text is not UTF-8 at " + place(at));
    }

    JsonException tooDeep(int at) {
        return new JsonException(
                "the text is nested more than "
                        + JsonReader.MAX_DEPTH
                        + " levels deep at "
                        + place(at));
    }

    JsonException numberTooLong(int at) {
        return new JsonException(
                "a number has more than "
                        + JsonReader.MAX_NUMBER_LENGTH
                        + " characters at "
                        + place(at));
    }

    JsonException twice(int at, String name) {
        return new JsonException("an object has two members named " + name + " at " + place(at));
    }

    JsonException textAfter(int at) {
        return new JsonException("unexpected text after the value at " + place(at));
    }

    /** Returns where an index is; with its line where that is not the only one before it. */
    private String place(int at) {
        int line = 1;
        for (int i = start; i < at; i++) {
            if (bytes[i] == '\n') {
                line++;
            }
        }
        String place = "byte " + (at - start);
        return line == 1 ? place : place + " (line " + line + ")";
    }
}
