package dev.fairlead.spring.boot.starter;

import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.http.options.HttpAuthorization;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

import java.time.Duration;
import java.util.List;

/**
 * Makes the server of the application a resource server by properties, with {@code fairlead-auth}.
 * An {@link HttpAuthorization} of the application is used instead.
 */
@AutoConfiguration(before = McpServletAutoConfiguration.class)
@Conditional(OnAuthorization.class)
@ConditionalOnMissingBean(HttpAuthorization.class)
@EnableConfigurationProperties(McpAuthorizationProperties.class)
public final class McpAuthorizationAutoConfiguration {
    private static final String RESOURCE_SERVER = "dev.fairlead.auth.server.ResourceServer";

    /** The configuration with the library. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ResourceServer.class)
    static class Present {
        @Bean
        HttpAuthorization mcpAuthorization(McpAuthorizationProperties properties) {
            PropertyChecks checks = new PropertyChecks(McpAuthorizationProperties.PREFIX);
            String resource = properties.requiredResource();
            ResourceServer at = checks.set("resource", () -> ResourceServer.at(resource));
            ResourceServer known =
                    checks.set("audience", () -> at.audience(array(properties.audience())));
            ResourceServer scoped =
                    checks.set("scopes", () -> known.scopes(array(properties.scopes())));
            ResourceServer trusting =
                    checks.set("trust", () -> trusting(scoped, properties.requiredTrust()));
            Duration skew = properties.clockSkew();
            ResourceServer server =
                    skew == null
                            ? trusting
                            : checks.set("clock-skew", () -> trusting.clockSkew(skew));
            return properties.requireDpop() ? server.requireDpop() : server;
        }

        private static ResourceServer trusting(ResourceServer server, List<String> issuers) {
            ResourceServer trusting = server;
            for (String issuer : issuers) {
                trusting = trusting.trust(issuer);
            }
            return trusting;
        }

        private static String[] array(List<String> values) {
            return values.toArray(String[]::new);
        }
    }

    /** The configuration without the library: the server must not start unprotected. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(RESOURCE_SERVER)
    static class Missing {
        @Bean
        HttpAuthorization mcpAuthorization() {
            throw new IllegalStateException(
                    McpAuthorizationProperties.PREFIX
                            + " needs dev.fairlead:fairlead-auth on the class path");
        }
    }
}
