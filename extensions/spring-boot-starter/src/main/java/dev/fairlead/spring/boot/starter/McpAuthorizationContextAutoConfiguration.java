package dev.fairlead.spring.boot.starter;

import dev.fairlead.servlet.HandlerContext;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/** Hands the identity that Spring Security has found over to handlers. */
@AutoConfiguration(before = McpServletAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(SecurityContextHolder.class)
public final class McpAuthorizationContextAutoConfiguration {
    /** Copies the context, as changes of a handler must not reach the session of the container. */
    @Bean
    @Order(0)
    HandlerContext mcpSecurityContext() {
        return request -> {
            SecurityContext copy = SecurityContextHolder.createEmptyContext();
            copy.setAuthentication(SecurityContextHolder.getContext().getAuthentication());
            return task ->
                    () -> {
                        SecurityContextHolder.setContext(copy);
                        try {
                            task.run();
                        } finally {
                            SecurityContextHolder.clearContext();
                        }
                    };
        };
    }
}
