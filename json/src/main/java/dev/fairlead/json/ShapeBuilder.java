package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds the shapes of one codec from a Java type. */
final class ShapeBuilder {
    /** A class with its type arguments, resolved. */
    private record Applied(Class<?> raw, List<Type> arguments) implements Type {
        @Override
        public String getTypeName() {
            return raw.getName() + arguments.stream().map(Type::getTypeName).toList();
        }
    }

    private record Key(Type type, List<RecordShape.Discriminator> discriminators) {}

    private final Map<Key, Shape> built = new HashMap<>();

    /** What needs all shapes complete, among them those that contain themselves. */
    private final List<Runnable> last = new ArrayList<>();

    /**
     * The shape of a type.
     *
     * @throws IllegalArgumentException if the type, or one that it is made of, has no JSON form
     */
    static Shape shape(Type type) {
        ShapeBuilder builder = new ShapeBuilder();
        Shape shape = builder.of(resolve(type, Map.of()), null);
        builder.last.forEach(Runnable::run);
        return shape;
    }

    /** Replaces type variables, and wildcards by their bounds. */
    private static Type resolve(Type type, Map<TypeVariable<?>, Type> variables) {
        return switch (type) {
            case Class<?> plain -> plain;
            case Applied applied -> applied;
            case ParameterizedType applied ->
                    new Applied(
                            (Class<?>) applied.getRawType(),
                            Arrays.stream(applied.getActualTypeArguments())
                                    .map(argument -> resolve(argument, variables))
                                    .toList());
            case GenericArrayType array -> {
                Type element = resolve(array.getGenericComponentType(), variables);
                Class<?> raw =
                        element instanceof Applied applied ? applied.raw : (Class<?>) element;
                yield element instanceof Applied
                        ? new Applied(raw.arrayType(), List.of(element))
                        : raw.arrayType();
            }
            case WildcardType wildcard -> resolve(wildcard.getUpperBounds()[0], variables);
            case TypeVariable<?> variable -> {
                Type actual = variables.get(variable);
                if (actual == null) {
                    throw new IllegalArgumentException(
                            "the type "
                                    + variable
                                    + " of "
                                    + variable.getGenericDeclaration()
                                    + " is open; give it by a TypeRef");
                }
                yield actual;
            }
            default -> throw new IllegalArgumentException(type.getTypeName() + " has no JSON form");
        };
    }

    private Shape of(Type type, @Nullable AnnotatedType annotated) {
        Class<?> raw = type instanceof Applied applied ? applied.raw : (Class<?>) type;
        List<Type> arguments = type instanceof Applied applied ? applied.arguments : List.of();
        Shape scalar = Scalars.of(raw);
        if (scalar != null) {
            return scalar;
        }
        if (raw.isArray()) {
            Type element = arguments.isEmpty() ? raw.getComponentType() : arguments.get(0);
            return new ArrayShape.OfJavaArray(
                    raw.getComponentType(), element(element, arrayElement(annotated)));
        }
        if (raw == List.class || raw == Collection.class) {
            return new ArrayShape.OfList(argument(type, arguments, annotated, 0));
        }
        if (raw == Set.class) {
            return new ArrayShape.OfSet(argument(type, arguments, annotated, 0));
        }
        if (raw == Map.class) {
            return map(type, arguments, annotated);
        }
        if (raw == Optional.class) {
            return new OptionalShape(argument(type, arguments, annotated, 0));
        }
        if (raw.isRecord()) {
            return recordOf(type, discriminators(raw));
        }
        if (raw.isInterface() && raw.isSealed()) {
            return sealed(type, raw);
        }
        throw new IllegalArgumentException(
                type.getTypeName()
                        + " has no JSON form; records, sealed interfaces and the types of the"
                        + " package page do");
    }

    private static @Nullable AnnotatedType arrayElement(@Nullable AnnotatedType annotated) {
        return annotated instanceof AnnotatedArrayType array
                ? array.getAnnotatedGenericComponentType()
                : null;
    }

