package dev.fairlead.processor;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;

import dev.fairlead.json.JsonTypes;
import dev.fairlead.server.Features;

import org.jspecify.annotations.NullMarked;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

import javax.annotation.processing.FilerException;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.ModuleElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.lang.model.util.Elements;

/** Writes the class that declares the features of another. */
final class ClassWriter {
    private static final TypeName FEATURES =
            ParameterizedTypeName.get(
                    ClassName.get(Features.class), WildcardTypeName.subtypeOf(Object.class));

    private final Compilation compilation;
    private final FeatureClass read;

    ClassWriter(Compilation compilation, FeatureClass read) {
        this.compilation = compilation;
        this.read = read;
    }

    /**
     * Writes the class.
     *
     * @throws Problem if there is one of its name already
     */
    void write() throws Problem {
        TypeSpec.Builder type =
                TypeSpec.classBuilder(read.written())
                        .addOriginatingElement(read.type())
                        .addJavadoc("Declares the features of {@link $T}.\n", owner())
                        .addAnnotation(NullMarked.class)
                        .addModifiers(visible(Modifier.FINAL))
                        .addMethod(
                                MethodSpec.constructorBuilder()
                                        .addModifiers(Modifier.PRIVATE)
                                        .build())
                        .addMethod(of());
        addTypes(type);
        addGenerated(type);
        type.alwaysQualify(hidden());
        addSuppressions(type);
        read.features().forEach(feature -> type.addMethod(declaration(feature)));
        read.features().stream()
                .map(Feature::handler)
                .filter(handler -> !handler.components().isEmpty())
                .forEach(handler -> type.addType(record(handler)));
        write(type.build());
    }

