package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

import dev.fairlead.json.DescribedType;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.PrimitiveType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

/**
 * Describes the types that the methods of one class use, as code on {@link DescribedType}. Records,
 * enums and sealed interfaces become constants of the class that is written.
 */
final class TypeDescriber {
    /** What types there are, for messages. */
    static final String KNOWN =
            "records, enums, sealed interfaces of records, lists, sets, maps, arrays, Optional,"
                    + " strings, numbers, booleans, dates and the types of dev.fairlead.json do";

    private final Compilation compilation;
    private final TypeElement origin;
    private final Constants constants;
    private final Set<Element> used = new LinkedHashSet<>();

    /**
     * @param origin the class whose methods use the types
     * @param written the class that the constants become part of
     */
    TypeDescriber(Compilation compilation, TypeElement origin, ClassName written) {
        this.compilation = compilation;
        this.origin = origin;
        this.constants = new Constants(written);
    }

    Constants constants() {
        return constants;
    }

    /** The records, enums and interfaces that were described. */
    Set<Element> used() {
        return used;
    }

    /**
     * Describes a type.
     *
     * @throws UnsupportedTypeException if it has no JSON form, or cannot be reached
     */
    JsonType describe(TypeMirror type) throws UnsupportedTypeException {
        return switch (type) {
            case PrimitiveType primitive -> scalar(primitive, primitive.getKind());
            case ArrayType array -> array(array);
            case DeclaredType declared -> declared(declared);
            case WildcardType wildcard -> wildcard(wildcard);
            case TypeVariable open ->
                    throw new UnsupportedTypeException(
                            "the type " + open + " is open; name the type itself");
            default -> throw unsupported(type);
        };
    }

    private static UnsupportedTypeException unsupported(TypeMirror type) {
        return new UnsupportedTypeException(type + " has no JSON form; " + KNOWN);
    }

    private JsonType scalar(PrimitiveType type, TypeKind kind) throws UnsupportedTypeException {
        Class<?> known = ScalarTypes.named(kind.name().toLowerCase(Locale.ROOT));
        if (known == null) {
            throw unsupported(type); // char
        }
        return scalar(known);
    }

    private static JsonType scalar(Class<?> known) {
        return new JsonType(
                CodeBlock.of("$T.of($T.class)", TypeRef.class, known),
                TypeRef.of(known),
                ScalarTypes.isText(known));
    }

    private JsonType wildcard(WildcardType wildcard) throws UnsupportedTypeException {
        TypeMirror bound = wildcard.getExtendsBound();
        return bound == null ? scalar(Object.class) : describe(bound);
    }

    private JsonType array(ArrayType array) throws UnsupportedTypeException {
        TypeMirror component = array.getComponentType();
        if (component.getKind() == TypeKind.BYTE) {
            return scalarArray();
        }
        if (component instanceof DeclaredType declared && !declared.getTypeArguments().isEmpty()) {
            throw new UnsupportedTypeException(
                    array + " is an array of a type with type arguments; use a list");
        }
        JsonType element = element(component);
        return new JsonType(
                CodeBlock.of(
                        "$T.array($T.class, $L)",
                        DescribedType.class,
                        compilation.types().erasure(array),
                        element.expression()),
                DescribedType.array(Object[].class, element.trial()),
                false);
    }

    private static JsonType scalarArray() {
        return new JsonType(
                CodeBlock.of("$T.of(byte[].class)", TypeRef.class), TypeRef.of(byte[].class), true);
    }

    private JsonType declared(DeclaredType type) throws UnsupportedTypeException {
        TypeElement element = Compilation.element(type);
        String name = element.getQualifiedName().toString();
        Class<?> scalar = ScalarTypes.named(name);
        if (scalar != null) {
            return scalar(scalar);
        }
        if (name.startsWith("dev.fairlead.protocol.")) {
            return ofTheLibrary(element);
        }
        return switch (name) {
            case "java.util.List" -> container(type, "list");
            case "java.util.Collection" -> container(type, "collection");
            case "java.util.Set" -> container(type, "set");
            case "java.util.Map" -> map(type);
            case "java.util.Optional" -> optional(type);
            default -> ofTheAuthor(type, element);
        };
    }

    /** Fairlead's own types are there to be tried, and bound in their own way. */
    private JsonType ofTheLibrary(TypeElement element) throws UnsupportedTypeException {
        try {
            Class<?> known =
                    Class.forName(compilation.elements().getBinaryName(element).toString());
            JsonCodec.of(known);
            return new JsonType(
                    CodeBlock.of("$T.of($T.class)", TypeRef.class, ClassName.get(element)),
                    TypeRef.of(known),
                    known.isEnum());
        } catch (ClassNotFoundException | IllegalArgumentException e) {
            throw new UnsupportedTypeException(element + " has no JSON form; " + KNOWN);
        }
    }

    private JsonType container(DeclaredType type, String word) throws UnsupportedTypeException {
        JsonType element = element(arguments(type).get(0));
        return new JsonType(
                CodeBlock.of("$T.$L($L)", DescribedType.class, word, element.expression()),
                DescribedType.list(element.trial()),
                false);
    }

