package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;

import java.util.List;

import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;

/**
 * A class with annotated methods, read.
 *
 * @param written the class that declares its features
 * @param methods its methods
 * @param types the types that the features use
 */
record FeatureClass(
        TypeElement type,
        ClassName written,
        Methods methods,
        List<Feature> features,
        TypeReader types) {
    /** Returns whether an object is needed. */
    boolean needsInstance() {
        return features.stream()
                .anyMatch(
                        feature ->
                                !feature.handler()
                                        .method()
                                        .getModifiers()
                                        .contains(Modifier.STATIC));
    }

    /** The name of the object whose methods are called. */
    String instance() {
        return methods.instance();
    }
}
