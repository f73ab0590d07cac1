package dev.fairlead.processor;

import com.palantir.javapoet.TypeName;

import dev.fairlead.json.TypeCheck;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
            check(each, null, null);
            for (Element member : each.getEnclosedElements()) {
                if (member.getKind() == ElementKind.CONSTRUCTOR) {
                    check((ExecutableElement) member, type);
                } else if (!member.getKind().isClass() && !member.getKind().isInterface()) {
                    String name = member.getSimpleName().toString();
                    check(member, name, wireName(type, name));
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
        check(constructor, isCanonical ? name : "another " + name, null);
        for (VariableElement parameter : constructor.getParameters()) {
            String component = parameter.getSimpleName().toString();
            check(parameter, component, isCanonical ? wireName(type, component) : null);
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
        check(parameter, name, MemberAnnotations.name(parameter));
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

    /** The name of a component or constant on the wire; null for a method, which is none. */
    private static @Nullable String wireName(TypeElement type, String name) {
        for (RecordComponentElement component : type.getRecordComponents()) {
            if (component.getSimpleName().contentEquals(name)) {
                return MemberAnnotations.name(component);
            }
        }
        return type.getEnclosedElements().stream()
                .filter(member -> member.getKind() == ElementKind.ENUM_CONSTANT)
                .filter(constant -> constant.getSimpleName().contentEquals(name))
                .findFirst()
                .map(MemberAnnotations::name)
                .orElse(null);
    }

    private static void check(Element element, @Nullable String member, @Nullable String wireName)
            throws UnsupportedTypeException {
        for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
            TypeElement kind = (TypeElement) mirror.getAnnotationType().asElement();
            List<String> inside =
                    kind.getAnnotationMirrors().stream()
                            .map(each -> each.getAnnotationType().toString())
                            .toList();
            try {
                TypeCheck.checkForeign(
                        member,
                        kind.getQualifiedName().toString(),
                        values(mirror),
                        inside,
                        wireName);
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
