package dev.fairlead.json;

import dev.fairlead.json.TypeCheck.Beside;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Annotations by which other libraries bind JSON. They have no effect here, so a type whose JSON or
 * schema would be another one without them is refused: a member that they hide would be sent.
 */
final class ForeignAnnotations {
    private static final Map<String, String> LIBRARIES = new LinkedHashMap<>();

    /** Packages whose annotations stand for no others, but for those of a library. */
    private static final List<String> PLAIN =
            List.of("java.", "kotlin.", "org.jspecify.", "dev.fairlead.json.");

    /** Packages whose types have no annotations of others; each start binds such types. */
    private static final List<String> CLEAN = List.of("java.", "dev.fairlead.");

    /** The member that an annotation on the canonical constructor of a record is on. */
    static final String CANONICAL = "<init>";

    /** Values of an annotation that gives a name which do not change the JSON of a record. */
    private static final Set<String> OF_NAMES =
            Set.of("value", "access", "required", "isRequired", "index", "defaultValue");

    static {
        LIBRARIES.put("com.fasterxml.jackson.", "Jackson");
        LIBRARIES.put("tools.jackson.", "Jackson");
        LIBRARIES.put("com.google.gson.annotations.", "Gson");
        LIBRARIES.put("jakarta.json.bind.annotation.", "JSON-B");
        LIBRARIES.put("javax.json.bind.annotation.", "JSON-B");
        LIBRARIES.put("com.squareup.moshi.", "Moshi");
        LIBRARIES.put("com.alibaba.fastjson", "Fastjson");
        LIBRARIES.put("kotlinx.serialization.", "Kotlin serialization");
        LIBRARIES.put("java.beans.", "Java Beans"); // which Jackson reads
    }

    private ForeignAnnotations() {}

    /**
     * An annotation on a type or a part of it.
     *
     * @param member the component, constant or method that has it; {@link #CANONICAL} for the
     *     constructor of a record with all components; null for the type
     * @param name of its class
     * @param values that are written in it: strings, numbers, booleans, and the names of constants
     */
    record Found(@Nullable String member, String name, Map<String, ?> values) {}

    /**
     * Checks a record, an enum or a sealed interface, and the interfaces above it.
     *
     * @throws IllegalArgumentException if an annotation would have to be passed over
     */
    static void check(Class<?> type) {
        for (Class<?> each : withInterfaces(type)) {
            for (Found found : all(each)) {
                Beside beside =
                        found.member() == null ? beside(each, null) : beside(type, found.member());
                String problem = problem(found, beside, inside(found.name(), type));
                if (problem != null) {
                    throw new IllegalArgumentException(
                            each.getName()
                                    + (found.member() == null ? " " : "." + found.member() + " ")
                                    + problem);
                }
            }
        }
    }

    /** Returns a type, the interfaces above it, and the bodies of its constants. */
    private static Set<Class<?>> withInterfaces(Class<?> type) {
        Set<Class<?>> all = new LinkedHashSet<>();
        List<Class<?>> next = new ArrayList<>(List.of(type));
        if (type.isEnum()) {
            Arrays.stream(type.getEnumConstants()).map(Object::getClass).forEach(next::add);
        }
        while (!next.isEmpty()) {
            Class<?> each = next.removeLast();
            if (CLEAN.stream().noneMatch(each.getName()::startsWith) && all.add(each)) {
                next.addAll(List.of(each.getInterfaces()));
            }
        }
        return all;
    }

    /**
     * Returns all annotations on a type, its fields, methods, constructors and their parameters.
     */
    private static List<Found> all(Class<?> type) {
        List<Found> all = new ArrayList<>();
        add(all, null, type);
        for (Field field : type.getDeclaredFields()) {
            add(all, field.getName(), field);
        }
        for (Method method : type.getDeclaredMethods()) {
            add(all, method.getName(), method);
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Parameter[] parameters = constructor.getParameters();
            RecordComponent[] components = type.getRecordComponents();
            boolean isCanonical = components != null && isCanonical(constructor, components);
            String other = "<init> with " + parameters.length + " parameters";
            add(all, isCanonical ? CANONICAL : other, constructor);
            for (int i = 0; i < parameters.length; i++) {
                add(all, isCanonical ? components[i].getName() : other, parameters[i]);
            }
        }
        return all;
    }

