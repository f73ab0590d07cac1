package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The description of an enum: its constants in their order. Not thread-safe.
 *
 * @param <E> the enum
 */
public final class EnumDescription<E extends Enum<E>> {
    private final Class<E> type;
    private final List<EnumShape.Constant<E>> constants = new ArrayList<>();
    private @Nullable String doc;

    EnumDescription(Class<E> type) {
        this.type = Objects.requireNonNull(type, "type");
    }

    /** What the enum means, as {@link Doc}. */
    public EnumDescription<E> doc(String text) {
        doc = Objects.requireNonNull(text, "text");
        return this;
    }

    /**
     * Adds a constant.
     *
     * @param name its name on the wire
     */
    public EnumDescription<E> constant(E constant, String name) {
        return add(constant, name, null);
    }

    /**
     * Adds a constant with a title for people.
     *
     * @param name its name on the wire
     */
    public EnumDescription<E> constant(E constant, String name, String title) {
        return add(constant, name, Objects.requireNonNull(title, "title"));
    }

    private EnumDescription<E> add(E constant, String name, @Nullable String title) {
        constants.add(
                new EnumShape.Constant<>(
                        Objects.requireNonNull(constant, "constant"),
                        Objects.requireNonNull(name, "name"),
                        title));
        return this;
    }

    /**
     * Ends the description.
     *
     * @throws IllegalArgumentException if two constants have one name
     */
    public DescribedType<E> build() {
        Shape shape = new EnumShape<>(type, doc, constants);
        return new DescribedType<>(type, shapes -> shape);
    }
}
