package dev.fairlead.processor;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.util.Objects;

import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic;

/** A problem in a source: its place, and the allowed alternative. */
final class Problem extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Element element;
    private final transient @Nullable AnnotationMirror annotation;
    private final transient @Nullable AnnotationValue value;

    private Problem(
            Element element,
            @Nullable AnnotationMirror annotation,
            @Nullable AnnotationValue value,
            String message) {
        super(message);
        this.element = element;
        this.annotation = annotation;
        this.value = value;
    }

    /** Returns a problem at an element. */
    static Problem at(Element element, String message) {
        return new Problem(element, null, null, message);
    }

    /** Returns a problem at an annotation of an element, or at the element if it has none. */
    static Problem at(Element element, Class<? extends Annotation> type, String message) {
        return new Problem(element, Annotated.mirror(element, type), null, message);
    }

    /** Returns a problem at a member of an annotation of an element. */
    static Problem at(
            Element element, Class<? extends Annotation> type, String member, String message) {
        AnnotationMirror mirror = Annotated.mirror(element, type);
        AnnotationValue value = mirror == null ? null : Annotated.value(mirror, member);
        return new Problem(element, mirror, value, message);
    }

    void report(Messager messager) {
        messager.printMessage(
                Diagnostic.Kind.ERROR,
                Objects.requireNonNull(getMessage()),
                element,
                annotation,
                value);
    }
}
