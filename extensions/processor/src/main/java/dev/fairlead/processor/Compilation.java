package dev.fairlead.processor;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.WildcardTypeName;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.annotation.processing.Filer;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;

/** The compilation at hand, and questions about its elements. */
record Compilation(Elements elements, Types types, Filer filer) {
    private static final AnnotationSpec NULLABLE = AnnotationSpec.builder(Nullable.class).build();

    Compilation(ProcessingEnvironment environment) {
        this(environment.getElementUtils(), environment.getTypeUtils(), environment.getFiler());
    }

    static TypeElement element(DeclaredType type) {
        return (TypeElement) type.asElement();
    }

    /** The class around all others of its file. */
    static Element outermost(Element element) {
        Element outermost = element;
        while (outermost.getEnclosingElement() != null
                && outermost.getEnclosingElement().getKind() != ElementKind.PACKAGE) {
            outermost = outermost.getEnclosingElement();
        }
        return outermost;
    }

    /** Returns the reason why code of a package cannot name a type; null if it can. */
    @Nullable String whyOutOfReach(TypeElement type, PackageElement from) {
        boolean here = elements.getPackageOf(type).equals(from);
        for (Element part = type;
                part != null && part.getKind() != ElementKind.PACKAGE;
                part = part.getEnclosingElement()) {
            if (part.getModifiers().contains(Modifier.PRIVATE)) {
                return part.getSimpleName() + " is private";
            }
            if (!here && !part.getModifiers().contains(Modifier.PUBLIC)) {
                return part.getSimpleName() + " is not public and in another package";
            }
        }
        return null;
    }

    /** The Javadoc of an element of the same file as another; empty for one of another file. */
    Javadoc javadoc(Element element, Element origin) {
        // Where only some files are compiled, the others are classes, without comments. A
        // description must not depend on that.
        if (!outermost(element).equals(outermost(origin))) {
            return Javadoc.NONE;
        }
        String comment = elements.getDocComment(element);
        return comment == null ? Javadoc.NONE : Javadoc.parse(comment);
    }

    /** A type as code names it, with the {@code @Nullable} that stand in it. */
    TypeName name(TypeMirror type) {
        TypeName plain =
                switch (type) {
                    case DeclaredType declared -> declared(declared);
                    case ArrayType array -> ArrayTypeName.of(name(array.getComponentType()));
                    case WildcardType wildcard -> wildcard(wildcard);
                    default -> TypeName.get(type).withoutAnnotations();
                };
        return Annotated.isNullable(type) ? nullable(plain) : plain;
    }

    /** Returns a type, or the bound of a wildcard. */
    TypeMirror bound(TypeMirror type) {
        if (!(type instanceof WildcardType wildcard)) {
            return type;
        }
        TypeMirror bound = wildcard.getExtendsBound();
        return bound == null
                ? Objects.requireNonNull(elements.getTypeElement("java.lang.Object")).asType()
                : bound;
    }

    /** The name of a type without the {@code @Nullable} that stands before it. */
    TypeName plainName(TypeMirror type) {
        return name(type).withoutAnnotations();
    }

    static TypeName nullable(TypeName type) {
        return type.withoutAnnotations().annotated(NULLABLE);
    }

    private TypeName declared(DeclaredType type) {
        ClassName raw = ClassName.get(element(type));
        List<TypeName> arguments = new ArrayList<>();
        type.getTypeArguments().forEach(argument -> arguments.add(name(argument)));
        return arguments.isEmpty()
                ? raw
                : ParameterizedTypeName.get(raw, arguments.toArray(TypeName[]::new));
    }

    private TypeName wildcard(WildcardType wildcard) {
        TypeMirror bound = wildcard.getExtendsBound();
        TypeMirror lower = wildcard.getSuperBound();
        if (lower != null) {
            return WildcardTypeName.supertypeOf(name(lower));
        }
        return bound == null
                ? WildcardTypeName.subtypeOf(Object.class)
                : WildcardTypeName.subtypeOf(name(bound));
    }
}
