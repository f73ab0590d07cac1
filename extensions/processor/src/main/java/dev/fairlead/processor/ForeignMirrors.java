package dev.fairlead.processor;

import com.palantir.javapoet.TypeName;

import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.TypeCheck;
import dev.fairlead.json.TypeCheck.Beside;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.RecordComponentElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** Annotations of other libraries of JSON, as the compiler sees them. */
final class ForeignMirrors {
    private ForeignMirrors() {}

    /**
     * Checks a type and the interfaces above it.
     *
     * @throws UnsupportedTypeException if an annotation would have to be passed over
     */
    static void check(TypeElement type) throws UnsupportedTypeException {
        for (TypeElement each : withInterfaces(type)) {
            check(
                    each,
                    null,
                    new Beside(null, each.getAnnotation(Doc.class) != null, false, false));
            for (Element member : each.getEnclosedElements()) {
                if (member.getKind() == ElementKind.CONSTRUCTOR) {
                    check((ExecutableElement) member, type);
                } else if (!member.getKind().isClass() && !member.getKind().isInterface()) {
                    String name = member.getSimpleName().toString();
                    check(member, name, beside(part(type, name)));
                }
            }
        }
    }

    /** Checks a constructor, whose parameters are components only if it has all of them. */
    private static void check(ExecutableElement constructor, TypeElement type)
            throws UnsupportedTypeException {
        boolean isCanonical =
                types(constructor.getParameters()).equals(types(type.getRecordComponents()));
        String name = constructor.getSimpleName().toString();
        check(constructor, isCanonical ? name : "another " + name, Beside.NOTHING);
        for (VariableElement parameter : constructor.getParameters()) {
            String component = parameter.getSimpleName().toString();
            check(parameter, component, beside(isCanonical ? part(type, component) : null));
        }
    }

    private static List<TypeName> types(List<? extends Element> elements) {
        return elements.stream().map(each -> TypeName.get(each.asType())).toList();
    }

    /**
     * Checks a parameter of a feature.
     *
     * @throws UnsupportedTypeException if an annotation would have to be passed over
     */
    static void check(VariableElement parameter) throws UnsupportedTypeException {
        String name = parameter.getSimpleName().toString();
        check(parameter, name, beside(parameter));
    }

    private static Set<TypeElement> withInterfaces(TypeElement type) {
        Set<TypeElement> all = new LinkedHashSet<>();
        List<TypeElement> next = new ArrayList<>(List.of(type));
        while (!next.isEmpty()) {
            TypeElement each = next.remove(next.size() - 1);
            if (!each.getQualifiedName().toString().startsWith("java.") && all.add(each)) {
                for (TypeMirror parent : each.getInterfaces()) {
                    if (parent instanceof DeclaredType declared) {
                        next.add(Compilation.element(declared));
                    }
                }
            }
        }
        return all;
    }

    /** The component or constant of a name; null for a method, which is none. */
    private static @Nullable Element part(TypeElement type, String name) {
        for (RecordComponentElement component : type.getRecordComponents()) {
            if (component.getSimpleName().contentEquals(name)) {
                return component;
            }
        }
        return type.getEnclosedElements().stream()
                .filter(member -> member.getKind() == ElementKind.ENUM_CONSTANT)
                .filter(constant -> constant.getSimpleName().contentEquals(name))
                .findFirst()
                .orElse(null);
    }

    private static Beside beside(@Nullable Element part) {
        return part == null
                ? Beside.NOTHING
                : new Beside(
                        MemberAnnotations.name(part),
                        part.getAnnotation(Doc.class) != null,
                        part.getAnnotation(Default.class) != null,
                        isOptional(part.asType()));
    }

    private static boolean isOptional(TypeMirror type) {
        return Annotated.isNullable(type)
                || type instanceof DeclaredType declared
                        && Compilation.element(declared)
                                .getQualifiedName()
                                .contentEquals(Optional.class.getName());
    }

    private static void check(Element element, @Nullable String member, Beside beside)
            throws UnsupportedTypeException {
        for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
            TypeElement kind = (TypeElement) mirror.getAnnotationType().asElement();
            List<String> inside =
                    kind.getAnnotationMirrors().stream()
                            .map(each -> each.getAnnotationType().toString())
                            .toList();
            try {
                TypeCheck.checkForeign(
                        member, kind.getQualifiedName().toString(), values(mirror), inside, beside);
            } catch (IllegalArgumentException e) {
                String owner = element instanceof TypeElement ? "" : owner(element);
                throw new UnsupportedTypeException(owner + element + " " + e.getMessage());
            }
        }
    }

    private static String owner(Element element) {
        return element.getEnclosingElement() instanceof TypeElement type
                ? type.getSimpleName() + "."
                : "";
    }

    private static Map<String, String> values(AnnotationMirror mirror) {
        Map<String, String> values = new HashMap<>();
        mirror.getElementValues()
                .forEach(
                        (method, value) ->
                                values.put(
                                        method.getSimpleName().toString(),
                                        value.getValue() instanceof VariableElement constant
                                                ? constant.getSimpleName().toString()
                                                : String.valueOf(value.getValue())));
        return values;
    }
}
