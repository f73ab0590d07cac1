package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.Features;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.annotation.McpPrompt;
import dev.fairlead.server.annotation.McpResource;
import dev.fairlead.server.annotation.McpTool;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The features that beans declare: those that are {@link McpFeatures}, and those for whose class
 * the annotation processor has written declarations. Annotated methods of a bean without such
 * declarations are an error: the processor did not run.
 */
final class DeclaredFeatures implements SmartInitializingSingleton {
    /** How the names of beans begin that are reached through another one, by their scope. */
    private static final String SCOPED_TARGET = "scopedTarget.";

    /** The annotations for which the annotation processor writes declarations. */
    static final List<Class<? extends Annotation>> ANNOTATIONS =
            List.of(McpTool.class, McpResource.class, McpPrompt.class);

    private static final List<String> FOREIGN =
            List.of(
                    "java.",
                    "jakarta.",
                    "org.springframework.",
                    "dev.fairlead.spring.boot.starter.Mcp");

    private final ListableBeanFactory beans;

    /** The annotated beans that were declared; null until a server was. */
    private @Nullable Set<String> declared;

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
     * @throws UnusableBeanException if a proxy of a bean cannot pass a method on
     */
    void declare(McpServer.Builder server) {
        unprocessed()
                .ifPresent(
                        method -> {
                            throw new MissingProcessorException(method);
                        });
        beans.getBeanProvider(McpFeatures.class).orderedStream().forEach(server::features);
        Set<String> names = new LinkedHashSet<>(annotated().toList());
        names.forEach(
                name ->
                        declaring(type(name))
                                .forEach(of -> server.features(declarations(name, of))));
        declared = names;
    }

    /**
     * Requires that no bean has annotated methods that its definition did not show when the
     * features were declared: they would be missing without a word.
     *
     * @throws UnusableBeanException if one has
     */
    @Override
    public void afterSingletonsInstantiated() {
        Set<String> known = declared;
        if (known != null) {
            names().filter(name -> !known.contains(name)).forEach(this::requireShown);
        } else if (beans.getBeanNamesForType(McpServer.class, true, false).length == 0) {
            names().forEach(this::requireShown);
        } // else the application has declared its features itself
    }

    private void requireShown(String name) {
        Object bean =
                beans instanceof ConfigurableListableBeanFactory factory
                        ? factory.getSingleton(name)
                        : null;
        if (bean == null) {
            return;
        }
        Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
        inherited(type)
                .flatMap(DeclaredFeatures::methods)
                .filter(method -> ANNOTATIONS.stream().anyMatch(method::isAnnotationPresent))
                .findFirst()
                .ifPresent(
                        method -> {
                            throw new UnusableBeanException(
                                    "The bean %s is of the class %s, whose annotated methods its definition hides"
                                            .formatted(name, type.getName()),
                                    "Let the @Bean method return " + type.getSimpleName() + ".");
                        });
    }

    /** The names of beans with declarations for their class, or for one that it inherits from. */
    private Stream<String> annotated() {
        return names().filter(name -> declaring(type(name)).findAny().isPresent());
    }

    /** The class of a bean as it is written, also where a proxy has interfaces alone. */
    private @Nullable Class<?> type(String name) {
        Class<?> type = beans.getType(name, false);
        if (type != null
                && Proxy.isProxyClass(type)
                && beans instanceof ConfigurableListableBeanFactory factory) {
            Class<?> target = AutoProxyUtils.determineTargetClass(factory, name);
            return target == null ? type : target;
        }
        return type;
    }

    private Stream<String> names() {
        return Arrays.stream(beans.getBeanDefinitionNames())
                .filter(name -> !name.startsWith(SCOPED_TARGET));
    }