    private Shape argument(
            Type type, List<Type> arguments, @Nullable AnnotatedType annotated, int index) {
        if (index >= arguments.size()) {
            throw new IllegalArgumentException(type.getTypeName() + " lacks its type arguments");
        }
        return element(
                arguments.get(index),
                annotated instanceof AnnotatedParameterizedType applied
                        ? applied.getAnnotatedActualTypeArguments()[index]
                        : null);
    }

    private Shape element(Type type, @Nullable AnnotatedType annotated) {
        Shape shape = of(type, annotated);
        return annotated != null && annotated.isAnnotationPresent(Nullable.class)
                ? new NullableShape(shape)
                : shape;
    }

    private Shape map(Type type, List<Type> arguments, @Nullable AnnotatedType annotated) {
        Shape key = argument(type, arguments, annotated, 0);
        if (!key.isText()) {
            throw new IllegalArgumentException(
                    "the keys of " + type.getTypeName() + " have no text form");
        }
        return new MapShape(key, argument(type, arguments, annotated, 1));
    }

    /**
     * The discriminators that a record has whatever it is a member of: those of interfaces that
     * declare one.
     */
    private static List<RecordShape.Discriminator> discriminators(Class<?> recordType) {
        Map<String, RecordShape.Discriminator> found = new LinkedHashMap<>();
        collect(recordType, recordType, found);
        return List.copyOf(found.values());
    }

    private static void collect(
            Class<?> type, Class<?> recordType, Map<String, RecordShape.Discriminator> found) {
        for (Class<?> parent : type.getInterfaces()) {
            JsonDiscriminator declared = parent.getAnnotation(JsonDiscriminator.class);
            if (declared != null) {
                put(found, discriminator(declared, recordType));
            }
            collect(parent, recordType, found);
        }
    }

    private static void put(
            Map<String, RecordShape.Discriminator> found, RecordShape.Discriminator discriminator) {
        found.merge(
                discriminator.name(),
                discriminator,
                (a, b) ->
                        new RecordShape.Discriminator(
                                a.name(), a.value(), a.optional() && b.optional()));
    }

    private static RecordShape.Discriminator discriminator(
            @Nullable JsonDiscriminator declared, Class<?> recordType) {
        String value = caseName(recordType);
        return declared == null
                ? new RecordShape.Discriminator("type", value, false)
                : new RecordShape.Discriminator(
                        declared.value(), value, declared.absent().equals(value));
    }

    private static String caseName(Class<?> recordType) {
        JsonName name = recordType.getAnnotation(JsonName.class);
        return name == null ? recordType.getSimpleName() : name.value();
    }

    private Shape recordOf(Type type, List<RecordShape.Discriminator> discriminators) {
        Class<?> raw = type instanceof Applied applied ? applied.raw : (Class<?>) type;
        if (raw.isAnnotationPresent(JsonInline.class)) {
            return inline(type, raw);
        }
        Key key = new Key(type, discriminators);
        Shape known = built.get(key);
        if (known != null) {
            return known;
        }
        RecordShape shape = new RecordShape(raw, discriminators);
        built.put(key, shape);
        int others = -1;
        RecordComponent[] declared = raw.getRecordComponents();
        for (int i = 0; i < declared.length; i++) {
            if (declared[i].isAnnotationPresent(OtherMembers.class)) {
                if (others >= 0 || declared[i].getType() != JsonObject.class) {
                    throw new IllegalArgumentException(
                            "@OtherMembers is for one JsonObject in " + raw.getName());
                }
                others = i;
            }
        }
        shape.define(components(type, raw, shape.access()), others);
        return shape;
    }

