package dev.fairlead.spring.boot.starter;

import dev.fairlead.servlet.HandlerContext;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/** Hands the identity that Spring Security has found over to handlers. */
@AutoConfiguration(before = McpServletAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(SecurityContextHolder.class)
public final class McpAuthorizationContextAutoConfiguration {
    /**
     * Gives each handler a context of its own, as its changes must reach neither the session of the
     * container nor another call of the same batch.
     */
    @Bean
    @Order(0)
    HandlerContext mcpSecurityContext() {
        return request -> {
            Authentication caller = SecurityContextHolder.getContext().getAuthentication();
            return task ->
                    () -> {
                        SecurityContext own = SecurityContextHolder.createEmptyContext();
                        own.setAuthentication(caller);
                        SecurityContextHolder.setContext(own);
                        try {
                            task.run();
                        } finally {
                            SecurityContextHolder.clearContext();
                        }
                    };
        };
    }
}
