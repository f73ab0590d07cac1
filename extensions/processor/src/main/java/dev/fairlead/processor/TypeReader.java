package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.TypeName;

import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeCheck;
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
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.PrimitiveType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;

/**
 * Reads the types that the methods of one class use: whether they have a JSON form, whether the
 * class that is written can reach them, and how it refers to them.
 */
final class TypeReader {
    /** The constant of the class that is written, a {@code JsonTypes}. */
    static final String TYPES = "TYPES";

    /** The supported types, for messages. */
    static final String KNOWN =
            "records, enums, sealed interfaces of records, lists, sets, maps, arrays, Optional,"
                    + " strings, numbers, booleans, dates and the types of dev.fairlead.json do";

    private static final JsonType ANY = new JsonType(TypeCheck.of(JsonValue.class), false);

    private final Compilation compilation;
    private final TypeElement origin;
    private final Set<Element> used = new LinkedHashSet<>();
    private final Set<TypeName> seen = new HashSet<>();
    private final Set<TypeName> underWay = new HashSet<>();
    private final List<CodeBlock> descriptions = new ArrayList<>();
    private boolean needsLookup;

    /**
     * @param origin the class whose methods use the types
     */
    TypeReader(Compilation compilation, TypeElement origin) {
        this.compilation = compilation;
        this.origin = origin;
    }

    /** Returns whether a reference goes through {@link #TYPES}. */
    boolean needsLookup() {
        return needsLookup;
    }

    /** The calls that add the descriptions of Javadoc comments. */
    List<CodeBlock> descriptions() {
        return descriptions;
    }

    /** The records, enums and interfaces that were read. */
    Set<Element> used() {
        return used;
    }

