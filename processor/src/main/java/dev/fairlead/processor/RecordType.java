package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;

import dev.fairlead.json.DescribedType;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonDiscriminator;
import dev.fairlead.json.JsonInline;
import dev.fairlead.json.JsonName;
import dev.fairlead.json.RecordDescription;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import javax.lang.model.element.Element;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** A record, possibly with type arguments, as the compiler sees it. */
final class RecordType {
    /** A component as it is declared, its type with the arguments of the record. */
    record Declared(
            RecordComponentElement element,
            TypeMirror type,
            boolean isNullable,
            ComponentWords words) {
        String javaName() {
            return element.getSimpleName().toString();
        }

        String name() {
            JsonName renamed = element.getAnnotation(JsonName.class);
            return renamed == null ? javaName() : renamed.value();
        }

        TypeName typeName(Compilation compilation) {
            TypeName name = compilation.name(type);
            return isNullable ? Compilation.nullable(name) : name;
        }
    }

    private final Compilation compilation;
    private final DeclaredType type;
    private final TypeElement element;
    private final Element origin;

    /**
     * @param origin an element of the file whose comments count
     */
    RecordType(Compilation compilation, DeclaredType type, Element origin) {
        this.compilation = compilation;
        this.type = type;
        this.element = Compilation.element(type);
        this.origin = origin;
    }

    List<Declared> declared() {
        Javadoc javadoc = compilation.javadoc(element, origin);
        return element.getRecordComponents().stream()
                .map(component -> declared(component, javadoc))
                .toList();
    }

    private Declared declared(RecordComponentElement component, Javadoc javadoc) {
        TypeMirror own = component.asType();
        boolean nullable = Annotated.isNullable(own);
        TypeMirror applied =
                type.getTypeArguments().isEmpty()
                        ? own
                        : ((ExecutableType)
                                        compilation
                                                .types()
                                                .asMemberOf(bound(), component.getAccessor()))
                                .getReturnType();
        String doc = javadoc.parameters().get(component.getSimpleName().toString());
        return new Declared(
                component, applied, nullable, ComponentWords.of(component, nullable, doc));
    }

    static boolean isInline(TypeElement record) {
        return record.getAnnotation(JsonInline.class) != null;
    }

    /** The record with the bounds of wildcards in their place, as it can be made. */
    private DeclaredType bound() {
        TypeMirror[] bounds =
                type.getTypeArguments().stream().map(compilation::bound).toArray(TypeMirror[]::new);
        return compilation.types().getDeclaredType(element, bounds);
    }

    /** The component that stands on the wire in place of the record; null if none does. */
    @Nullable Declared inlined() {
        return !isInline(element) || declared().size() != 1 ? null : declared().get(0);
    }

    /**
     * Tries whether the components, each right by itself, make a record.
     *
     * @throws UnsupportedTypeException if they do not
     */
    void requireTogether(List<Component> components) throws UnsupportedTypeException {
        RecordDescription<ComponentWords.Trial> trial =
                DescribedType.record(ComponentWords.Trial.class);
        if (isInline(element)) {
            trial.inline();
        }
        discriminators()
                .forEach(
                        (member, optional) ->
                                trial.discriminator(
                                        member, SealedType.caseName(element), optional));
        for (Component component : components) {
            trial.component(component.name(), component.json().trial(), owner -> null);
            component.words().addTo(trial);
        }
        try {
            JsonCodec.of(trial.build(values -> new ComponentWords.Trial()));
        } catch (IllegalArgumentException e) {
            throw new UnsupportedTypeException(
                    String.valueOf(e.getMessage())
                            .replace(
                                    ComponentWords.Trial.class.getName(), element.getSimpleName()));
        }
    }

    /** The code that describes the record. */
    CodeBlock description(List<Component> components) {
        TypeName name = compilation.plainName(type);
        CodeBlock.Builder code = begin(name);
        String doc = doc(compilation, element, origin);
        if (doc != null) {
            code.add("\n.doc($S)", doc);
        }
        if (isInline(element)) {
            code.add("\n.inline()");
        }
        discriminators()
                .forEach(
                        (member, optional) ->
                                code.add(
                                        "\n.discriminator($S, $S, $L)",
                                        member,
                                        SealedType.caseName(element),
                                        optional));
        return end(code, name, components, isOverloaded());
    }

    static CodeBlock.Builder begin(TypeName name) {
        return name instanceof ParameterizedTypeName applied
                ? CodeBlock.builder()
                        .add(
                                "$T.<$T>record($T.class)",
                                DescribedType.class,
                                name,
                                applied.rawType())
                : CodeBlock.builder().add("$T.record($T.class)", DescribedType.class, name);
    }

    /** Adds the components and the constructor call. */
    static CodeBlock end(
            CodeBlock.Builder code, TypeName name, List<Component> components, boolean exact) {
        for (Component component : components) {
            code.add(
                    "\n.component($S, $L, $T::$L)",
                    component.name(),
                    component.json().expression(),
                    Constants.raw(name),
                    component.accessor());
            component.words().code().forEach(word -> code.add("\n.$L", word));
        }
        CodeBlock values =
                IntStream.range(0, components.size())
                        .mapToObj(i -> components.get(i).value(i, exact))
                        .collect(CodeBlock.joining(",\n"));
        code.add("\n.build(values -> new $T$L(", Constants.raw(name), diamond(name));
        if (components.size() > 1) {
            code.add("\n$>$>$L$<$<", values);
        } else {
            code.add(values);
        }
        return code.add("))").build();
    }

    private static String diamond(TypeName name) {
        return name instanceof ParameterizedTypeName ? "<>" : "";
    }

    /** Whether another constructor has as many parameters as the canonical one. */
    private boolean isOverloaded() {
        int components = element.getRecordComponents().size();
        return ElementFilter.constructorsIn(element.getEnclosedElements()).stream()
                        .filter(
                                constructor ->
                                        constructor.isVarArgs()
                                                || constructor.getParameters().size() == components)
                        .count()
                > 1;
    }

    static @Nullable String doc(Compilation compilation, TypeElement element, Element origin) {
        Doc doc = element.getAnnotation(Doc.class);
        return doc == null ? compilation.javadoc(element, origin).text() : doc.value();
    }

    /** The members of fixed value that its interfaces give it, and whether they may be absent. */
    private Map<String, Boolean> discriminators() {
        Map<String, Boolean> found = new LinkedHashMap<>();
        collect(element, found);
        return found;
    }

    private void collect(TypeElement child, Map<String, Boolean> found) {
        for (TypeMirror mirror : child.getInterfaces()) {
            TypeElement parent = Compilation.element((DeclaredType) mirror);
            JsonDiscriminator declared = parent.getAnnotation(JsonDiscriminator.class);
            if (declared != null) {
                boolean optional = declared.absent().equals(SealedType.caseName(element));
                found.merge(declared.value(), optional, Boolean::logicalAnd);
            }
            collect(parent, found);
        }
    }
}
