package dev.fairlead.spring.boot.starter;

import dev.fairlead.servlet.HandlerContext;

import jakarta.servlet.http.HttpServletRequest;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import java.util.Map;
import java.util.function.UnaryOperator;

/** The request and its scope, the locale, and the diagnostic context of log messages. */
final class RequestContext implements HandlerContext {
    @Override
    public UnaryOperator<Runnable> capture(HttpServletRequest request) {
        @Nullable LocaleContext locale = LocaleContextHolder.getLocaleContext();
        @Nullable Map<String, String> diagnostics = MDC.getCopyOfContextMap();
        return task -> () -> run(task, request, locale, diagnostics);
    }

    /** The attributes that a filter has set end with its thread, so these are others. */
    private static void run(
            Runnable task,
            HttpServletRequest request,
            @Nullable LocaleContext locale,
            @Nullable Map<String, String> diagnostics) {
        ServletRequestAttributes attributes = new ServletRequestAttributes(request);
        RequestContextHolder.setRequestAttributes(attributes);
        LocaleContextHolder.setLocaleContext(locale);
        if (diagnostics != null) {
            MDC.setContextMap(diagnostics);
        }
        try {
            task.run();
        } finally {
            MDC.clear();
            LocaleContextHolder.resetLocaleContext();
            RequestContextHolder.resetRequestAttributes();
            attributes.requestCompleted();
        }
    }
}
