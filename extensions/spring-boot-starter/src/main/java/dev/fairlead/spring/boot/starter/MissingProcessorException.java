package dev.fairlead.spring.boot.starter;

import java.lang.reflect.Method;

/** A bean has annotated methods, but the annotation processor did not see its class. */
final class MissingProcessorException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MissingProcessorException(Method method) {
        super(description(method));
    }

    private static String description(Method method) {
        String annotation =
                DeclaredFeatures.ANNOTATIONS.stream()
                        .filter(method::isAnnotationPresent)
                        .map(Class::getSimpleName)
                        .findFirst()
                        .orElse("an annotation");
        return "The method "
                + method.getDeclaringClass().getName()
                + "."
                + method.getName()
                + " has @"
                + annotation
                + ", but the annotation processor fairlead-processor did not run when "
                + method.getDeclaringClass().getSimpleName()
                + " was compiled, so its features are not declared";
    }
}