    /**
     * Reads a type.
     *
     * @throws UnsupportedTypeException if it has no JSON form, or cannot be reached
     */
    JsonType read(TypeMirror type) throws UnsupportedTypeException {
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

    /** The code that gives the {@link TypeRef} of a type that was read. */
    CodeBlock reference(TypeMirror type) {
        TypeName name = compilation.plainName(type);
        if (isApplied(type)) {
            needsLookup = true;
            return CodeBlock.of("$L.type(new $T<$T>() {})", TYPES, TypeRef.class, name);
        }
        return isKnown(type)
                ? CodeBlock.of("$T.of($T.class)", TypeRef.class, name)
                : lookedUp(name);
    }

    /** The code that gives the {@link TypeRef} of a class of the author. */
    CodeBlock lookedUp(TypeName name) {
        needsLookup = true;
        return CodeBlock.of("$L.type($T.class)", TYPES, name);
    }

    private static boolean isApplied(TypeMirror type) {
        return type instanceof DeclaredType declared
                ? !declared.getTypeArguments().isEmpty()
                : type instanceof ArrayType array
                        && array.getComponentType().getKind() != TypeKind.BYTE;
    }

    private static boolean isKnown(TypeMirror type) {
        if (!(type instanceof DeclaredType declared)) {
            return true;
        }
        String name = Compilation.element(declared).getQualifiedName().toString();
        return ScalarTypes.named(name) != null || isOfTheLibrary(name);
    }

    private static boolean isOfTheLibrary(String name) {
        return name.startsWith("dev.fairlead.protocol.");
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
        return new JsonType(TypeCheck.of(known), ScalarTypes.isText(known));
    }

    private JsonType wildcard(WildcardType wildcard) throws UnsupportedTypeException {
        TypeMirror bound = wildcard.getExtendsBound();
        return bound == null ? scalar(Object.class) : read(bound);
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
        return new JsonType(element(component).check().array(), false);
    }

    private static JsonType scalarArray() {
        return new JsonType(TypeCheck.of(byte[].class), true);
    }

    private JsonType declared(DeclaredType type) throws UnsupportedTypeException {
        TypeElement element = Compilation.element(type);
        String name = element.getQualifiedName().toString();
        Class<?> scalar = ScalarTypes.named(name);
        if (scalar != null) {
            return scalar(scalar);
        }
        if (isOfTheLibrary(name)) {
            return ofTheLibrary(element);
        }
        return switch (name) {
            case "java.util.List", "java.util.Collection", "java.util.Set" ->
                    new JsonType(element(arguments(type).get(0)).check().list(), false);
            case "java.util.Map" -> map(type);
            case "java.util.Optional" -> optional(type);
            default -> ofTheAuthor(type, element);
        };
    }

    /** Fairlead's own types are there to be tried. */
    private JsonType ofTheLibrary(TypeElement element) throws UnsupportedTypeException {
        try {
            Class<?> known =
                    Class.forName(compilation.elements().getBinaryName(element).toString());
            return new JsonType(TypeCheck.of(known), known.isEnum());
        } catch (ClassNotFoundException | IllegalArgumentException e) {
            throw new UnsupportedTypeException(element + " has no JSON form; " + KNOWN);
        }
    }

    private JsonType map(DeclaredType type) throws UnsupportedTypeException {
        JsonType key = read(arguments(type).get(0));
        if (!key.isText()) {
            throw new UnsupportedTypeException("the keys of " + type + " have no text form");
        }
        return new JsonType(element(arguments(type).get(1)).check().map(), false);
    }

    private JsonType optional(DeclaredType type) throws UnsupportedTypeException {
        JsonType inner = read(arguments(type).get(0));
        return new JsonType(inner.check().optional(), inner.isText(), inner.constants());
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
        JsonType element = read(type);
        return Annotated.isNullable(type)
                ? new JsonType(element.check().nullable(), false)
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
        if (element.getKind() == ElementKind.ENUM) {
            return ofEnum(element);
        }
        return sealed ? ofSealed(type, element) : ofRecord(type, element);
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

    /** Takes the descriptions of a type from its Javadoc, where no {@link Doc} gives them. */
    private void describe(TypeElement element) throws UnsupportedTypeException {
        if (!used.add(element)) {
            return;
        }
        ForeignMirrors.check(element);
        Javadoc javadoc = compilation.javadoc(element, origin);
        ClassName name = ClassName.get(element);
        String text = javadoc.text();
        if (text != null && element.getAnnotation(Doc.class) == null) {
            descriptions.add(CodeBlock.of("withDescription($T.class, $S)", name, text));
        }
        for (RecordComponentElement component : element.getRecordComponents()) {
            String javaName = component.getSimpleName().toString();
            String said = javadoc.parameters().get(javaName);
            if (said != null && component.getAnnotation(Doc.class) == null) {
                descriptions.add(
                        CodeBlock.of("withDescription($T.class, $S, $S)", name, javaName, said));
            }
        }
    }

    private JsonType ofEnum(TypeElement element) throws UnsupportedTypeException {
        describe(element);
        Set<String> names = new LinkedHashSet<>();
        for (Element constant : element.getEnclosedElements()) {
            if (constant.getKind() == ElementKind.ENUM_CONSTANT
                    && !names.add(MemberAnnotations.name(constant))) {
                throw new UnsupportedTypeException(
                        element + " has two constants named " + MemberAnnotations.name(constant));
            }
        }
        List<String> constants = List.copyOf(names);
        return new JsonType(TypeCheck.ofEnum(constants), true, constants);
    }

    private JsonType ofRecord(DeclaredType type, TypeElement element)
            throws UnsupportedTypeException {
        describe(element);
        var record = new RecordType(compilation, type);
        TypeName name = compilation.plainName(type);
        if (seen.add(name)) {
            underWay.add(name);
            List<TypeCheck.Member> members = new ArrayList<>();
            for (RecordType.Declared declared : record.declared()) {
                members.add(member(declared, element));
            }
            record.requireTogether(members);
            underWay.remove(name);
        }
        if (!RecordType.isInline(element)) {
            return new JsonType(TypeCheck.of(JsonObject.class), false);
        }
        if (underWay.contains(name)) {
            return ANY;
        }
        JsonType inside = read(record.declared().get(0).type());
        return new JsonType(inside.check(), inside.isText());
    }

    private TypeCheck.Member member(RecordType.Declared declared, TypeElement owner)
            throws UnsupportedTypeException {
        try {
            JsonType json = read(declared.type());
            MemberAnnotations annotations = declared.annotations();
            annotations.requireFit(json);
            return annotations.on(json);
        } catch (UnsupportedTypeException | Problem e) {
            throw new UnsupportedTypeException(
                    owner.getSimpleName() + "." + declared.javaName() + ": " + e.getMessage());
        }
    }

    private JsonType ofSealed(DeclaredType type, TypeElement element)
            throws UnsupportedTypeException {
        describe(element);
        if (seen.add(compilation.plainName(type))) {
            Set<String> cases = new HashSet<>();
            for (DeclaredType permitted : new SealedType(compilation, type).cases()) {
                TypeElement record = Compilation.element(permitted);
                requireReach(permitted, record);
                if (!RecordType.isInline(record) && !cases.add(SealedType.caseName(record))) {
                    throw new UnsupportedTypeException(
                            element + " has two cases named " + SealedType.caseName(record));
                }
                ofRecord(permitted, record);
            }
        }
        return ANY;
    }
}