    /** An annotated method of a bean whose class has no declarations. */
    private Optional<Method> unprocessed() {
        return names().map(this::type)
                .filter(Objects::nonNull)
                .flatMap(DeclaredFeatures::inherited)
                .filter(type -> declaration(type) == null)
                .flatMap(DeclaredFeatures::methods)
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

    /** A class and all that it inherits from. */
    private static Stream<Class<?>> inherited(@Nullable Class<?> type) {
        if (type == null || type.isArray() || type.isPrimitive()) {
            return Stream.empty();
        }
        Set<Class<?>> all = new LinkedHashSet<>();
        for (Class<?> each = ClassUtils.getUserClass(type); each != null; ) {
            all.add(each);
            all.addAll(ClassUtils.getAllInterfacesForClassAsSet(each));
            each = each.getSuperclass();
        }
        return all.stream().filter(each -> FOREIGN.stream().noneMatch(each.getName()::startsWith));
    }

    /** Finds the methods that declare the features of a class and of its supertypes. */
    private static Stream<Method> declaring(@Nullable Class<?> type) {
        return inherited(type).map(DeclaredFeatures::declaration).filter(Objects::nonNull);
    }

    /**
     * Finds the method that declares the features of a class: {@code of} of the class {@code
     * NAMEMcp} beside it.
     */
    private static @Nullable Method declaration(Class<?> declared) {
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
    private Consumer<Features<?>> declarations(String name, Method of) {
        Object bean = beans.getBean(name);
        requirePassedOn(name, bean, of.getParameterTypes()[0]);
        ReflectionUtils.makeAccessible(of);
        return (Consumer<Features<?>>)
                Objects.requireNonNull(ReflectionUtils.invokeMethod(of, null, bean));
    }

    /**
     * Requires that a proxy passes all methods on: otherwise it would skip the check of
     * {@code @PreAuthorize}.
     */
    private static void requirePassedOn(String name, Object bean, Class<?> declared) {
        if (!declared.isInstance(bean)) {
            throw new UnusableBeanException(
                    "The bean %s is behind a proxy that has only interfaces, and its features are declared by the class %s"
                            .formatted(name, declared.getName()),
                    "Put the annotated methods into an interface that the class implements, or let"
                            + " the proxy extend the class: spring.aop.proxy-target-class=true, or"
                            + " proxyTargetClass = true where proxies are enabled.");
        }
        methods(declared)
                .filter(method -> ANNOTATIONS.stream().anyMatch(method::isAnnotationPresent))
                .forEach(method -> requirePassedOn(name, bean, method));
    }

    private static void requirePassedOn(String name, Object bean, Method method) {
        String place = method.getDeclaringClass().getName() + "." + method.getName();
        if (AopUtils.isCglibProxy(bean) && Modifier.isFinal(method.getModifiers())) {
            throw new UnusableBeanException(
                    "The method %s is final, so the proxy of the bean %s cannot pass it on"
                            .formatted(place, name),
                    "Remove final from the method (in Kotlin: open, or the plugin kotlin-spring).");
        }
        boolean annotated = isAsync(method) || isAsync(AopUtils.getTargetClass(bean));
        if (annotated || isAdvisedAsAsync(bean, method)) {
            throw new UnusableBeanException(
                    "The method %s of the bean %s %s, so its call would be answered before it has run"
                            .formatted(
                                    place, name, annotated ? "has @Async" : "runs asynchronously"),
                    "Remove @Async, or its like: each call runs on a thread of its own already. For"
                            + " work that takes long, declare task = TaskSupport.OPTIONAL.");
        }
    }

    private static boolean isAsync(AnnotatedElement element) {
        return MergedAnnotations.from(element, MergedAnnotations.SearchStrategy.TYPE_HIERARCHY)
                .isPresent(Async.class);
    }

    /** Whether advice runs the method on another thread, by whatever annotation or pointcut. */
    private static boolean isAdvisedAsAsync(Object bean, Method method) {
        return bean instanceof Advised advised
                && Arrays.stream(advised.getAdvisors())
                        .filter(advisor -> advisor.getAdvice() instanceof AsyncExecutionInterceptor)
                        .anyMatch(
                                advisor -> matches(advisor, method, AopUtils.getTargetClass(bean)));
    }

    private static boolean matches(Advisor advisor, Method method, Class<?> type) {
        return !(advisor instanceof PointcutAdvisor at)
                || (at.getPointcut().getClassFilter().matches(type)
                        && at.getPointcut().getMethodMatcher().matches(method, type));
    }
}
