package dev.fairlead.spring.boot.starter;

import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.http.options.HttpAuthorization;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

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

    /** With the library. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ResourceServer.class)
    static class Present {
        @Bean
        HttpAuthorization mcpAuthorization(McpAuthorizationProperties properties) {
            ResourceServer server =
                    ResourceServer.at(properties.requiredResource())
                            .audience(properties.audience().toArray(String[]::new))
                            .scopes(properties.scopes().toArray(String[]::new));
            for (String issuer : properties.requiredTrust()) {
                server = server.trust(issuer);
            }
            PropertyMapper map = PropertyMapper.get();
            server = map.from(properties::clockSkew).to(server, ResourceServer::clockSkew);
            return properties.requireDpop() ? server.requireDpop() : server;
        }
    }

    /** Without it: the server must not start as if nothing had been said. */
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