    private List<Component> components(Type type, Class<?> raw, RecordAccess access) {
        Map<TypeVariable<?>, Type> variables = variables(type, raw);
        List<Component> components = new ArrayList<>();
        RecordComponent[] declared = raw.getRecordComponents();
        for (int i = 0; i < declared.length; i++) {
            Shape shape;
            try {
                shape =
                        of(
                                resolve(declared[i].getGenericType(), variables),
                                declared[i].getAnnotatedType());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        raw.getName() + "." + declared[i].getName() + ": " + e.getMessage(), e);
            }
            if (declared[i].isAnnotationPresent(JsonOneOrMany.class)) {
                shape = oneOrMany(shape, raw, declared[i]);
            }
            components.add(new Component(access, i, declared[i], shape));
        }
        return components;
    }

    private static Shape oneOrMany(Shape shape, Class<?> raw, RecordComponent declared) {
        if (shape instanceof ArrayShape.OfList list && !(list.element() instanceof ArrayShape)) {
            return new OneOrManyShape(list);
        }
        throw new IllegalArgumentException(
                "@JsonOneOrMany is for a list whose elements are no lists, not for "
                        + raw.getName()
                        + "."
                        + declared.getName());
    }

    private static Map<TypeVariable<?>, Type> variables(Type type, Class<?> raw) {
        Map<TypeVariable<?>, Type> variables = new HashMap<>();
        if (type instanceof Applied applied) {
            for (int i = 0; i < applied.arguments.size(); i++) {
                variables.put(raw.getTypeParameters()[i], applied.arguments.get(i));
            }
        }
        return variables;
    }

    private InlineShape inline(Type type, Class<?> raw) {
        Key key = new Key(type, List.of());
        if (built.get(key) instanceof InlineShape known) {
            return known;
        }
        if (raw.getRecordComponents().length != 1) {
            throw new IllegalArgumentException(
                    "@JsonInline is for records of one component, not for " + raw.getName());
        }
        InlineShape shape = new InlineShape(raw);
        built.put(key, shape);
        shape.define(components(type, raw, shape.access()).get(0));
        return shape;
    }

    private Shape sealed(Type type, Class<?> raw) {
        Key key = new Key(type, List.of());
        Shape known = built.get(key);
        if (known != null) {
            return known;
        }
        JsonDiscriminator declared = raw.getAnnotation(JsonDiscriminator.class);
        SealedShape shape = new SealedShape(raw, declared);
        built.put(key, shape);
        for (Class<?> recordType : cases(raw)) {
            Type applied = apply(recordType, type, raw);
            if (recordType.isAnnotationPresent(JsonInline.class)) {
                InlineShape inline = inline(applied, recordType);
                last.add(() -> shape.defineInline(recordType, inline));
            } else {
                Map<String, RecordShape.Discriminator> discriminators = new LinkedHashMap<>();
                put(discriminators, discriminator(declared, recordType));
                discriminators(recordType).forEach(other -> put(discriminators, other));
                shape.defineObject(
                        recordType,
                        caseName(recordType),
                        (RecordShape) recordOf(applied, List.copyOf(discriminators.values())));
            }
        }
        return shape;
    }

    /** The records that a sealed interface permits, also through sealed interfaces below it. */
    private static List<Class<?>> cases(Class<?> type) {
        List<Class<?>> cases = new ArrayList<>();
        for (Class<?> permitted : type.getPermittedSubclasses()) {
            if (permitted.isRecord()) {
                cases.add(permitted);
            } else if (permitted.isInterface() && permitted.isSealed()) {
                cases(permitted).stream()
                        .filter(found -> !cases.contains(found))
                        .forEach(cases::add);
            } else {
                throw new IllegalArgumentException(
                        permitted.getName() + " is a case of " + type.getName() + " but no record");
            }
        }
        return cases;
    }

    /** The case with the type arguments that it gets from those of the interface. */
    private static Type apply(Class<?> recordType, Type type, Class<?> raw) {
        if (recordType.getTypeParameters().length == 0 || !(type instanceof Applied applied)) {
            return recordType;
        }
        Map<TypeVariable<?>, Type> found = new HashMap<>();
        for (Type parent : recordType.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType generic && generic.getRawType() == raw) {
                for (int i = 0; i < applied.arguments.size(); i++) {
                    if (generic.getActualTypeArguments()[i] instanceof TypeVariable<?> variable) {
                        found.put(variable, applied.arguments.get(i));
                    }
                }
            }
        }
        return new Applied(
                recordType,
                Arrays.stream(recordType.getTypeParameters())
                        .map(variable -> resolve(variable, found))
                        .toList());
    }
}
