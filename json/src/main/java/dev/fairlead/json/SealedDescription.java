package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The description of a sealed interface: the records that it permits. Not thread-safe.
 *
 * @param <S> the interface
 */
public final class SealedDescription<S> {
    private final Class<?> type;
    private final List<Permitted> permitted = new ArrayList<>();
    private @Nullable String doc;
    private String discriminator = "type";
    private String valueOfAbsent = "";

    SealedDescription(Class<?> type) {
        this.type = Objects.requireNonNull(type, "type");
    }

    /** What the interface means, as {@link Doc}. */
    public SealedDescription<S> doc(String text) {
        doc = Objects.requireNonNull(text, "text");
        return this;
    }

    /**
     * The member that tells the records apart, as {@link JsonDiscriminator}; without this word it
     * is {@code type}.
     *
     * @param valueOfAbsent the value that an absent member means; empty if it must be there
     */
    public SealedDescription<S> discriminator(String name, String valueOfAbsent) {
        this.discriminator = Objects.requireNonNull(name, "name");
        this.valueOfAbsent = Objects.requireNonNull(valueOfAbsent, "valueOfAbsent");
        return this;
    }

    /**
     * Adds a record.
     *
     * @param value the value of the discriminator that stands for it; without meaning for a record
     *     that is inline
     * @param recordType a described record; any other is refused when the codec is made
     */
    public SealedDescription<S> permits(String value, DescribedType<? extends S> recordType) {
        permitted.add(
                new Permitted(
                        Objects.requireNonNull(value, "value"),
                        Objects.requireNonNull(recordType, "recordType")));
        return this;
    }

    /** Ends the description. */
    public DescribedType<S> build() {
        var model =
                new DescribedSealed(
                        new Object(),
                        type,
                        doc,
                        discriminator,
                        valueOfAbsent,
                        List.copyOf(permitted));
        return new DescribedType<>(type, shapes -> shapes.sealed(model));
    }

    private record Permitted(String value, DescribedType<?> recordType) {
        private SealedModel.Case in(Class<?> parent) {
            RecordModel model = recordType.model();
            if (model == null) {
                throw new IllegalArgumentException(
                        recordType + " is a case of " + parent.getName() + " but no record");
            }
            return new SealedModel.Case(value, model);
        }
    }

    private record DescribedSealed(
            Object identity,
            Class<?> type,
            @Nullable String doc,
            String discriminator,
            String valueOfAbsent,
            List<Permitted> permitted)
            implements SealedModel {
        @Override
        public List<Case> cases() {
            return permitted.stream().map(one -> one.in(type)).toList();
        }
    }
}
