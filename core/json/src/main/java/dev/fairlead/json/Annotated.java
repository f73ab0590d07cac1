package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.List;

/** Something with these annotations. */
record Annotated(List<Annotation> annotations) implements AnnotatedElement {
    @Override
    public <A extends Annotation> @Nullable A getAnnotation(Class<A> type) {
        return annotations.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElse(null);
    }

    @Override
    public Annotation[] getAnnotations() {
        return annotations.toArray(Annotation[]::new);
    }

    @Override
    public Annotation[] getDeclaredAnnotations() {
        return getAnnotations();
    }
}