    private JsonType map(DeclaredType type) throws UnsupportedTypeException {
        JsonType key = describe(arguments(type).get(0));
        if (!key.isText()) {
            throw new UnsupportedTypeException("the keys of " + type + " have no text form");
        }
        JsonType value = element(arguments(type).get(1));
        return new JsonType(
                CodeBlock.of(
                        "$T.map($L, $L)",
                        DescribedType.class,
                        key.expression(),
                        value.expression()),
                DescribedType.map(TypeRef.of(String.class), value.trial()),
                false);
    }

    private JsonType optional(DeclaredType type) throws UnsupportedTypeException {
        JsonType inner = describe(arguments(type).get(0));
        return new JsonType(
                CodeBlock.of("$T.optional($L)", DescribedType.class, inner.expression()),
                DescribedType.optional(inner.trial()),
                inner.isText(),
                inner.constants());
    }

    private static List<? extends TypeMirror> arguments(DeclaredType type)
            throws UnsupportedTypeException {
        if (type.getTypeArguments().isEmpty()) {
            throw new UnsupportedTypeException(type + " lacks its type arguments");
        }
        return type.getTypeArguments();
    }

    /** An element or map value, which may be marked as nullable. */
    private JsonType element(TypeMirror type) throws UnsupportedTypeException {
        JsonType element = describe(type);
        return Annotated.isNullable(type)
                ? new JsonType(
                        CodeBlock.of("$T.nullable($L)", DescribedType.class, element.expression()),
                        DescribedType.nullable(element.trial()),
                        false)
                : element;
    }

    // ---- types of the author

    private JsonType ofTheAuthor(DeclaredType type, TypeElement element)
            throws UnsupportedTypeException {
        boolean sealed =
                element.getKind() == ElementKind.INTERFACE
                        && element.getModifiers().contains(Modifier.SEALED);
        if (element.getKind() != ElementKind.RECORD
                && element.getKind() != ElementKind.ENUM
                && !sealed) {
            throw unsupported(type);
        }
        requireReach(type, element);
        used.add(element);
        if (element.getKind() == ElementKind.ENUM) {
            return new EnumDescriber(compilation, origin, constants).describe(element);
        }
        return sealed ? sealed(type, element) : ofRecord(type, element);
    }

    private void requireReach(DeclaredType type, TypeElement element)
            throws UnsupportedTypeException {
        String why =
                compilation.whyOutOfReach(element, compilation.elements().getPackageOf(origin));
        if (why != null) {
            throw new UnsupportedTypeException(
                    type + " cannot be reached by the code that is written: " + why);
        }
        if (type.getTypeArguments().size() != element.getTypeParameters().size()) {
            throw new UnsupportedTypeException(type + " lacks its type arguments");
        }
    }

    private JsonType ofRecord(DeclaredType type, TypeElement element)
            throws UnsupportedTypeException {
        if (!compilation.showsNullable(element)) {
            throw new UnsupportedTypeException(
                    type
                            + " is a class file, in which this compiler does not show @Nullable;"
                            + " compile with javac 22 or newer, or with"
                            + " -XDaddTypeAnnotationsToSymbol=true");
        }
        var record = new RecordType(compilation, type, origin);
        TypeName name = compilation.plainName(type);
        if (!constants.has(name)) {
            constants.begin(name);
            List<Component> components = new ArrayList<>();
            for (RecordType.Declared declared : record.declared()) {
                components.add(component(declared, element));
            }
            record.requireTogether(components);
            constants.complete(name, record.description(components));
        }
        CodeBlock expression = constants.reference(name);
        RecordType.Declared inline = record.inlined();
        if (inline == null) {
            return new JsonType(expression, TypeRef.of(JsonObject.class), false);
        }
        if (constants.isUnderWay(name)) {
            return new JsonType(expression, TypeRef.of(JsonValue.class), false);
        }
        JsonType inside = describe(inline.type());
        return new JsonType(expression, inside.trial(), inside.isText());
    }

    private Component component(RecordType.Declared declared, TypeElement owner)
            throws UnsupportedTypeException {
        try {
            JsonType json = describe(declared.type());
            declared.words().requireFit(declared.element(), declared.javaName(), json);
            return new Component(
                    declared.element(),
                    declared.name(),
                    declared.javaName(),
                    declared.typeName(compilation),
                    json,
                    declared.words());
        } catch (UnsupportedTypeException | Problem e) {
            throw new UnsupportedTypeException(
                    owner.getSimpleName() + "." + declared.javaName() + ": " + e.getMessage());
        }
    }

    private JsonType sealed(DeclaredType type, TypeElement element)
            throws UnsupportedTypeException {
        TypeName name = compilation.plainName(type);
        if (!constants.has(name)) {
            constants.begin(name);
            var sealed = new SealedType(compilation, type, origin);
            CodeBlock.Builder code = sealed.begin();
            Set<String> cases = new HashSet<>();
            for (DeclaredType permitted : sealed.cases()) {
                TypeElement record = Compilation.element(permitted);
                requireReach(permitted, record);
                if (!RecordType.isInline(record) && !cases.add(SealedType.caseName(record))) {
                    throw new UnsupportedTypeException(
                            element + " has two cases named " + SealedType.caseName(record));
                }
                used.add(record);
                code.add(
                        "\n.permits($S, $L)",
                        SealedType.caseName(record),
                        ofRecord(permitted, record).expression());
            }
            constants.complete(name, code.add("\n.build()").build());
        }
        return new JsonType(constants.reference(name), TypeRef.of(JsonValue.class), false);
    }
}
