package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The description of a record between its class and its constructor.
 *
 * <p>Components come in the order of the record. The words behind one say of it what annotations
 * would say; before the first they are about the record itself. Not thread-safe.
 *
 * @param <R> the record
 */
public final class RecordDescription<R extends Record> {
    /**
     * Reads a component.
     *
     * @param <R> the record
     */
    @FunctionalInterface
    public interface Accessor<R> {
        /** The value of the component, null if it has none. */
        @Nullable Object get(R owner);
    }

    /**
     * Calls the constructor of a record.
     *
     * @param <R> the record
     */
    @FunctionalInterface
    public interface Constructor<R> {
        /** A record of these values; what it throws is a violation. */
        R make(Values values);
    }

    /** The values of the components of one record. */
    public static final class Values {
        private final @Nullable Object[] values;

        private Values(@Nullable Object[] values) {
            this.values = values;
        }

        /**
         * The value of a component: of the type that was described, null only if that may be.
         *
         * @param <T> the type of the component
         * @param index the place of the component, from 0
         */
        // The description says what stands at this place, and whether it may be null.
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
        public <T extends @Nullable Object> T get(int index) {
            return (T) values[index];
        }
    }

    private final Class<?> type;
    private final List<RecordShape.Discriminator> discriminators = new ArrayList<>();
    private final List<ComponentDescription<R>> components = new ArrayList<>();
    private @Nullable String doc;
    private boolean inline;

    RecordDescription(Class<?> type) {
        this.type = Objects.requireNonNull(type, "type");
    }

    /** What the component named last means, or, before the first, the record: as {@link Doc}. */
    public RecordDescription<R> doc(String text) {
        Objects.requireNonNull(text, "text");
        if (components.isEmpty()) {
            doc = text;
        } else {
            last().doc = text;
        }
        return this;
    }

    /** Says that the record stands on the wire as its only component, as {@link JsonInline}. */
    public RecordDescription<R> inline() {
        inline = true;
        return this;
    }

    /**
     * Gives the record a member of fixed value, as an interface of it with {@link
     * JsonDiscriminator} does.
     *
     * @param isOptional whether an absent member means this value
     */
    public RecordDescription<R> discriminator(String name, String value, boolean isOptional) {
        discriminators.add(new RecordShape.Discriminator(name, value, isOptional));
        return this;
    }

    /**
     * Adds a component.
     *
     * @param name its name on the wire
     */
    public RecordDescription<R> component(String name, TypeRef<?> type, Accessor<R> accessor) {
        components.add(
                new ComponentDescription<>(
                        Objects.requireNonNull(name, "name"),
                        Objects.requireNonNull(type, "type"),
                        Objects.requireNonNull(accessor, "accessor")));
        return this;
    }

    /** Says that the component may be null, which an absent member then is. */
    public RecordDescription<R> nullable() {
        last().nullable = true;
        return this;
    }

    /** The value where the member is absent, as {@link Default}. */
    public RecordDescription<R> defaultValue(String text) {
        last().defaultText = Objects.requireNonNull(text, "text");
        return this;
    }

    /** The least and the greatest number allowed, as {@link Range}. */
    public RecordDescription<R> range(double min, double max) {
        return rule(Constraint.range(min, max));
    }

    /** How long the value may be, as {@link Size}. */
    public RecordDescription<R> size(int min, int max) {
        return rule(Constraint.size(min, max));
    }

    /** The regular expression that the value must match, as {@link Matches}. */
    public RecordDescription<R> matches(String regex) {
        return rule(Constraint.matches(Objects.requireNonNull(regex, "regex")));
    }

    /** The format of the value, as {@link Format}. */
    public RecordDescription<R> format(String name) {
        return rule(Constraint.format(Objects.requireNonNull(name, "name")));
    }

    /** Says that the member is written even without value, as {@link JsonAlways}. */
    public RecordDescription<R> always() {
        last().always = true;
        return this;
    }

    /** Says that one element may stand without its array, as {@link JsonOneOrMany}. */
    public RecordDescription<R> oneOrMany() {
        last().oneOrMany = true;
        return this;
    }

    /** Says that the component keeps all other members, as {@link OtherMembers}. */
    public RecordDescription<R> otherMembers() {
        last().other = true;
        return this;
    }

    private RecordDescription<R> rule(Constraint.Rule rule) {
        last().rules.add(rule);
        return this;
    }

    private ComponentDescription<R> last() {
        if (components.isEmpty()) {
            throw new IllegalStateException(type.getName() + " has no component yet");
        }
        return components.get(components.size() - 1);
    }

    /** Ends the description with what makes a record of the values of its components. */
    public DescribedType<R> build(Constructor<R> constructor) {
        Objects.requireNonNull(constructor, "constructor");
        return new DescribedType<>(
                new DescribedRecord(
                        new Object(),
                        type,
                        doc,
                        inline,
                        ShapeBuilder.merged(discriminators),
                        new Access<>(constructor, components),
                        components.stream().map(component -> component.model(type)).toList()));
    }

    /** What a component is said to be. */
    private static final class ComponentDescription<R> {
        private final String name;
        private final TypeRef<?> type;
        private final Accessor<R> accessor;
        private final List<Constraint.Rule> rules = new ArrayList<>(0);
        private boolean nullable;
        private boolean always;
        private boolean oneOrMany;
        private boolean other;
        private @Nullable String doc;
        private @Nullable String defaultText;

        private ComponentDescription(String name, TypeRef<?> type, Accessor<R> accessor) {
            this.name = name;
            this.type = type;
            this.accessor = accessor;
        }

        private ComponentModel model(Class<?> owner) {
            return new ComponentModel(
                    name,
                    owner.getName() + "." + name,
                    shapes -> shapes.of(type),
                    nullable,
                    always,
                    oneOrMany,
                    other,
                    List.copyOf(rules),
                    doc,
                    defaultText);
        }
    }

    private record DescribedRecord(
            Object identity,
            Class<?> type,
            @Nullable String doc,
            boolean isInline,
            List<RecordShape.Discriminator> discriminators,
            RecordAccess access,
            List<ComponentModel> components)
            implements RecordModel {}

    /** Reaches the record by the code that describes it. */
    private static final class Access<R> implements RecordAccess {
        private final Constructor<R> constructor;
        private final List<Accessor<R>> accessors;

        private Access(Constructor<R> constructor, List<ComponentDescription<R>> components) {
            this.constructor = constructor;
            this.accessors = components.stream().map(component -> component.accessor).toList();
        }

        @Override
        public Object make(@Nullable Object[] values) {
            return Objects.requireNonNull(constructor.make(new Values(values)), "no record");
        }

        @Override
        @SuppressWarnings("unchecked")
        public @Nullable Object get(Object owner, int index) {
            return accessors.get(index).get((R) owner);
        }
    }
}
