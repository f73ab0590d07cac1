package dev.fairlead.processor;

import dev.fairlead.server.annotation.McpComplete;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;

import java.lang.annotation.Annotation;
import java.lang.annotation.AnnotationTypeMismatchException;
import java.lang.annotation.IncompleteAnnotationException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;

/**
 * Writes a class {@code XMcp} for every class {@code X} that has methods with the annotations of
 * {@code dev.fairlead.server.annotation}. Compilers find it by themselves.
 *
 * <p>For Gradle it is an isolating processor: the class that it writes for another depends on the
 * source of that one, and on nothing but the types that its methods name.
 */
public final class FeatureProcessor extends AbstractProcessor {
    private static final Set<Class<? extends Annotation>> ANNOTATIONS =
            Set.of(McpTool.class, McpResource.class, McpPrompt.class, McpComplete.class);

    /** Classes that name types or constants which another processor has not written yet. */
    private final Set<String> waiting = new LinkedHashSet<>();

    /** Called by the compiler. */
    public FeatureProcessor() {}

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        return Set.of("dev.fairlead.server.annotation.*", "dev.fairlead.json.*");
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        if (round.processingOver()) {
            return false; // the compiler reports missing types in those that still wait
        }
        for (TypeElement type : declaring(round)) {
            String name = type.getQualifiedName().toString();
            if (isComplete(type) && write(type)) {
                waiting.remove(name);
            } else {
                waiting.add(name);
            }
        }
        return false;
    }

    /** The classes with annotated methods, and those that waited for this round. */
    private Collection<TypeElement> declaring(RoundEnvironment round) {
        Map<String, TypeElement> types = new LinkedHashMap<>();
        for (String name : waiting) {
            types.put(name, processingEnv.getElementUtils().getTypeElement(name));
        }
        for (Element method : round.getElementsAnnotatedWithAny(ANNOTATIONS)) {
            if (method.getEnclosingElement() instanceof TypeElement type) {
                types.put(type.getQualifiedName().toString(), type);
            }
        }
        return new ArrayList<>(types.values());
    }

    /** Whether all types that the annotated methods name are there. */
    private static boolean isComplete(TypeElement type) {
        var missing = new MissingTypes();
        return ElementFilter.methodsIn(type.getEnclosedElements()).stream()
                .filter(Annotated::isFeature)
                .noneMatch(missing::areNamedBy);
    }

    /**
     * Writes the features of a class; returns false if an annotation names a constant that is
     * missing.
     */
    private boolean write(TypeElement type) {
        Compilation compilation = new Compilation(processingEnv);
        List<Problem> problems = new ArrayList<>();
        try {
            FeatureClass features = new ClassReader(compilation, type, problems).read();
            if (problems.isEmpty()) {
                new ClassWriter(compilation, features).write();
            }
        } catch (Problem e) {
            problems.add(e);
        } catch (AnnotationTypeMismatchException | IncompleteAnnotationException e) {
            return false;
        }
        problems.forEach(problem -> problem.report(processingEnv.getMessager()));
        return true;
    }
}
