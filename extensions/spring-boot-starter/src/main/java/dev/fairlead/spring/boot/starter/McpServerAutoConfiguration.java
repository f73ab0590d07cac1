package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.ServerStore;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes the server of the application from the beans that declare features, unless the application
 * has an {@link McpServer} of its own.
 */
@AutoConfiguration
@EnableConfigurationProperties(McpServerProperties.class)
public final class McpServerAutoConfiguration {
    @Bean
    @ConditionalOnBooleanProperty(name = "fairlead.server.enabled", matchIfMissing = true)
    DeclaredFeatures mcpDeclaredFeatures(ListableBeanFactory beans) {
        return new DeclaredFeatures(beans);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "fairlead.server.enabled", matchIfMissing = true)
    @Conditional(OnFeatures.class)
    McpServer mcpServer(
            McpServerProperties properties,
            Environment environment,
            ObjectProvider<BuildProperties> build,
            ObjectProvider<ServerStore> stores,
            ObjectProvider<ChangeBus> buses,
            ObjectProvider<McpServerCustomizer> customizers,
            DeclaredFeatures features) {
        McpServer.Builder server =
                McpServer.named(implementation(properties, environment, build.getIfAvailable()));
        PropertyMapper map = PropertyMapper.get();
        map.from(properties::instructions).to(server::instructions);
        map.from(properties::callTimeout).to(server::callTimeout);
        map.from(properties::questionTimeout).to(server::questionTimeout);
        map.from(properties::maxSubscriptions).to(server::maxSubscriptions);
        map.from(properties::maxListenStreams).to(server::maxListenStreams);
        map.from(properties::maxListenStreamsPerCaller).to(server::maxListenStreamsPerCaller);
        map.from(properties::maxHeldCalls).to(server::maxHeldCalls);
        map.from(properties::maxHeldCallsPerCaller).to(server::maxHeldCallsPerCaller);
        map.from(properties::cacheListsFor)
                .to(
                        ttl ->
                                server.cacheLists(
                                        ttl,
                                        Objects.requireNonNullElse(
                                                properties.cacheListsScope(), CacheScope.PRIVATE)));
        List<Revision> revisions =
                RevisionDates.read("fairlead.server.revisions", properties.revisions());
        if (!revisions.isEmpty()) {
            server.revisions(revisions.toArray(Revision[]::new));
        }
        stores.ifAvailable(server::store);
        properties.requestState().sealing(stores.getIfAvailable()).ifPresent(server::requestState);
        if (properties.ignoreUnknownArguments()) {
            server.ignoreUnknownArguments();
        }
        if (properties.acceptTextArguments()) {
            server.acceptTextArguments();
        }
        if (properties.ownThread()) {
            server.ownThread();
        }
        buses.ifAvailable(server::changes);
        customizers.orderedStream().forEach(customizer -> customizer.customize(server));
        features.declare(server);
        return server.build();
    }

    private static Implementation implementation(
            McpServerProperties properties,
            Environment environment,
            @Nullable BuildProperties build) {
        String name =
                given(properties.name())
                        .or(() -> property(environment, "spring.application.name"))
                        .orElse("application");
        String version =
                given(properties.version())
                        .or(() -> Optional.ofNullable(build).map(BuildProperties::getVersion))
                        .orElse("0");
        return new Implementation(name, version).withTitle(properties.title());
    }

    private static Optional<String> property(Environment environment, String name) {
        return given(environment.getProperty(name));
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).filter(value -> !value.isBlank());
    }

    @Bean
    @ConditionalOnBean(McpServer.class)
    McpServerLifecycle mcpServerLifecycle(
            ObjectProvider<McpServer> servers,
            ListableBeanFactory beans,
            McpServerProperties properties) {
        return new McpServerLifecycle(servers, beans, properties.enabled());
    }
}