    private static boolean isCanonical(Constructor<?> constructor, RecordComponent[] components) {
        return Arrays.equals(
                constructor.getParameterTypes(),
                Arrays.stream(components).map(RecordComponent::getType).toArray());
    }

    private static void add(List<Found> all, @Nullable String member, AnnotatedElement element) {
        for (Annotation annotation : element.getDeclaredAnnotations()) {
            Class<? extends Annotation> kind = annotation.annotationType();
            if (!isPlain(kind.getName())) {
                all.add(new Found(member, kind.getName(), values(annotation)));
            }
        }
    }

    /** Returns the members of an annotation that differ from their defaults. */
    private static Map<String, Object> values(Annotation annotation) {
        Map<String, Object> values = new HashMap<>();
        for (Method member : annotation.annotationType().getDeclaredMethods()) {
            try {
                Object value = member.invoke(annotation);
                if (!Objects.deepEquals(value, member.getDefaultValue())) {
                    values.put(
                            member.getName(),
                            value instanceof Enum<?> constant ? constant.name() : value);
                }
            } catch (ReflectiveOperationException e) { // the annotation is not accessible
                values.put(member.getName(), "?");
            }
        }
        return values;
    }

    /** Whether a class has an annotation of this name. */
    static boolean has(Class<?> type, String name) {
        return Arrays.stream(type.getDeclaredAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(name));
    }

    /** Returns what a component, a constant, or the type itself has of this package. */
    private static Beside beside(Class<?> type, @Nullable String member) {
        AnnotatedElement part = member == null ? type : part(type, member);
        if (part == null) {
            return Beside.NOTHING;
        }
        JsonName renamed = part.getAnnotation(JsonName.class);
        return new Beside(
                renamed == null || member == null ? member : renamed.value(),
                part.isAnnotationPresent(Doc.class),
                part.isAnnotationPresent(Default.class),
                part instanceof RecordComponent component
                        && (component.getType() == Optional.class
                                || component
                                        .getAnnotatedType()
                                        .isAnnotationPresent(Nullable.class)));
    }

