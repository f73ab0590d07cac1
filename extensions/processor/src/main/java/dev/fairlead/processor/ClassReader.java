package dev.fairlead.processor;

import com.palantir.javapoet.ClassName;

import dev.fairlead.server.annotation.McpComplete;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.lang.model.SourceVersion;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Reads the annotated methods of one class. */
final class ClassReader {
    /** Names that mean something else in the code that is written. */
    private static final Set<String> TAKEN =
            Set.of("features", "input", "call", "caller", "typed", "one", "values");

    /** Reads one method with one annotation. */
    @FunctionalInterface
    private interface Reader<A extends Annotation> {
        @Nullable Feature read(ExecutableElement method, A annotation) throws Problem;
    }

    private final Compilation compilation;
    private final TypeElement type;
    private final List<Problem> problems;
    private final Map<String, Feature> features = new LinkedHashMap<>();

    /**
     * @param problems where everything that is wrong is added
     */
    ClassReader(Compilation compilation, TypeElement type, List<Problem> problems) {
        this.compilation = compilation;
        this.type = type;
        this.problems = problems;
    }

    /** Returns the features of the class; without meaning if there are problems. */
    FeatureClass read() {
        ClassName written = written();
        var methods = new Methods(compilation, type, instance());
        var types = new TypeReader(compilation, type);
        var handlers = new HandlerReader(compilation, methods, types, written, problems);
        requireUsable();
        var tools = new ToolReader(methods, handlers);
        var resources = new ResourceReader(methods, handlers);
        var prompts = new PromptReader(methods, handlers);
        for (ExecutableElement method : methods()) {
            read(method, McpTool.class, tools::read);
            read(method, McpResource.class, resources::read);
            read(method, McpPrompt.class, prompts::read);
        }
        if (problems.isEmpty()) { // else completed features may be missing for another reason
            readCompletions(methods);
        }
        return new FeatureClass(type, written, methods, List.copyOf(features.values()), types);
    }

    private void readCompletions(Methods methods) {
        var completions = new CompletionReader(methods, features);
        for (ExecutableElement method : methods()) {
            read(
                    method,
                    McpComplete.class,
                    (completing, annotation) -> {
                        completions.read(completing, annotation);
                        return null;
                    });
        }
    }

    private List<ExecutableElement> methods() {
        return ElementFilter.methodsIn(type.getEnclosedElements());
    }

    private <A extends Annotation> void read(
            ExecutableElement method, Class<A> annotation, Reader<A> reader) {
        A found = method.getAnnotation(annotation);
        if (found == null) {
            return;
        }
        try {
            Feature feature = reader.read(method, found);
            if (feature != null && features.putIfAbsent(feature.subject(), feature) != null) {
                problems.add(
                        Problem.at(method, annotation, feature.subject() + " is declared twice"));
            }
        } catch (Problem e) {
            problems.add(e);
        }
    }

    private void requireUsable() {
        PackageElement here = compilation.elements().getPackageOf(type);
        String why = compilation.whyOutOfReach(type, here);
        if (why != null) {
            problems.add(
                    Problem.at(
                            type,
                            "the features of "
                                    + type.getSimpleName()
                                    + " are declared by a class of the same package, but "
                                    + why));
        }
        if (isGeneric()) {
            problems.add(
                    Problem.at(
                            type,
                            type.getSimpleName()
                                    + " has type parameters, for which its features have no"
                                    + " types"));
        }
    }

    /** Whether the class has type parameters, its own or those of one that it is an inner of. */
    private boolean isGeneric() {
        TypeMirror part = type.asType();
        while (part instanceof DeclaredType declared) {
            if (!declared.getTypeArguments().isEmpty()) {
                return true;
            }
            part = declared.getEnclosingType();
        }
        return false;
    }

    /** {@code LibraryMcp}, and {@code OuterLibraryMcp} for a class within another. */
    private ClassName written() {
        ClassName name = ClassName.get(type);
        return ClassName.get(name.packageName(), String.join("", name.simpleNames()) + "Mcp");
    }

    /** {@code library}. */
    private String instance() {
        String name = type.getSimpleName().toString();
        String instance = Character.toLowerCase(name.charAt(0)) + name.substring(1);
        return instance.equals(name)
                        || TAKEN.contains(instance)
                        || SourceVersion.isKeyword(instance)
                ? instance + "_"
                : instance;
    }
}
