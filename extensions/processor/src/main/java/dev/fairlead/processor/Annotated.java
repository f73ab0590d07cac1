package dev.fairlead.processor;

import dev.fairlead.server.annotation.McpComplete;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.util.Map;

import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/** Reads the annotations of elements and types. */
final class Annotated {
    private Annotated() {}

    /** Whether a method declares a feature or completes one. */
    static boolean isFeature(Element method) {
        return method.getAnnotation(McpTool.class) != null
                || method.getAnnotation(McpResource.class) != null
                || method.getAnnotation(McpPrompt.class) != null
                || method.getAnnotation(McpComplete.class) != null;
    }

    /** Whether a type, or an element of it, may be null. */
    static boolean isNullable(AnnotatedConstruct construct) {
        return construct.getAnnotationMirrors().stream()
                .anyMatch(mirror -> is(mirror, Nullable.class));
    }

    static @Nullable AnnotationMirror mirror(Element element, Class<? extends Annotation> type) {
        return element.getAnnotationMirrors().stream()
                .filter(mirror -> is(mirror, type))
                .findFirst()
                .orElse(null);
    }

    private static boolean is(AnnotationMirror mirror, Class<? extends Annotation> type) {
        return ((TypeElement) mirror.getAnnotationType().asElement())
                .getQualifiedName()
                .contentEquals(type.getName());
    }

    /** The value of a member as it is written; null where it is not. */
    static @Nullable AnnotationValue value(AnnotationMirror mirror, String member) {
        for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> entry :
                mirror.getElementValues().entrySet()) {
            if (entry.getKey().getSimpleName().contentEquals(member)) {
                return entry.getValue();
            }
        }
        return null;
    }
}
