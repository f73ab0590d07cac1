package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The features that beans declare: those that are {@link McpFeatures}, and those for whose class
 * the annotation processor has written declarations. Annotated methods of a bean without such
 * declarations are an error: the processor did not run.
 */
final class DeclaredFeatures {
    /** How the names of beans begin that are reached through another one, by their scope. */
    private static final String SCOPED_TARGET = "scopedTarget.";

    /** What the annotation processor writes declarations for. */
    static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(McpTool.class, McpResource.class, McpPrompt.class);

    private static final List<String> FOREIGN =
            List.of(
                    "java.",
                    "jakarta.",
                    "org.springframework.",
                    "dev.fairlead.spring.boot.starter.Mcp");

    private final ListableBeanFactory beans;

    DeclaredFeatures(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Whether any bean declares a feature, or is meant to; makes no bean. */
    boolean exist() {
        return beans.getBeanNamesForType(McpFeatures.class, true, false).length > 0
                || annotated().findAny().isPresent()
                || unprocessed().isPresent();
    }

    /**
     * Declares the features.
     *
     * @throws MissingProcessorException if a bean has annotated methods that were not processed
     */
    void declare(McpServer.Builder server) {
        unprocessed()
                .ifPresent(
                        method -> {
                            throw new MissingProcessorException(method);
                        });
        beans.getBeanProvider(McpFeatures.class).orderedStream().forEach(server::features);
        annotated().forEach(bean -> server.features(declarations(bean)));
    }

    /** The names of beans whose class has declarations. */
    private Stream<String> annotated() {
        return names().filter(name -> declaring(beans.getType(name, false)) != null);
    }

    private Stream<String> names() {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> !name.startsWith(SCOPED_TARGET));
    }

    /** An annotated method of a bean whose class has no declarations. */
    private Optional<Method> unprocessed() {
        return names().map(name -> beans.getType(name, false))
                .filter(Objects::nonNull)
                .filter(type -> declaring(type) == null)
                .flatMap(type -> methods(ClassUtils.getUserClass(type)))
                .filter(method -> ANNOTATIONS.stream().anyMatch(method::isAnnotationPresent))
                .findFirst();
    }

    /** None of classes that the application did not write, or whose types are not all there. */
    private static Stream<Method> methods(Class<?> type) {
        if (FOREIGN.stream().anyMatch(type.getName()::startsWith)) {
            return Stream.empty();
        }
        try {
            return Arrays.stream(type.getDeclaredMethods());
        } catch (LinkageError e) {
            return Stream.empty();
        }
    }

    /** What declares the features of a class: {@code of} of the class {@code NAMEMcp} beside it. */
    private static @Nullable Method declaring(@Nullable Class<?> type) {
        if (type == null || type.isArray() || type.isPrimitive()) {
            return null;
        }
        Class<?> declared = ClassUtils.getUserClass(type);
        String name = declarations(declared);
        if (!ClassUtils.isPresent(name, declared.getClassLoader())) {
            return null;
        }
        Class<?> companion = ClassUtils.resolveClassName(name, declared.getClassLoader());
        Method of = ReflectionUtils.findMethod(companion, "of", declared);
        return of != null && of.getReturnType() == Consumer.class ? of : null;
    }

    /** {@code Outer$Inner} has its declarations in {@code OuterInnerMcp}. */
    private static String declarations(Class<?> type) {
        String nested = type.getName().substring(type.getPackageName().length());
        return type.getPackageName() + nested.replace("$", "") + "Mcp";
    }

    @SuppressWarnings("unchecked") // so the processor writes it
    private Consumer<Features<?>> declarations(String bean) {
        Method of = Objects.requireNonNull(declaring(beans.getType(bean)));
        ReflectionUtils.makeAccessible(of);
        return (Consumer<Features<?>>)
                Objects.requireNonNull(ReflectionUtils.invokeMethod(of, null, beans.getBean(bean)));
    }
}
