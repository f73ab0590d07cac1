package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A type that is not compiled yet, for checking its annotations by the rules that bind it later.
 *
 * <p>Made for Fairlead's annotation processor; programs have no use for it. It reports a constraint
 * or default that does not fit its type at compile time, in the words of the exception that {@link
 * JsonCodec#of} would throw. A record is checked as a {@link JsonObject}, a sealed interface as a
 * {@link JsonValue}. Immutable and thread-safe.
 */
public final class TypeCheck {
    /**
     * A component of a record, or a parameter that becomes one.
     *
     * @param name its name on the wire
     * @param annotations those of this package that it has
     */
    public record Member(
            String name, TypeCheck type, boolean isNullable, List<Annotation> annotations) {
        /** Copies the list. */
        public Member {
            annotations = List.copyOf(annotations);
        }

        private ComponentModel model() {
            return ComponentModel.of(
                    new Annotated(annotations),
                    name,
                    Unbuilt.class.getName() + "." + name,
                    isNullable,
                    shapes -> type.shape);
        }

        /**
         * Checks that the annotations fit the type.
         *
         * @throws IllegalArgumentException if not
         */
        public void check() {
            String owner = Unbuilt.class.getName() + ".";
            String place = owner + model().name() + ": ";
            check(
                    message -> message.replace(place, "").replace(owner, ""),
                    false,
                    List.of(),
                    List.of(this));
        }

        private static void check(
                UnaryOperator<String> naming,
                boolean isInline,
                List<String> fixed,
                List<Member> members) {
            try {
                new ShapeBuilder(JsonTypes.NONE).recordOf(new Model(isInline, fixed, members));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(naming.apply(String.valueOf(e.getMessage())), e);
            }
        }
    }

    /**
     * The part of this package in a declaration that has an annotation of another library.
     *
     * @param wireName of the component, parameter or constant; null for anything else
     * @param hasDoc whether it has {@link Doc}
     * @param hasDefault whether it has {@link Default}
     * @param isOptional whether its type is {@code @Nullable} or an {@code Optional}
     */
    public record Beside(
            @Nullable String wireName, boolean hasDoc, boolean hasDefault, boolean isOptional) {
        /** Nothing of this package. */
        public static final Beside NOTHING = new Beside(null, false, false, false);
    }

    private final Shape shape;

    private TypeCheck(Shape shape) {
        this.shape = shape;
    }

    /**
     * Returns a type that is compiled.
     *
     * @throws IllegalArgumentException if it has no JSON form
     */
    public static TypeCheck of(Class<?> type) {
        return new TypeCheck(JsonCodec.of(type).shape());
    }

    /** Returns an enum with constants of these names on the wire. */
    public static TypeCheck ofEnum(List<String> names) {
        return new TypeCheck(
                new EnumShape<>(
                        Constant.class,
                        null,
                        names.stream()
                                .map(
                                        name ->
                                                new EnumShape.Constant<>(
                                                        Constant.CONSTANT, name, null))
                                .toList()));
    }

    /** Returns a list, collection or set of this type. */
    public TypeCheck list() {
        return new TypeCheck(new ArrayShape.OfList(shape));
    }

    /** Returns a Java array of this type. */
    public TypeCheck array() {
        return new TypeCheck(new ArrayShape.OfJavaArray(Object.class, shape));
    }

    /** Returns a map with values of this type. */
    public TypeCheck map() {
        return new TypeCheck(new MapShape(TextShape.STRING, shape));
    }

    /** Returns an {@code Optional} of this type. */
    public TypeCheck optional() {
        return new TypeCheck(new OptionalShape(shape));
    }

    /** Returns this type as an element that may be null. */
    public TypeCheck nullable() {
        return new TypeCheck(new NullableShape(shape));
    }

    /**
     * Checks that components, each right by itself, make a record.
     *
     * @param name the name of the record in messages
     * @param fixed the members that distinguish it in sealed interfaces
     * @throws IllegalArgumentException if not
     */
    public static void checkRecord(
            String name, boolean isInline, List<String> fixed, List<Member> members) {
        Member.check(
                message -> message.replace(Unbuilt.class.getName(), name),
                isInline,
                fixed,
                members);
    }

    /**
     * Checks that an annotation need not be heeded: it is none of another library of JSON, or
     * changes nothing.
     *
     * @param member the component, constant or method that has it; {@code <init>} for the canonical
     *     constructor of a record alone; null for a type
     * @param values those that are written in it, as text
     * @param inside the names of the annotations on its class
     * @throws IllegalArgumentException if not; the message begins with {@code has @}
     */
    public static void checkForeign(
            @Nullable String member,
            String annotation,
            Map<String, String> values,
            Collection<String> inside,
            Beside beside) {
        String problem =
                ForeignAnnotations.problem(
                        new ForeignAnnotations.Found(member, annotation, values), beside, inside);
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
    }

    /** Stands for a record that is not compiled yet. */
    private record Unbuilt() {}

    /** Stands for the constants of an enum that is not compiled yet. */
    private enum Constant {
        CONSTANT
    }

    private record Model(boolean isInline, List<String> fixed, List<Member> members)
            implements RecordModel {
        @Override
        public Object identity() {
            return this;
        }

        @Override
        public Class<?> type() {
            return Unbuilt.class;
        }

        @Override
        public @Nullable String doc() {
            return null;
        }

        @Override
        public List<RecordShape.Discriminator> discriminators() {
            return fixed.stream()
                    .map(name -> new RecordShape.Discriminator(name, "", false))
                    .toList();
        }

        @Override
        public RecordAccess access() {
            return new Inaccessible();
        }

        @Override
        public List<ComponentModel> components() {
            return members.stream().map(Member::model).toList();
        }
    }

    private record Inaccessible() implements RecordAccess {
        @Override
        public Object make(@Nullable Object[] values) {
            throw new UnsupportedOperationException();
        }

        @Override
        public @Nullable Object get(Object owner, int index) {
            throw new UnsupportedOperationException();
        }
    }
}