    private void write(TypeSpec type) throws Problem {
        try {
            JavaFile.builder(read.written().packageName(), type)
                    .indent("    ")
                    .skipJavaLangImports(true)
                    .build()
                    .writeTo(compilation.filer());
        } catch (FilerException e) {
            throw Problem.at(
                    read.type(),
                    "the class "
                            + read.written().simpleName()
                            + ", which is written for this one, is there already");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ClassName owner() {
        return ClassName.get(read.type());
    }

    /** Returns whether the annotated class can be named everywhere. */
    private boolean isPublic() {
        boolean isPublic = true;
        for (Element part = read.type();
                part != null && part.getKind() != ElementKind.PACKAGE;
                part = part.getEnclosingElement()) {
            isPublic &= part.getModifiers().contains(Modifier.PUBLIC);
        }
        return isPublic;
    }

    /** This modifier, and {@code public} where the annotated class is. */
    private Modifier[] visible(Modifier other) {
        return isPublic() ? new Modifier[] {Modifier.PUBLIC, other} : new Modifier[] {other};
    }

    /** The annotation that tools know, where the module of the class reads it. */
    private void addGenerated(TypeSpec.Builder type) {
        ModuleElement module = compilation.elements().getModuleOf(read.type());
        String name = "javax.annotation.processing.Generated";
        TypeElement known =
                module == null
                        ? compilation.elements().getTypeElement(name)
                        : compilation.elements().getTypeElement(module, name);
        if (known != null) {
            type.addAnnotation(
                    AnnotationSpec.builder(ClassName.get(known))
                            .addMember("value", "$S", FeatureProcessor.class.getName())
                            .build());
        }
    }

    /** The names of java.lang that classes of the same package have too. */
    private String[] hidden() {
        Elements elements = compilation.elements();
        ModuleElement base = elements.getModuleElement("java.base");
        return elements.getPackageOf(read.type()).getEnclosedElements().stream()
                .map(sibling -> sibling.getSimpleName().toString())
                .filter(name -> elements.getTypeElement(base, "java.lang." + name) != null)
                .toArray(String[]::new);
    }

    /** Suppresses warnings: elements that the author deprecates are still used. */
    private void addSuppressions(TypeSpec.Builder type) {
        Stream<Element> used = read.types().used().stream().flatMap(ClassWriter::withMembers);
        if (Stream.concat(withMembers(read.type()), used)
                .anyMatch(compilation.elements()::isDeprecated)) {
            type.addAnnotation(
                    AnnotationSpec.builder(SuppressWarnings.class)
                            .addMember("value", "{$S, $S}", "deprecation", "removal")
                            .build());
        }
    }

    private static Stream<Element> withMembers(Element used) {
        return Stream.concat(Stream.of(used), used.getEnclosedElements().stream());
    }

    /** The types that json reaches by the lookup of the class that is written. */
    private void addTypes(TypeSpec.Builder type) {
        if (!read.types().needsLookup()) {
            return;
        }
        CodeBlock.Builder types =
                CodeBlock.builder().add("$T.of($T.lookup())", JsonTypes.class, MethodHandles.class);
        read.types().descriptions().forEach(description -> types.add("\n.$L", description));
        type.addField(
                FieldSpec.builder(
                                JsonTypes.class,
                                TypeReader.TYPES,
                                Modifier.PRIVATE,
                                Modifier.STATIC,
                                Modifier.FINAL)
                        .initializer("$>$>$L$<$<", types.build())
                        .build());
    }

    // ---- methods

    private MethodSpec of() {
        MethodSpec.Builder method =
                MethodSpec.methodBuilder("of")
                        .addModifiers(visible(Modifier.STATIC))
                        .returns(
                                ParameterizedTypeName.get(ClassName.get(Consumer.class), FEATURES));
        CodeBlock.Builder body = CodeBlock.builder();
        if (read.needsInstance()) {
            method.addJavadoc(
                            "Returns the features of an object: {@code"
                                    + " builder.features($L.of($L))}.\n",
                            read.written().simpleName(),
                            read.instance())
                    .addParameter(owner(), read.instance());
            body.addStatement(
                    "$T.requireNonNull($L, $S)", Objects.class, read.instance(), read.instance());
        } else {
            method.addJavadoc(
                    "Returns the features: {@code builder.features($L.of())}.\n",
                    read.written().simpleName());
        }
        body.add("return features -> {\n$>");
        for (Feature feature : read.features()) {
            body.addStatement(
                    isStatic(feature) ? "$L(features)" : "$L(features, $L)",
                    isStatic(feature)
                            ? new Object[] {feature.handler().name()}
                            : new Object[] {feature.handler().name(), read.instance()});
        }
        return method.addCode(body.add("$<};\n").build()).build();
    }

    private static boolean isStatic(Feature feature) {
        return feature.handler().method().getModifiers().contains(Modifier.STATIC);
    }

    private MethodSpec declaration(Feature feature) {
        MethodSpec.Builder method =
                MethodSpec.methodBuilder(feature.handler().name())
                        .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                        .addParameter(FEATURES, "features");
        if (!isStatic(feature)) {
            method.addParameter(owner(), read.instance());
        }
        CodeBlock.Builder code = CodeBlock.builder().add("features$>$>\n.$L", feature.beginning());
        feature.words().forEach(word -> code.add("\n.$L", word));
        code.add("\n.handle($L);$<$<\n", body(feature.handler()));
        return method.addCode(code.build()).build();
    }

    private CodeBlock body(HandlerMethod handler) {
        CodeBlock call = read.methods().call(handler.method(), handler.arguments());
        String parameters = "(" + HandlerMethod.INPUT + ", " + HandlerMethod.CALL + ") -> ";
        return handler.method().getReturnType().getKind() == TypeKind.VOID
                ? CodeBlock.of(parameters + "{\n$>$L;\nreturn null;\n$<}", call)
                : CodeBlock.of(parameters + "$L", call);
    }

    // ---- records

    /** The record for the parameters of a method. */
    private static TypeSpec record(HandlerMethod handler) {
        MethodSpec.Builder components = MethodSpec.constructorBuilder();
        for (Component component : handler.components()) {
            components.addParameter(
                    ParameterSpec.builder(component.type(), component.accessor())
                            .addAnnotations(component.annotations())
                            .build());
        }
        return TypeSpec.recordBuilder(handler.record())
                .addModifiers(Modifier.PRIVATE)
                .recordConstructor(components.build())
                .build();
    }
}
