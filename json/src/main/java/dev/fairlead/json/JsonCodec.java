package dev.fairlead.json;

/**
 * Turns JSON into values of one Java type and back.
 *
 * <p>Codecs are made once for each type and kept; they are thread-safe. Records are objects whose members are the
 * components in their order; see the package page for all types and annotations.
 *
 * @param <T> the Java type
 */
public final class JsonCodec<T> {

    private JsonCodec() {}

    /**
     * The codec of a class.
     *
     * @throws IllegalArgumentException if the type, or one that it is made of, has no JSON form; the message names it
     */
    public static <T> JsonCodec<T> of(Class<T> type) {
        throw new UnsupportedOperationException();
    }

    /** The codec of a type with type arguments. */
    public static <T> JsonCodec<T> of(TypeRef<T> type) {
        throw new UnsupportedOperationException();
    }

    /**
     * Binds a text straight to the type, without a tree in between.
     *
     * @throws JsonBindingException with every violation, if the value does not fit
     */
    public T read(RawJson json) {
        throw new UnsupportedOperationException();
    }

    /** Binds a tree to the type; fails as {@link #read(RawJson)} does. */
    public T read(JsonValue json) {
        throw new UnsupportedOperationException();
    }

    /** Writes a value as text. */
    public RawJson write(T value) {
        throw new UnsupportedOperationException();
    }

    /** Writes a value into a text under way. */
    public void write(T value, JsonWriter writer) {
        throw new UnsupportedOperationException();
    }

    /** Turns a value into a tree. */
    public JsonValue toValue(T value) {
        return write(value).value();
    }
}
