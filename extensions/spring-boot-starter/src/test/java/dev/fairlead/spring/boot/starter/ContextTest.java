package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.server.annotation.McpTool;
import dev.fairlead.server.handler.Call;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.TaskDecorator;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import java.util.function.UnaryOperator;

/** Thread-locals that the filters of an application set, in its handlers. */
@Timeout(600)
final class ContextTest {
    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableMethodSecurity
    @Import(Who.class)
    static class Application {
        /** Finds out who asks, as Spring Security does, and forgets it when the chain returns. */
        @Bean
        Filter identity() {
            return (request, response, chain) -> {
                String user = ((HttpServletRequest) request).getHeader("x-user");
                SecurityContextHolder.getContext()
                        .setAuthentication(
                                user == null
                                        ? null
                                        : new TestingAuthenticationToken(user, "", "ROLE_" + user));
                MDC.put("request", user);
                TENANT.set(user);
                try {
                    chain.doFilter(request, response);
                } finally {
                    SecurityContextHolder.clearContext();
                    MDC.remove("request");
                    TENANT.remove();
                }
            };
        }

        // @start region="decorator"
        @Bean
        TaskDecorator tenant() {
            return task -> {
                String tenant = TENANT.get();
                return () -> {
                    TENANT.set(tenant);
                    try {
                        task.run();
                    } finally {
                        TENANT.remove();
                    }
                };
            };
        }
        // @end
    }

    @Component
    static class Who {
        /** Returns the caller. */
        @McpTool
        String who(Call call) {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            ServletRequestAttributes request =
                    (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
            request.setAttribute("seen", true, RequestAttributes.SCOPE_REQUEST);
            return "%s %s %s %s"
                    .formatted(
                            user == null ? null : user.getName(),
                            request.getRequest().getHeader("x-user"),
                            MDC.get("request"),
                            TENANT.get());
        }

        /** Is for one alone. */
        @McpTool
        @PreAuthorize("hasRole('ann')")
        public String secret() {
            return "secret";
        }
    }

    private static McpClient client(
            ConfigurableApplicationContext application, Revision revision, String user)
            throws InterruptedException {
        return McpClient.named("c", "1")
                .revisions(revision, revision)
                .connect(Http.to(Apps.url(application, "/mcp")).header("x-user", user));
    }

    @ParameterizedTest
    @EnumSource(names = {"V2025_11_25", "V2026_07_28"})
    void areThoseOfTheRequest(Revision revision) throws Exception {
        try (ConfigurableApplicationContext application = Apps.web(Application.class);
                McpClient ann = client(application, revision, "ann");
                McpClient bob = client(application, revision, "bob")) {
            for (int i = 0; i < 50; i++) { // also where a handler has become quick
                assertThat(who(ann)).isEqualTo("ann ann ann ann");
                assertThat(who(bob)).isEqualTo("bob bob bob bob");
            }
            assertThat(ann.callTool("secret", JsonObject.EMPTY).text()).isEqualTo("secret");
            CallToolResult denied = bob.callTool("secret", JsonObject.EMPTY);
            assertThat(denied.isError()).isTrue();
            assertThat(denied.text()).doesNotContain("secret");
        }
    }

    private static String who(McpClient client) throws InterruptedException {
        return client.callTool("who", JsonObject.EMPTY).text();
    }

    /** Calls of one batch belong to one request of the servlet. */
    @Test
    void aHandlerThatRaisesItsAuthenticationRaisesThatOfNoOther() {
        TestingAuthenticationToken ada = new TestingAuthenticationToken("ada", "");
        UnaryOperator<Runnable> captured;
        SecurityContextHolder.getContext().setAuthentication(ada);
        try {
            captured =
                    new McpAuthorizationContextAutoConfiguration()
                            .mcpSecurityContext()
                            .capture(new MockHttpServletRequest());
        } finally {
            SecurityContextHolder.clearContext();
        }
        captured.apply(
                        () -> {
                            SecurityContextHolder.getContext()
                                    .setAuthentication(new TestingAuthenticationToken("root", ""));
                            captured.apply(
                                            () ->
                                                    assertThat(
                                                                    SecurityContextHolder
                                                                            .getContext()
                                                                            .getAuthentication())
                                                            .isSameAs(ada))
                                    .run();
                        })
                .run();
    }

    /** An application without Spring Security and decorators, with the request alone. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Who.class)
    static class Plain {}

    @Test
    void areEmptyWhereNoBeanHandsThemOver() throws Exception {
        try (ConfigurableApplicationContext application = Apps.web(Plain.class);
                McpClient client = client(application, Revision.V2026_07_28, "eve")) {
            assertThat(who(client)).isEqualTo("null eve null null");
        }
    }
}