    private static @Nullable AnnotatedElement part(Class<?> type, String member) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .filter(component -> component.getName().equals(member))
                    .findFirst()
                    .orElse(null);
        }
        try {
            return type.isEnum() ? type.getField(member) : null;
        } catch (NoSuchFieldException e) { // a method
            return null;
        }
    }

    private static boolean isPlain(String annotation) {
        return PLAIN.stream().anyMatch(annotation::startsWith) && library(annotation) == null;
    }

    /**
     * Returns why an annotation cannot be passed over; null if it can, since it changes nothing or
     * repeats an annotation of this package.
     *
     * @param beside the annotations of this package on the component or constant that has it
     * @param inside the names of the annotations on its class, where that is of the author
     */
    static @Nullable String problem(Found found, Beside beside, Collection<String> inside) {
        String kind = simpleName(found.name());
        String library = library(found.name());
        if (library != null) {
            return isHarmless(kind, found, beside)
                    ? null
                    : "has @%s, which is of %s and not read here: %s"
                            .formatted(kind, library, advice(kind, found.values(), beside));
        }
        return inside.stream()
                .map(ForeignAnnotations::library)
                .filter(Objects::nonNull)
                .findFirst()
                .map(
                        within ->
                                "has @%s, which stands for annotations of %s and is not read here: %s"
                                        .formatted(
                                                kind, within, advice(kind, found.values(), beside)))
                .orElse(null);
    }

    /** Returns the library of an annotation; null for none that binds JSON. */
    private static @Nullable String library(String annotation) {
        for (Map.Entry<String, String> library : LIBRARIES.entrySet()) {
            if (annotation.startsWith(library.getKey())) {
                return library.getValue();
            }
        }
        return null;
    }

    private static boolean isHarmless(String kind, Found found, Beside beside) {
        Map<String, ?> values = found.values();
        return switch (kind) {
            case "JsonPropertyOrder", "JsonRootName", "JsonbPropertyOrder" -> true;
            case "JsonPropertyDescription", "JsonClassDescription" ->
                    beside.hasDoc() || text(values, "value", "").isEmpty();
            case "JsonProperty", "JsonGetter", "SerializedName", "JsonbProperty", "SerialName" ->
                    isSameName(values, beside.wireName())
                            && isSameDefault(values, beside)
                            && isSameNeed(values, beside);
            case "JsonInclude" ->
                    List.of("NON_NULL", "NON_ABSENT").contains(text(values, "value", "ALWAYS"))
                            && text(values, "content", "ALWAYS").equals("ALWAYS");
            case "JsonIgnore" -> text(values, "value", "true").equals("false");
            case "JsonCreator" ->
                    CANONICAL.equals(found.member())
                            && List.of("DEFAULT", "PROPERTIES")
                                    .contains(text(values, "mode", "DEFAULT"));
            case "Serializable" -> values.isEmpty();
            default -> false;
        };
    }

    private static boolean isSameName(Map<String, ?> values, @Nullable String wireName) {
        return wireName != null
                && OF_NAMES.containsAll(values.keySet())
                && text(values, "value", wireName).equals(wireName)
                && List.of("AUTO", "READ_WRITE").contains(text(values, "access", "AUTO"));
    }

    private static boolean isSameDefault(Map<String, ?> values, Beside beside) {
        return beside.hasDefault() || text(values, "defaultValue", "").isEmpty();
    }

    private static boolean isSameNeed(Map<String, ?> values, Beside beside) {
        boolean isRequired =
                text(values, "required", "").equals("true")
                        || text(values, "isRequired", "").equals("TRUE");
        return !isRequired || !(beside.isOptional() || beside.hasDefault());
    }

    private static String text(Map<String, ?> values, String member, String absent) {
        Object value = values.get(member);
        return value == null || value.equals("") ? absent : value.toString();
    }

    private static String advice(String kind, Map<String, ?> values, Beside beside) {
        return switch (kind) {
            case "JsonProperty", "JsonGetter", "SerializedName", "JsonbProperty", "SerialName" -> {
                if (!isSameName(values, beside.wireName())) {
                    yield "write @JsonName with the same name beside it";
                }
                yield isSameDefault(values, beside)
                        ? "leave out required, or make the component one that must be there"
                        : "write @Default with the same value beside it";
            }
            case "JsonPropertyDescription", "JsonClassDescription" ->
                    "write @Doc with the same text beside it";
            case "JsonNaming" -> "write @JsonName on each component";
            case "JsonIgnore",
                    "JsonIgnoreProperties",
                    "JsonIgnoreType",
                    "JsonbTransient",
                    "Expose",
                    "Transient" ->
                    "use a record without the hidden members";
            case "JsonTypeInfo", "JsonSubTypes", "JsonTypeName", "JsonbTypeInfo" ->
                    "write @JsonDiscriminator on the sealed interface and @JsonName on its records,"
                            + " in a type of its own";
            case "JsonValue" -> "write @JsonInline or @JsonName, in a type of its own";
            case "JsonAnyGetter", "JsonAnySetter" -> "write @OtherMembers, in a record of its own";
            case "JsonInclude" -> "write @JsonAlways, in a record of its own";
            case "JsonCreator", "ConstructorProperties" ->
                    "use a record that is made of all its components";
            default -> "use a type of its own, with the annotations of dev.fairlead.json";
        };
    }

    private static String simpleName(String name) {
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }

    /** Returns the annotations on the class of one; none where it cannot be found. */
    private static Collection<String> inside(String name, Class<?> type) {
        try {
            Class<?> annotation = Class.forName(name, false, type.getClassLoader());
            return Arrays.stream(annotation.getDeclaredAnnotations())
                    .map(each -> each.annotationType().getName())
                    .toList();
        } catch (ClassNotFoundException | LinkageError e) { // Jackson does not see it either
            return List.of();
        }
    }
}
