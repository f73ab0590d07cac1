package dev.fairlead.servlet;

import jakarta.servlet.http.HttpServletRequest;

import java.util.function.UnaryOperator;

/**
 * The context that filters have set for a request on its thread of the container, such as the
 * identity in a thread-local. Handlers run on other threads, where it has to be set again.
 *
 * <p>It is set around the handlers of tools, prompts, resources and completions that a request
 * calls, and the interceptors around them. Tasks outlive their request, and calls that are held
 * between requests belong to several: they run without it, and know their caller by {@code
 * call.caller()} and {@code call.headers(…)}. So do the handlers of clients of 2024-11-05, whose
 * requests are answered on another stream.
 */
@FunctionalInterface
public interface HandlerContext {
    /**
     * Captures the context. Runs on the thread of the container, once for each request, and must
     * not block.
     *
     * @return returns for a task one that sets the context, runs the task, and restores the thread,
     *     also if the task throws
     */
    UnaryOperator<Runnable> capture(HttpServletRequest request);
}
