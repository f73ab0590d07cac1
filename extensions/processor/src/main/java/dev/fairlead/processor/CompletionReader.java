package dev.fairlead.processor;

import com.palantir.javapoet.CodeBlock;

import dev.fairlead.server.annotation.McpComplete;
import dev.fairlead.server.handler.Call;
import dev.fairlead.server.handler.Completion;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;

/** Reads methods with {@link McpComplete} into the features that they complete. */
final class CompletionReader {
    private final Methods methods;
    private final Map<String, Feature> features;
    private final Set<String> completed = new HashSet<>();

    /**
     * @param features by subject
     */
    CompletionReader(Methods methods, Map<String, Feature> features) {
        this.methods = methods;
        this.features = features;
    }

    void read(ExecutableElement method, McpComplete complete) throws Problem {
        methods.requireReachable(method);
        methods.requireExceptions(method);
        requireStrings(method);
        Feature feature = completed(method, complete);
        String argument = complete.argument();
        if (feature.handler().components().stream()
                .noneMatch(component -> component.name().equals(argument))) {
            throw Problem.at(
                    method,
                    McpComplete.class,
                    "argument",
                    feature.subject()
                            + " has no argument "
                            + argument
                            + " to complete, but "
                            + CommonWords.names(feature.handler()));
        }
        if (!completed.add(feature.subject() + " " + argument)) {
            throw Problem.at(
                    method,
                    McpComplete.class,
                    "argument",
                    "the argument "
                            + argument
                            + " of "
                            + feature.subject()
                            + " is completed twice");
        }
        feature.word(
                "complete($S, (typed, call) -> $L)",
                argument,
                methods.call(method, CodeBlock.join(passed(method), ", ")));
    }

    private Feature completed(ExecutableElement method, McpComplete complete) throws Problem {
        Feature template = features.get(ResourceReader.subject(complete.of()));
        Feature prompt = features.get(PromptReader.subject(complete.of()));
        Feature found = prompt == null ? template : prompt;
        if (found == null) {
            throw Problem.at(
                    method,
                    McpComplete.class,
                    "of",
                    methods.owner().getSimpleName()
                            + " declares no prompt and no template "
                            + complete.of()
                            + known());
        }
        return found;
    }

    private String known() {
        String known =
                features.values().stream()
                        .filter(feature -> !feature.handler().components().isEmpty())
                        .map(Feature::subject)
                        .filter(subject -> !subject.startsWith("the tool "))
                        .collect(Collectors.joining(", "));
        return known.isEmpty() ? "" : ", but " + known;
    }

    private static void requireStrings(ExecutableElement method) throws Problem {
        if (!method.getReturnType().toString().equals("java.util.List<java.lang.String>")) {
            throw Problem.at(
                    method,
                    "a method that completes an argument must return List<String> but returns "
                            + method.getReturnType());
        }
    }

    private static List<CodeBlock> passed(ExecutableElement method) throws Problem {
        List<CodeBlock> passed = new ArrayList<>();
        for (VariableElement parameter : method.getParameters()) {
            if (Methods.is(parameter.asType(), Completion.class)) {
                passed.add(CodeBlock.of("typed"));
            } else if (Methods.is(parameter.asType(), Call.class)) {
                passed.add(CodeBlock.of("call"));
            } else {
                throw Problem.at(
                        parameter,
                        "a method that completes an argument takes nothing but a Completion and a"
                                + " Call");
            }
        }
        return passed;
    }
}
