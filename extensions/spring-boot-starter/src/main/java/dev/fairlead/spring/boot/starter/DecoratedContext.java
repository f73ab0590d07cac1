package dev.fairlead.spring.boot.starter;

import dev.fairlead.servlet.HandlerContext;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;

import java.util.Objects;
import java.util.function.UnaryOperator;

/** The context that a decorator of the application hands over. */
final class DecoratedContext implements HandlerContext {
    private final TaskDecorator decorator;

    DecoratedContext(TaskDecorator decorator) {
        this.decorator = decorator;
    }

    /** A decorator captures where it decorates, before there is a handler. */
    @Override
    public UnaryOperator<Runnable> capture(HttpServletRequest request) {
        ThreadLocal<@Nullable Runnable> current = new ThreadLocal<>();
        Runnable decorated = decorator.decorate(() -> Objects.requireNonNull(current.get()).run());
        return task ->
                () -> {
                    current.set(task);
                    try {
                        decorated.run();
                    } finally {
                        current.remove();
                    }
                };
    }
}
