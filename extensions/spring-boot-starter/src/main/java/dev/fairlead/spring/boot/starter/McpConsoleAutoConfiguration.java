package dev.fairlead.spring.boot.starter;

import dev.fairlead.console.Console;
import dev.fairlead.http.console.HttpConsole;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The console of the server, off by default: pages on which people watch it. */
@AutoConfiguration(before = McpServletAutoConfiguration.class)
@ConditionalOnClass(Console.class)
@ConditionalOnBooleanProperty(name = "fairlead.server.console.enabled")
@EnableConfigurationProperties(McpServerProperties.class)
public final class McpConsoleAutoConfiguration {
    /** The console; the application may have a bean of its own instead. */
    @Bean
    @ConditionalOnMissingBean(HttpConsole.class)
    Console mcpConsole(McpServerProperties properties) {
        PropertyChecks checks = new PropertyChecks(McpServerProperties.PREFIX);
        McpServerProperties.ConsolePages pages = properties.console();
        String token = pages.token();
        Console console =
                token == null
                        ? Console.forScopes()
                        : checks.set("console.token", () -> Console.local(token));
        return checks.set("console.path", () -> console.path(pages.path()));
    }
}
